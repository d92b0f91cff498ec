"""The service in a seeded world: real use cases, tasks and letters, where any input or output may
fail.
"""
