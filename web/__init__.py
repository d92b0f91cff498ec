"""The web room: a door. It translates a request, calls one use case of the service, and translates its answer back.

It may not touch a state, write SQL, import the worker, or open a key file; every time it tells was taken as the request arrived.
"""
