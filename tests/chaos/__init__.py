"""The service as real processes, broken on purpose under a steady load; what people were answered is held against what became of it."""
