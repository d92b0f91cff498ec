"""The tree over all matches' entries: its growth, its checkpoints, its witnesses, and other logs
that this installation witnesses.
"""
