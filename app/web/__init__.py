"""The edge: HTTP and sockets in, HTML out."""
