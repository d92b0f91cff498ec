"""Diplomacy on the standard map: one set of phases, convoys, retreats and adjustments under two rule sets, `standard` and `rsp`.

Read first `geography`, `orders`, `outcomes` and `state`: the words of everything else. Then `rules`, the two games, and `flow`.

- the world: `geography` (map), `maps/` (the data), `convoys` (chains of seas), `editions` (policies), `calendar`, `options` (opening)
- what is kept and told: `orders`, `outcomes`, `state`, `events`, `view` (what a seat may know), `traits` (characteristics, rsp)
- movement, `standard`: `movement` calls `field` (orders sorted), `carriage` (convoys), `supports`, `strengths`, `reasons`
- movement, `rsp`: `contests` calls `fray` (orders sorted), `crossings` (convoys), `rings`; for both: `routes` (ordered convoys)
- a match: `flow` (phase after phase), `stages` (each kind of phase), `retreats`, `adjustments`, `ending` (votes, concessions, victory)
- reading orders: `names`, `lexing`, `spelling` (a line, no board), `canonical` (its quick way), `misreading` (what is wrong with it);
  `legality` (can the unit ever do that), `standing` (the board as a seat orders on it), `judging` with `refusing`, `retreating` and
  `adjusting` (a line on that board), `counting` and `warnings` (all lines together), `parsing` (a whole text)
- offering orders: `choices` (slots), `ways` (of units in a movement phase), `marks` (ids that are clicked)
- telling: `tell` (a story), `telling`, `failing` and `tale` (its orders), `wording` (what things are called), `boardtext`
- drawing: `draw` (the picture), `ground`, `tokens`, `arrows` with `strokes` and `curves`, `inks`, `art` (shapes); `lessons` and `cutting`
  (pictures of the rules pages)
- trying: `trial`, `position` (units typed for it)
- programs: `exchange` (a line of a phase), `lines` (positions), `written` (texts matched to units), `settling` (one phase on part of a
  board); `loading` and `saving` (the research tools' saved games)
- house bots: `house`, `campaign` (movement), `outlook` (what the board is worth)
"""
