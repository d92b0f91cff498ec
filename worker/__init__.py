"""The worker's door: Celery calls one use case at a time; it never imports the web room, touches a state or writes SQL."""
