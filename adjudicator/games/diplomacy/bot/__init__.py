"""The house bot of both Diplomacies; it uses nothing but its seat's view."""
