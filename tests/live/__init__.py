"""Tests of live changes."""
