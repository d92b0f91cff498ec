"""Genesis: two seats, a dipole each; ideas become deeds, deeds build tombs, and who completes them does not lose."""
