"""How matches begin, beside their making: who may see them, links, musters, expiry, and the next
match of the same people.
"""
