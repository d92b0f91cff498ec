"""Diplomacy on the standard map under two rule sets, `standard` and `rsp`: one map, one phase
function, one order parser.

Read first `map/geography`, `model/orders`, `model/outcomes` and `model/state`. Then `rules` (the
two games) and `phases/flow`.

- `map`: places, borders, chains of seas, names, shapes
- `model`: orders, outcomes, state, events, editions, options
- `resolve`: adjudication. `movement` (standard) and `contests` (rsp) resolve a movement phase; then
  retreats and adjustments
- `language`: the grammar of one line of orders, without a board
- `matching`: one line against a board. `judging` explains refusals to a player; `order_matching`
  selects the lines that count
- `phases`: `settling.settle_phase` adjudicates one phase for every caller; `stages` applies it to a
  match, `flow` plays a turn
- `ordering`: a whole text of orders (`parsing`), remarks on it, and the possible orders (`choices`)
- `story`, `drawing`: the results of a phase as sentences and as pictures
- `exchange`: phases as JSON lines, saved games of the research tools
- `trial` and `bot`: trials of orders; house bots
"""
