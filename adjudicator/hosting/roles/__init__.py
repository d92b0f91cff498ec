"""The processes of the service: broker, inbox, worker, web. Each defines how it starts; `startup` decides when."""
