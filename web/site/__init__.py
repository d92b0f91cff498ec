"""The pages that are the same for everybody: home and the rules of the games."""
