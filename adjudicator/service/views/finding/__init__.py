"""How people find matches: what one can watch or join, small pictures of boards, and the search;
writes nothing.
"""
