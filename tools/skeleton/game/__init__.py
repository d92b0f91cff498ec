"""Skeleton: two seats play their cards one by one, both at once; the higher card takes a point."""
