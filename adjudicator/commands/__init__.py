"""The commands of `sealed`, one file each, which defines the click command `command` and imports
heavy modules inside it.
"""
