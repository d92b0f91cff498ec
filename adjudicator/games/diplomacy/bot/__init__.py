"""The house bots of both Diplomacies; they use nothing but their seat's view.

- `bot`: their orders and votes. The greedy one uses `campaign` and `outlook`, the strong one
  `search`
- `search`: the best of many plans against samples of what the others may order. `board` says what
  places are worth, `proposals` draws sensible orders of any side, `variations` lists changes of a
  plan
"""
