"""What several games share and no game owns: sentences, refusals, and the parts of a picture. It knows no game."""
