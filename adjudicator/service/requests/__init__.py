"""Who vouches for what is stored: the keys of sessions, and the worker's own word; it knows sessions and no match."""
