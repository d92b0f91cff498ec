"""Reads calendar files (RFC 5545). Heavy, and the texts are strangers': only a child process with
limits imports it.
"""
