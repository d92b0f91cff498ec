"""The worker: each Celery task calls one use case of the service. It never imports `web`, touches a
game's state or writes SQL.
"""
