"""What a game is: its interface, options, chance and codec. Pure: imports nothing of ours from
outside this folder.
"""
