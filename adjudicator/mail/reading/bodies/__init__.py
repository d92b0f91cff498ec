"""The text of a letter's parts, plain and HTML, with marks for what is quoted, withdrawn or drawn
across it.
"""
