"""What happened, in sentences and lists for one reader."""
