"""The tests; `script/test` runs them all."""
