"""Logins of PostgreSQL for the roles: what each may do, and whether that is so. Runs as the owner
of the tables, at `sealed migrate`.
"""
