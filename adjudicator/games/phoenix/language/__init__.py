"""Parses order texts and lists the choices of the form; decides nothing about legality."""
