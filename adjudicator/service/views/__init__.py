"""What a viewer may see, as plain values. Writes nothing."""
