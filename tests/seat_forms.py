"""What a browser sends along with a form of a seat: the hidden fields that say what the form was
made for.
"""

import re

# how the addresses of such forms end
OF_SEAT = ("/orders", "/say", "/votes", "/proposals", "/concession", "/press")
_FIELDS = re.compile(r'name="(phase|tenure|seq)" value="(\d+)"')


def hidden_fields(path: str, page: str) -> dict[str, str]:
    """Return the fields that a page's form with this address holds, {} where it is no form of a
    seat.
    """
    return dict(_FIELDS.findall(page)) if path.endswith(OF_SEAT) else {}
