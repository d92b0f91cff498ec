"""Genesis: two seats, a dipole each; ideas become deeds, deeds build tombs, and a seat that
completes its tombs does not lose.
"""
