"""The pages of players: sign-in, account, invitations, stopping letters."""
