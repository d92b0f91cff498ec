"""Takes letters apart: bytes in, `letter_text.LetterText` out, in a child process with limits; knows no database, no match, no game."""
