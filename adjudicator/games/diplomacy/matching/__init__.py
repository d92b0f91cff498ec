"""What one line orders against the board: which unit it means, whether it can be obeyed, which of several lines counts."""
