"""The service in a seeded world of its own: real use cases, tasks and letters; every input and output may be the last."""
