"""What the host does to a whole installation: the rotation of its keys, and what follows a restore
from a backup.
"""
