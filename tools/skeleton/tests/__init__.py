"""Skeleton: its rules, orders and faces."""
