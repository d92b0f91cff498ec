"""Who may do what: each act, tried by each of these persons. docs/acts.md is made of it by
`python -m tools.list_acts`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.play.tournaments.formats import RoundRobin
from adjudicator.service.base.press_rules import name_text
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.base.tables import PressNote, Proposal, Seat, Tournament
from adjudicator.service.handover import leaving, replacing, standbys, substitutes, takeovers
from adjudicator.service.log import salts
from adjudicator.service.matches import creation, masters, preferences, seats, votes, waiting_list
from adjudicator.service.matches.votes import Ask
from adjudicator.service.orders import readiness
from adjudicator.service.phases import concessions
from adjudicator.service.press import complaints, conversations, messages, mutes
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.requests.acts import Act
from adjudicator.service.starting import again, expiry, links, muster, privacy
from adjudicator.service.tournaments import (
    advancing,
    entering,
    making,
    seasons,
    stalling,
    succession,
)
from adjudicator.service.tournaments.directing import by_hand, entrants
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.tournaments.results import corrections, deciding
from tests.service.tournament_play import QUICK

# who tries; Heidi plays everywhere, and acts that are aimed at a seat are aimed at hers
MATCH = {
    "stranger": "Mallory",
    "guest": "Guest",
    "player": "Alice",
    "player of another seat": "Bob",
    "former player": "Erin",
    "who lent the seat": "Charlie",
    "substitute": "Frank",
    "master who plays": "Grace",
    "master who does not": "Dora",
}
TOURNAMENT = {
    "stranger": "Mallory",
    "guest": "Guest",
    "entrant": "Alice",
    "another entrant": "Bob",
    "former entrant": "Erin",
    "director": "Dora",
}
TARGET = "Heidi"
# what comes of it: the act, a proposal to the players, a refusal of this person, or another one
YES, VOTE, NO, OTHERWISE = "yes", "vote", "no", "-"


@dataclass(frozen=True)
class Trial:
    """What somebody tries in a transaction: in which match or tournament, and who it is."""

    session: Session
    people: Mapping[str, int]
    uid: str
    who: int
    now: datetime

    @property
    def here(self) -> tuple[Session, str, int]:
        """The first arguments of an act."""
        return self.session, self.uid, self.who

    @property
    def target(self) -> Seat:
        """The seat that acts are aimed at."""
        places = seats_of(self.session, by_uid(self.session, self.uid))
        return next(seat for seat in places if seat.player_id == self.people[TARGET])

    @property
    def open_seat(self) -> str:
        """The seat that looks for a player."""
        places = seats_of(self.session, by_uid(self.session, self.uid))
        return next(seat.name for seat in places if seat.open_since is not None)

    def propose(self) -> int:
        """Have the target propose a pause; returns the proposal."""
        votes.propose(self.session, self.uid, self.people[TARGET], Ask("pause"), now=self.now)
        found = select(Proposal.id).order_by(col(Proposal.id).desc())
        return self.session.exec(found).first() or 0

    def write(self) -> str:
        """Have the target write to everybody; returns the name of the text."""
        draft = PressDraft((), "Hello")
        messages.write_press(self.session, self.uid, self.people[TARGET], draft, now=self.now)
        written = self.session.exec(select(PressNote.at).order_by(col(PressNote.id).desc())).first()
        return name_text(written or self.now, 0)

    def end(self) -> "Trial":
        """End the match."""
        by_uid(self.session, self.uid).status = "ended"
        return self

    def pause(self) -> "Trial":
        """Pause the match, as the host."""
        masters.pause_match(self.session, self.uid, None, now=self.now)
        return self

    def miss(self) -> "Trial":
        """Have the target miss a phase."""
        self.target.misses = 1
        self.session.flush()
        return self

    def appoint(self) -> "Trial":
        """Have the director name an entrant another one."""
        making.make_entrant_director(self.session, self.uid, self.people["Dora"], 1, now=self.now)
        return self

    def leave(self) -> "Trial":
        """Have the director leave the tournament without one."""
        succession.stop_directing(self.session, self.uid, self.people["Dora"], now=self.now)
        return self

    def wait(self) -> "Trial":
        """Have the tournament wait for a director."""
        self.cup.waits_until = self.now + _SOON
        return self

    def finish(self) -> "Trial":
        """Make the tournament a league that is over."""
        self.cup.format, self.cup.status = "league", "ended"
        return self

    @property
    def cup(self) -> Tournament:
        """The tournament."""
        return self.session.exec(select(Tournament).where(Tournament.uid == self.uid)).one()


@dataclass(frozen=True)
class Row:
    """An act, in what it is tried, how, and what comes of it for each person of that thing."""

    act: Act[Any, Any]
    thing: str
    do: Callable[[Trial], object]
    may: str


def persons_of(thing: str) -> Mapping[str, str]:
    """Return who tries the acts of such a thing, with their names."""
    return TOURNAMENT if thing in ("account", "entering", "played") else MATCH


_WISH = TournamentWish("Cup", RoundRobin(), QUICK)
_SOON = timedelta(hours=60)
ROWS = (
    # --- a match that gathers its players
    Row(
        creation.make_match,
        "open",
        lambda t: creation.make_match(t.session, t.who, QUICK, now=t.now),
        "yes yes yes yes yes yes yes yes yes",
    ),
    Row(
        seats.take_seat,
        "open",
        lambda t: seats.take_seat(*t.here, now=t.now),
        "yes yes - - yes yes yes - yes",
    ),
    Row(
        preferences.save_wishes,
        "open",
        lambda t: preferences.save_wishes(*t.here, ["FRANCE"]),
        "no no yes yes no no no yes no",
    ),
    Row(
        seats.leave_seat,
        "open",
        lambda t: seats.leave_seat(*t.here, now=t.now),
        "no no yes yes no no no yes no",
    ),
    Row(
        seats.invite_another,
        "open",
        lambda t: seats.invite_another(*t.here, "new@example.org", now=t.now),
        "no no no no no no no yes yes",
    ),
    Row(
        seats.fill_with_bots,
        "open",
        lambda t: seats.fill_with_bots(*t.here, now=t.now),
        "no no no no no no no yes yes",
    ),
    Row(
        waiting_list.wait_for_seat,
        "full",
        lambda t: waiting_list.wait_for_seat(*t.here, now=t.now),
        "yes yes - - yes yes yes - yes",
    ),
    Row(
        muster.confirm,
        "full",
        lambda t: muster.confirm(*t.here, now=t.now),
        "no no yes yes no no no yes no",
    ),
    Row(
        expiry.renew_match,
        "open",
        lambda t: expiry.renew_match(*t.here, now=t.now),
        "no no no no no no no yes yes",
    ),
    Row(
        links.change_link,
        "open",
        lambda t: links.change_link(*t.here, "join", off=False, now=t.now),
        "no no no no no no no yes yes",
    ),
    # --- one that is played
    Row(
        readiness.say_readiness,
        "running",
        lambda t: readiness.say_readiness(*t.here, "wait", now=t.now),
        "no no yes yes no no yes yes no",
    ),
    Row(
        salts.give_salt,
        "running",
        lambda t: salts.give_salt(*t.here, "salt", now=t.now),
        "no no yes yes no no yes yes no",
    ),
    Row(
        votes.propose,
        "running",
        lambda t: votes.propose(*t.here, Ask("end"), now=t.now).sentence,
        "no no yes yes no no yes yes no",
    ),
    Row(
        votes.vote,
        "running",
        lambda t: votes.vote(*t.here, t.propose(), yes=True, now=t.now).sentence,
        "no no yes yes no no yes yes no",
    ),
    Row(
        concessions.concede,
        "running",
        lambda t: concessions.concede(*t.here, now=t.now).sentence,
        "no no yes yes no no no yes no",
    ),
    Row(
        messages.write_press,
        "running",
        lambda t: messages.write_press(*t.here, PressDraft((), "Hello"), now=t.now),
        "no no yes yes no no yes yes no",
    ),
    Row(
        conversations.mark_read,
        "running",
        lambda t: conversations.mark_read(*t.here, t.write()),
        "no no yes yes no no yes yes yes",
    ),
    Row(
        complaints.report_text,
        "running",
        lambda t: complaints.report_text(*t.here, t.write(), "Rude", now=t.now),
        "no no yes yes no no yes yes no",
    ),
    Row(
        mutes.mute_seat,
        "running",
        lambda t: mutes.mute_seat(*t.here, t.target.name, mute=True),
        "no no yes yes no no yes yes no",
    ),
    Row(
        leaving.resign,
        "running",
        lambda t: leaving.resign(*t.here, now=t.now),
        "no no yes yes no no yes yes no",
    ),
    Row(
        leaving.come_back,
        "running",
        lambda t: leaving.come_back(*t.here, now=t.now),
        "no no yes yes no yes yes yes no",
    ),
    Row(
        takeovers.take_seat,
        "running",
        lambda t: takeovers.take_seat(*t.here, t.open_seat, now=t.now),
        "yes no no no yes no no no yes",
    ),
    Row(
        standbys.stand_by,
        "running",
        lambda t: standbys.stand_by(t.session, t.who, uid=t.uid, now=t.now),
        "yes no no no yes yes no no yes",
    ),
    Row(
        substitutes.ask_substitute,
        "running",
        lambda t: substitutes.ask_substitute(*t.here, "new@example.org", t.now + _SOON, now=t.now),
        "no no yes yes no no no yes no",
    ),
    # --- its master
    Row(
        masters.pause_match,
        "running",
        lambda t: masters.pause_match(*t.here, now=t.now),
        "no no vote vote no no vote yes yes",
    ),
    Row(
        masters.resume_match,
        "running",
        lambda t: masters.resume_match(*t.pause().here, now=t.now),
        "no no vote vote no no vote vote yes",
    ),
    Row(
        masters.move_deadline,
        "running",
        lambda t: masters.move_deadline(*t.here, timedelta(hours=3), now=t.now),
        "no no no no no no no yes yes",
    ),
    Row(
        masters.close_now,
        "running",
        lambda t: masters.close_now(*t.here, now=t.now),
        "no no no no no no no vote yes",
    ),
    Row(
        masters.end_match,
        "running",
        lambda t: masters.end_match(*t.here, "Too few", now=t.now),
        "no no vote vote no no vote vote yes",
    ),
    Row(
        messages.write_as_master,
        "running",
        lambda t: messages.write_as_master(*t.here, PressDraft((), "Hello"), now=t.now),
        "no no no no no no no yes yes",
    ),
    Row(
        messages.warn_seat,
        "running",
        lambda t: messages.warn_seat(*t.here, t.target.name, "Slow", now=t.now),
        "no no no no no no no yes yes",
    ),
    Row(
        replacing.replace_player,
        "running",
        lambda t: replacing.replace_player(*t.here, t.target.name, "Gone", now=t.now),
        "no no no no no no no no yes",
    ),
    Row(
        replacing.excuse_player,
        "running",
        lambda t: replacing.excuse_player(*t.miss().here, t.target.name, "Ill", now=t.now),
        "no no no no no no no yes yes",
    ),
    # --- after its end
    Row(
        again.make_again,
        "running",
        lambda t: again.make_again(*t.end().here, now=t.now),
        "no no yes yes no yes no yes yes",
    ),
    Row(
        privacy.publish_match,
        "running",
        lambda t: privacy.publish_match(*t.end().here, now=t.now),
        "no no yes yes no yes no yes yes",
    ),
    # --- a tournament
    Row(
        making.make_tournament,
        "account",
        lambda t: making.make_tournament(t.session, t.who, _WISH, now=t.now),
        "yes yes yes yes yes yes",
    ),
    Row(
        entering.enter,
        "entering",
        lambda t: entering.enter(*t.here, now=t.now),
        "yes yes yes yes yes yes",
    ),
    Row(
        entering.leave,
        "played",
        lambda t: entering.leave(*t.here, now=t.now),
        "no no yes yes yes no",
    ),
    Row(
        entrants.sit_out,
        "played",
        lambda t: entrants.sit_out(*t.here, out=True, now=t.now),
        "no no yes yes no no",
    ),
    Row(
        succession.take_over,
        "played",
        lambda t: succession.take_over(*t.leave().here, now=t.now),
        "no no yes yes no no",
    ),
    Row(
        entering.close_entries,
        "entering",
        lambda t: entering.close_entries(*t.here, now=t.now),
        "no no no no no yes",
    ),
    Row(
        deciding.decide_table,
        "played",
        lambda t: deciding.decide_table(*t.here, (1, 1), ["1", "0"], reason="Late", now=t.now),
        "no no no no no yes",
    ),
    Row(
        deciding.go_on,
        "played",
        lambda t: deciding.go_on(*t.wait().here, now=t.now),
        "no no no no no yes",
    ),
    Row(
        deciding.set_wait,
        "played",
        lambda t: deciding.set_wait(*t.here, 5, now=t.now),
        "no no no no no yes",
    ),
    Row(
        stalling.close_round,
        "played",
        lambda t: stalling.close_round(*t.here, "Late", number=1, now=t.now),
        "no no no no no yes",
    ),
    Row(
        corrections.undo_round,
        "played",
        lambda t: corrections.undo_round(*t.here, 1, reason="No-show", now=t.now),
        "no no no no no yes",
    ),
    Row(
        by_hand.pair,
        "played",
        lambda t: by_hand.pair(*t.here, 2, "", now=t.now),
        "no no no no no yes",
    ),
    Row(
        entrants.excuse,
        "played",
        lambda t: entrants.excuse(*t.here, 1, now=t.now),
        "no no no no no yes",
    ),
    Row(
        entrants.admit,
        "played",
        lambda t: entrants.admit(*t.here, None, "1", reason="Back", now=t.now),
        "no no no no no yes",
    ),
    Row(
        entering.remove,
        "played",
        lambda t: entering.remove(*t.here, 2, reason="No-show", now=t.now),
        "no no no no no yes",
    ),
    Row(
        making.add_director,
        "played",
        lambda t: making.add_director(*t.here, t.people["Alice"], now=t.now),
        "no no no no no yes",
    ),
    Row(
        making.make_entrant_director,
        "played",
        lambda t: making.make_entrant_director(*t.here, 1, now=t.now),
        "no no no no no yes",
    ),
    Row(
        succession.dismiss_director,
        "played",
        lambda t: succession.dismiss_director(*t.appoint().here, 1, now=t.now),
        "no no no no no yes",
    ),
    Row(
        succession.stop_directing,
        "played",
        lambda t: succession.stop_directing(*t.here, now=t.now),
        "no no no no no yes",
    ),
    Row(
        advancing.end_tournament,
        "played",
        lambda t: advancing.end_tournament(*t.here, "Too few", now=t.now),
        "no no no no no yes",
    ),
    Row(
        seasons.make_season,
        "played",
        lambda t: seasons.make_season(*t.finish().here, days=9, now=t.now),
        "no no no no no yes",
    ),
)
# whoever has the link, or does it to the own account
OF_ANYBODY = (
    "starting.links.join_by_link",
    "starting.links.queue",
    "starting.links.queue_by_link",
    "matches.seats.decline_invitation",
    "handover.offers.decline_offer",
    "handover.standbys.stand_down",
    "people.absence_calendar.add_absence",
    "people.absence_calendar.cancel_absence",
    "people.pushes.remove_browsers",
    "erasure.erasing.erase_player",
)
