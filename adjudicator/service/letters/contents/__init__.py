"""What the letters of the service say."""
