"""Write a migration for what the tables have become: python tools/new_migration.py "Add a column for ..."."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import alembic.command

from adjudicator import db


def main(message: str) -> None:
    """Migrate an empty SQLite file to the head, compare the tables with it, and write the difference as a revision."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/empty.sqlite3"
        db.migrate(url)
        with db.Database(url).engine.connect() as connection:
            config = db._alembic()
            config.attributes["connection"] = connection
            number = len(list((db.MIGRATIONS / "versions").glob("0*.py"))) + 1
            alembic.command.revision(config, message=message, autogenerate=True, rev_id=f"{number:04d}")


if __name__ == "__main__":
    main(sys.argv[1])
