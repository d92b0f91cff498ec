"""Diplomacy on the standard map: one set of phases, convoys, retreats and adjustments under two rule sets, `standard` and `rsp`."""
