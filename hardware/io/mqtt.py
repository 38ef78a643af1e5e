"""A reader behind an MQTT broker: connected, subscribed, and connected again when the broker comes back.

```
              connected, subscribed             the broker has gone
 connecting --------------------> listening ------------------------> connecting ...
    ^    |
    +----+  not there, or refused: again after a pause that doubles
```
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import ssl
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..protocol import Pattern, Sound
from ..readers.base import LinkLost, LinkUp, Output, Remark, Send
from ..readers.mqtt import LONGEST, MqttReader
from .errors import NoPort, PortError, PortRefused, Unsupported
from .installing import no_mqtt
from .mqtt_name import PASSWORD_VARIABLE, USER_VARIABLE, Broker, Credentials, load_credentials, tls_context
from .reader_link import Timed
from .serial_port import Clock

if TYPE_CHECKING:
    import aiomqtt


FIRST_PAUSE = 0.5
LONGEST_PAUSE = 15.0
"""Seconds between two tries to connect. A broker that is restarted is back within a second or two; one that
is away costs next to nothing, and players do not wait longer than that once somebody has put it right."""

STEADY = 10.0
"""Seconds after which a connection counts as a good one: a broker that throws us out at once is not asked in
ever quicker turn."""

PATIENCE = 5.0
"""Seconds for an answer of the broker. On a home network it takes milliseconds; what takes longer is no
broker."""

KEEP_ALIVE = 10
"""Seconds between signs of life, so that a cable that was pulled is noticed within twenty."""

MOST_WAITING = 10_000
"""Messages that wait while the program is busy: ten seconds of a thousand a second. Later ones are lost, and
that is told."""

_LOG = logging.getLogger("shoal.mqtt")
_LOG.addHandler(logging.NullHandler())
_LOG.propagate = False  # the library's warnings would be written across the table


class MqttLink:
    """One reader by its name, the broker, and the machine that understands it: a link for `watch`."""

    def __init__(
        self,
        name: str,
        broker: Broker,
        reader: MqttReader,
        *,
        credentials: Path | None = None,
        user: str = "",
        environment: Mapping[str, str] | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """``credentials``: the file that `load_credentials` reads when the reader is opened."""
        self.name = name
        self.broker = broker
        self.reader = reader
        self._file = credentials
        self._user = user
        self._environment = environment
        self._clock = clock
        self._client: aiomqtt.Client | None = None
        self._inbox: asyncio.Queue[_Message | str | None] = asyncio.Queue()
        self._dropped = 0

    async def write(self, data: bytes) -> bool:
        """Publish the lines of ``data`` for the reader; false while the broker is away, or if the reader
        takes none."""
        client, topic = self._client, self.reader.reply_topic
        if client is None or topic is None:
            return False
        try:
            for line in data.splitlines():
                if line:
                    await client.publish(topic, line, qos=0)
                    _go_if_cancelled()
        except _library().MqttError:
            return False  # the connection is gone, which the inbox will tell
        return True

    async def show(
        self, antenna: int, pattern: Pattern, sound: Sound = Sound.NONE, duration_ms: int = 0
    ) -> bool:
        """Let an antenna show and sound something; false where the reader has no lights, or is away."""
        data = self.reader.show(antenna, pattern, self._clock(), sound, duration_ms)
        sent = await self.write(data)
        self._inbox.put_nowait(None)  # the machine has something to wait for
        return sent

    async def readings(self) -> AsyncIterator[Timed]:
        """All readings, for ever. Why a broker cannot be used is a `Remark`, said once for each reason.

        Raises `BadPort` and `Unsupported`, where trying again is in vain.
        """
        _library()
        credentials, context = await asyncio.to_thread(self._prepared)
        for sentence in self._cautions(credentials):
            yield Remark(sentence), self._clock()
        tries, said = 0, ""
        while True:
            try:
                client = await self._connected(credentials, context)
            except PortError as error:
                tries += 1
                if str(error) != said:
                    said = str(error)
                    yield Remark(said), self._clock()
                # A broker that has refused us will hardly change its mind, and some lock out who insists.
                await asyncio.sleep(LONGEST_PAUSE if isinstance(error, PortRefused) else pause(tries))
                continue
            said = ""
            since = self._clock()
            self._client = client
            try:
                yield LinkUp(str(self.broker), continued=True), since
                async with contextlib.aclosing(self._run(client)) as run:
                    async for timed in run:
                        yield timed
            finally:
                self._client = None
                await _left(client)
            tries = 1 if self._clock() - since >= STEADY else tries + 1
            await asyncio.sleep(pause(tries))

    def _prepared(self) -> tuple[Credentials, ssl.SSLContext | None]:
        if self._environment is None:
            credentials = load_credentials(self._file)
        else:
            credentials = load_credentials(self._file, self._environment)
        return credentials, tls_context(credentials) if self.broker.tls else None

    def _cautions(self, credentials: Credentials) -> list[str]:
        found = [credentials.caution] if credentials.caution else []
        if credentials.password and not self.broker.tls and not self.broker.is_local:
            found.append(
                f"The password goes to {self.broker} where others can read it: use mqtts:// if you can."
            )
        return found

    async def _connected(self, credentials: Credentials, context: ssl.SSLContext | None) -> aiomqtt.Client:
        """A client that listens to the reader's topics. Raises `PortError`."""
        library = _library()
        client: aiomqtt.Client = library.Client(
            self.broker.host,
            self.broker.port,
            username=credentials.user or self._user or None,
            password=credentials.password or None,
            # Of its own each time: two clients of one name throw each other out (P-38).
            identifier=f"shoal-{secrets.token_hex(6)}",
            # What was said while we were away is not said again: it would be a tap of long ago (P-37).
            clean_session=True,
            keepalive=KEEP_ALIVE,
            timeout=PATIENCE,
            tls_context=context,
            logger=_LOG,
            socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
        )
        try:
            await _entered(client)
        except library.MqttError as error:
            raise explain(error, self.broker, credentials) from None
        try:
            await self._subscribe(client, self.reader.topics)
        except library.MqttError as error:
            await _left(client)
            raise explain(error, self.broker, credentials) from None
        except BaseException:
            await _left(client)
            raise
        return client

    async def _subscribe(self, client: aiomqtt.Client, topics: tuple[str, ...]) -> None:
        for topic in topics:
            answers = await client.subscribe(topic, qos=1)
            _go_if_cancelled()
            for answer in answers:
                if _code(answer) >= 0x80:
                    raise PortRefused(
                        f"The broker {self.broker} does not let us read {topic}: allow it in its access list."
                    )

    async def _run(self, client: aiomqtt.Client) -> AsyncGenerator[Timed, None]:
        library = _library()
        self._inbox = asyncio.Queue()
        pump = asyncio.create_task(self._pump(client, self._inbox), name=f"reader {self.name}")
        topics = self.reader.topics
        try:
            now = self._clock()
            outputs = self.reader.start(now)
            while True:
                for out in outputs:
                    if not isinstance(out, Send):
                        yield out, now
                    elif not await self.write(out.data) and pump.done():
                        yield LinkLost(f"The broker {self.broker} has gone."), self._clock()
                        return
                if self.reader.topics != topics:
                    new = tuple(each for each in self.reader.topics if each not in topics)
                    topics = self.reader.topics
                    await self._subscribe(client, new)
                arrived = await self._next()
                now = self._clock()
                if isinstance(arrived, str):
                    yield LinkLost(arrived), now
                    return
                if self._dropped:
                    yield Remark(f"{self._dropped} messages came faster than they could be read."), now
                    self._dropped = 0
                outputs, now = self._fed(arrived, now)
        except (library.MqttError, PortRefused) as error:
            yield LinkLost(str(explain(error, self.broker, Credentials()))), self._clock()
        finally:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)

    def _fed(self, arrived: _Message | None, now: float) -> tuple[list[Output], float]:
        if arrived is None:
            return self.reader.tick(now), now
        topic, payload, retained, at = arrived
        return self.reader.message(topic, payload, retained, at), at

    async def _next(self) -> _Message | str | None:
        """What arrives, or ``None`` when the reader wants to be told the time."""
        if not self._inbox.empty():
            return self._inbox.get_nowait()
        wake = self.reader.wake
        wait = None if wake is None else max(0.0, wake - self._clock())
        try:
            # Not wait_for, which in Python 3.11 forgets a cancellation that meets an arrival.
            async with asyncio.timeout(wait):
                return await self._inbox.get()
        except TimeoutError:
            return None

    async def _pump(self, client: aiomqtt.Client, inbox: asyncio.Queue[_Message | str | None]) -> None:
        """From the library's queue to ours, which has a bound; a reader needs no more than the beginning of
        what is too long."""
        try:
            async for message in client.messages:
                if inbox.qsize() >= MOST_WAITING:
                    self._dropped += 1
                    continue
                payload = bytes(message.payload[: LONGEST + 1])
                inbox.put_nowait((message.topic.value, payload, message.retain, self._clock()))
        except _library().MqttError:
            inbox.put_nowait(f"The broker {self.broker} has gone.")


_Message = tuple[str, bytes, bool, float]


def pause(tries: int) -> float:
    """Seconds to wait after ``tries`` failures in a row (1, 2, …)."""
    return float(min(FIRST_PAUSE * 2.0 ** min(tries - 1, 16), LONGEST_PAUSE))


def explain(error: BaseException, broker: Broker, credentials: Credentials) -> PortError:
    """The sentence for an error of a connection, with what to do next; never with a password."""
    if isinstance(error, PortError):
        return error
    code = _code(getattr(error, "rc", None))
    if code in {134, 135, 4, 5}:
        return PortRefused(_refused(broker, credentials))
    if str(error) == "Operation timed out":
        return NoPort(
            f"{broker} does not answer as an MQTT broker: is the port right, and does it want TLS (mqtts://) "
            "or a certificate of ours?"
        )
    cause = error.__context__
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__context__
    match cause:
        case ssl.SSLCertVerificationError():
            return PortRefused(_distrusted(broker, cause))
        case ssl.SSLError() | ConnectionResetError() if broker.tls:
            return PortRefused(
                f"{broker} does not speak TLS with us: is the port right (mostly 8883), or is it mqtt://?"
            )
        case socket.gaierror():
            return NoPort(f"There is no host called {broker.host}: check the name, or write its address.")
        case OSError():
            return NoPort(
                f"No broker answers at {broker}: is it running, and is the port right (1883, with TLS 8883)?"
            )
    return NoPort(f"The broker {broker} has closed the connection.")


def _refused(broker: Broker, credentials: Credentials) -> str:
    if credentials.source:
        return f"The broker {broker} refuses the user name or password: correct them in {credentials.source}."
    return (
        f"The broker {broker} wants a user name and password: put them into a credentials file, or into "
        f"{USER_VARIABLE} and {PASSWORD_VARIABLE}."
    )


def _distrusted(broker: Broker, error: ssl.SSLCertVerificationError) -> str:
    why = error.verify_message.strip().rstrip(".")
    if "mismatch" in why.lower() or "not valid for" in why.lower():
        return f"The certificate of the broker is not for {broker.host}: name it as its certificate does."
    return (
        f"The certificate of the broker {broker} is not trusted ({why[:80]}): name its authority's file as "
        "ca-file in the credentials file."
    )


def _code(answer: Any) -> int:
    """The number of an answer, which is an int or an object that has one."""
    value = getattr(answer, "value", answer)
    return value if isinstance(value, int) else 0


def _library() -> Any:
    """aiomqtt, only where it is used: it takes a tenth of a second to import. Raises `Unsupported`."""
    try:
        import aiomqtt  # noqa: PLC0415  # an extra
    except ImportError:
        raise Unsupported(no_mqtt()) from None
    if sys.platform == "win32" and isinstance(asyncio.get_running_loop(), asyncio.ProactorEventLoop):
        raise Unsupported(
            "Readers behind MQTT do not work on Windows: its event loop cannot watch their socket."
        )
    return aiomqtt


def _go_if_cancelled() -> None:
    """The library waits with wait_for (see `MqttLink._next`)."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def _entered(client: aiomqtt.Client) -> None:
    """Connect. What the library does for that cannot be called off at any moment: whoever is cancelled
    meanwhile goes at once, and a connection that comes about all the same is closed behind its back."""
    entering = asyncio.ensure_future(client.__aenter__())
    try:
        await asyncio.shield(entering)
    except asyncio.CancelledError:
        ending = asyncio.create_task(_ended(client, entering))
        _ENDINGS.add(ending)
        ending.add_done_callback(_ENDINGS.discard)
        raise


_ENDINGS: set[asyncio.Task[None]] = set()
"""Kept, because a loop knows its tasks only weakly."""


async def _ended(client: aiomqtt.Client, entering: asyncio.Future[Any]) -> None:
    await asyncio.wait({entering})
    if not entering.cancelled() and entering.exception() is None:
        await _left(client)


async def _left(client: aiomqtt.Client) -> None:
    # A connection that is gone cannot be ended politely, and need not be.
    with contextlib.suppress(_library().MqttError):
        await client.__aexit__(None, None, None)
