"""The processes of the service: broker, inbox, live stream, worker, web. Each defines how it
starts; `startup` decides when.
"""
