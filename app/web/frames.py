"""Uvicorn's WebSocket protocol, but a peer that asks without end and never reads cannot fill our memory."""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

MOST_UNREAD = 1024 * 1024
"""Bytes on their way to one peer; the largest board with everything on it is a tenth of that."""
MOST_PARTS = 64


class Frames(WebSocketsSansIOProtocol):
    """What is sent to a page waits until it reads; answers to pings and frames in endless parts do not. So who
    leaves too much unread, or never comes to the end of a frame, is cut off."""

    def data_received(self, data: bytes) -> None:
        """Takes what a peer sent, unless too much waits for it already."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Takes one more part of a frame, unless there were too many."""
        super().handle_cont(event)
        if len(self.frames) > MOST_PARTS:
            self.transport.abort()
