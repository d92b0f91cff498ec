"""What every process needs: settings, clocks, database, wakeups, errors. Knows no match, no letter and no game."""
