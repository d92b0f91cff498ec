"""Rows into letters: text, HTML, pictures, calendar, headers. Sends nothing."""
