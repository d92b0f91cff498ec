"""The mail room turns rows into letters and posts them; it may not touch a state, write a table,
ask for the time, or import a door.
"""
