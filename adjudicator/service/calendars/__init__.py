"""Calendars of days off. Only a child process with limits reads their texts, which are strangers'
and costly.
"""
