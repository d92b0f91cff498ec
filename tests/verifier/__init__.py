"""`verify_match.py` against made bundles, attacks, hostile files and real matches."""
