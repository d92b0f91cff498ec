"""Hosting: starts the roles of the service (broker, worker, beat, web), supervises them, and stops
them in order.

It may import every room, and only the commands import it. It holds no rule of the service.
"""
