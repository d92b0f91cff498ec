"""The use cases: tables, transactions, and what a door may ask for; no Flask, Celery, SMTP or
Jinja, and time is an argument.
"""
