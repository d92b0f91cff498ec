"""Tables, row access, readiness and stored states, shared by all use cases. Imports no other folder
of this room.
"""
