"""docs/architecture.md names functions that exist, and its picture is what the tool draws."""

import pkgutil
import re

import pytest

from tools import draw_architecture

PAGE = draw_architecture.PAGE.read_text("utf-8")


@pytest.mark.parametrize("name", sorted(set(draw_architecture.NAME.findall(PAGE))))
def test_a_function_that_the_page_names_exists(name: str) -> None:
    assert callable(pkgutil.resolve_name(draw_architecture.full_name(name)))


def test_the_picture_is_the_one_the_tool_draws() -> None:
    assert draw_architecture.PICTURE.read_text("utf-8") == draw_architecture.draw_picture(PAGE), (
        "python -m tools.draw_architecture"
    )


def test_every_step_of_the_three_flows_is_in_the_picture() -> None:
    steps = re.findall(r"^\d+\. ", PAGE, re.MULTILINE)
    assert len(draw_architecture.read_flows(PAGE)) == 3
    assert sum(map(len, draw_architecture.read_flows(PAGE).values())) == len(steps)


def test_the_picture_has_every_room_with_its_arrows() -> None:
    drawn = draw_architecture.room_arrows()
    assert ("mail", "service") in drawn
    assert ("web", "service") not in drawn  # implied by web, mail and service
