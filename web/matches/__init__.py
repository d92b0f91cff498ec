"""The pages of matches: boards, orders, press, history, trials, new matches."""
