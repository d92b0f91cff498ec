"""Parses a whole text of orders into orders, refusals and remarks, and lists the possible
orders.
"""
