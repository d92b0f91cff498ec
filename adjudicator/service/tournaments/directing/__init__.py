"""What directors do to a tournament, each act one record that letters and the page carry out
alike.
"""
