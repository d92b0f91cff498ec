"""The service as real processes, with faults injected under a steady load; answers to players are
compared with the outcome.
"""
