"""An asynchronous source and a coroutine subscriber, as in a web back end."""

import asyncio
from collections.abc import AsyncIterator

from streamparse import SegmentEvent, StreamingResponseHandler, aparse


async def model() -> AsyncIterator[str]:
    for chunk in ["Look: <run", "_bash>ls &am", "p;&amp; pwd</run_ba", "sh> done"]:
        await asyncio.sleep(0)
        yield chunk


async def send(event: SegmentEvent) -> None:
    await asyncio.sleep(0)  # a socket would be written to here
    print("sent", event.to_dict())


async def main() -> None:
    handler = StreamingResponseHandler("xml", on_segment_event=send)
    async for chunk in model():
        await handler.afeed(chunk)
    await handler.afinalize()

    async for event in aparse(model()):
        print(event.type, event.delta)


if __name__ == "__main__":
    asyncio.run(main())
