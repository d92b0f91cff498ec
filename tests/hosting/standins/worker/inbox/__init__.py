"""Stand-ins for the roles that receive letters."""
