"""Tells events in sentences; knows no picture and no order text."""
