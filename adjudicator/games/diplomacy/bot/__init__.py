"""The house bot of both Diplomacies; it knows what its view tells."""
