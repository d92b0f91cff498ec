"""What `sealed serve --demo` adds, and that it adds it once."""

from pathlib import Path

from adjudicator.hosting import demo
from adjudicator.platform.config import read_settings
from adjudicator.platform.db import Database
from adjudicator.service.views import match_list


def test_the_demonstration_is_filled_once_and_what_has_ended_begins_again(
    sqlite_url: str, tmp_path: Path
) -> None:
    told = read_settings(database_url=sqlite_url, data_dir=tmp_path)
    demo.fill(told)
    with Database(sqlite_url).read_tx() as session:
        first = match_list.all_matches(session).cards
    demo.fill(told)
    database = Database(sqlite_url)
    with database.read_tx() as session:
        assert match_list.all_matches(session).cards == first and len(first) == 10
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE match SET status = 'ended' WHERE name = 'The quick table'"
        )
    demo.fill(told)
    with database.read_tx() as session:
        assert [card.name for card in match_list.all_matches(session).cards][:1] == [
            "The quick table"
        ]
