"""Tests of starting, stopping and hosting the service on a bare machine."""
