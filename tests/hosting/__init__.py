"""Tests of what makes the service start, stop and be tested on a bare machine."""
