"""The processes of the service: broker, inbox, worker, web. Each knows how it starts, not when."""
