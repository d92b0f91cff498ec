"""Rock Paper Pyramid: three seats, nine rounds, one hidden piece each; the piece that captures and is not captured takes."""
