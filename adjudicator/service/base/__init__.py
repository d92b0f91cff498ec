"""Tables, row access and stored states that all use cases share. Holds no use case of its own."""
