"""Commands by letter, a file each: its WORD, how it is written, what it means, and `do`, which carries it out or refuses with a sentence.

A command works in the transaction that ends its letter's reading, so a letter is carried out once or not at all.
"""
