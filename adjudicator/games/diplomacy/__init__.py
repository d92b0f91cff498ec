"""Diplomacy on the standard map under two rule sets, `standard` and `rsp`: one map, one phase function, one reading of orders.

Read first `map/geography`, `model/orders`, `model/outcomes` and `model/state`. Then `rules` (the two games) and `phases/flow`.

- `map`: places, borders, chains of seas, names, shapes
- `model`: orders, outcomes, state, events, editions, options
- `resolve`: what comes of orders. `movement` (standard) and `contests` (rsp) resolve a battle; then retreats and adjustments
- `language`: what a line says, before any board is asked
- `matching`: what a line orders on a board. `judging` answers a player in sentences; `order_matching` says which lines count
- `phases`: `settling.settle` carries out one phase, for everybody; `stages` does so for a match, `flow` plays phase after phase
- `ordering`: what a whole text orders (`parsing`), remarks on it, and what can be chosen
- `story`, `drawing`: what a phase came to, in words and as pictures
- `exchange`: phases as JSON lines, saved games of the research tools
- `trial` and `bot`: what would come of orders; house bots
"""
