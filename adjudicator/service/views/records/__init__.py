"""Records that anybody's program may read: what everybody may see of a match, as values that go
into JSON.
"""
