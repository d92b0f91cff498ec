"""What several games share: sentences, refusals, and the parts of a picture. It knows no game."""
