"""The network: clients that come from outside, and pages there."""
