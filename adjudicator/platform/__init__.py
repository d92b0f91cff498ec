"""What every process needs: settings, clocks, database, wakeups, errors. Imports nothing about
matches, letters or games.
"""
