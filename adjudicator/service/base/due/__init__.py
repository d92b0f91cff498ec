"""What is due at a moment: phases that close, and rows that wait for a worker."""
