"""RPS Phoenix: two to four seats, three Birds each on a 6x6 grid; dice, diagonals, and a way back
from the Ashes.
"""
