"""What comes with a request: who vouches for it, the key of a session or the worker's own word, and
the form that it came by.
"""
