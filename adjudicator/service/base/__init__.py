"""Tables, row access, readiness and stored states that all use cases share. Imports no other folder of this room."""
