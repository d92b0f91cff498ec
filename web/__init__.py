"""The site: each view translates a request, calls one use case of the service and translates its
answer back.

It may not touch a game's state, write SQL, import the worker or open a key file. The current time
is the time of the request's arrival.
"""
