"""Whether the database can serve this release: asked by the site's health page and by the checks of each role."""

from sqlalchemy.exc import SQLAlchemyError

from adjudicator.db import Database


def trouble(database: Database) -> str:
    """Return what is wrong with the database in one sentence that holds no secret, "" where it answers and has the newest tables."""
    try:
        found, newest = database.revisions()
    except SQLAlchemyError:
        return "The database does not answer."
    return "" if found == newest else "The database has not this release's tables: run `sealed migrate`."
