"""Opening and closing of phases: open envelopes, adjudicate, then write results and reports in one
transaction.
"""
