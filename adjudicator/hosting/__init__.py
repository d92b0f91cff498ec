"""Hosting: starts the roles of the service (broker, worker, beat, web), looks after them, and stops them in order.

It stands above all rooms: it may import both doors, and nothing but the commands imports it. It holds no rule of the service.
"""
