"""Commands by letter: each is a record with its word, how it is written, what it means, and the
function that carries it out.

A command works in the transaction that ends its letter's reading, so a letter is carried out once
or not at all.
"""
