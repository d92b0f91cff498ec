"""Live changes: pages that stay open learn which matches have moved on, from a stream (a role of
its own) or by asking for it.
"""
