"""What a match's page shows around its board: the people at the table, and the story by seat.
Writes nothing.
"""
