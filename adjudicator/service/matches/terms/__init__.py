"""What a match is made with: each term is declared once, and forms, letters and pages read that."""
