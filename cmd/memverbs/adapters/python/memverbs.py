"""Queues with workers, leaderboards, rate limits, locks and sets in memcached, by pymemcache.

    from pymemcache import PooledClient
    from memverbs import Verbs

    verbs = Verbs(PooledClient(("127.0.0.1", 11211), timeout=30))
    verbs.check()
    verbs.queue("mails").put("welcome:7", "Alice")

The server is a memverbs with --verb-keys verb/. Nothing but pymemcache is needed. Its Client is for one thread,
PooledClient for several. A client that other code uses with a serializer will do, as these classes send and get bytes.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, unquote

from pymemcache.exceptions import MemcacheError, MemcacheUnexpectedCloseError

log = logging.getLogger(__name__)


class VerbError(Exception):
    """A verb that was not carried out, or of which nobody knows whether it was. Its text tells the key and the reason."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


class LockHeld(Exception):
    """Another token holds the lock."""


class LockLost(Exception):
    """The lock was not held until its end: the work took longer than was asked for, or memcached has forgotten it."""


def word(text: str) -> str:
    """Makes one word of any text: memcached's keys have no spaces, and the parts of a verb's key no slashes."""
    if not text:
        raise ValueError("a member or an id must not be empty")
    return quote(text, safe="")


def text(encoded: str) -> str:
    """Returns the text of which :func:`word` has made a word."""
    return unquote(encoded)


class Record(NamedTuple):
    """One of several items that came in one value: the words of its line, and its data."""

    words: List[str]
    data: bytes


def records(value: Optional[bytes]) -> List[Record]:
    """Reads the items of which the value consists: of each a line, whose third word is the size of the data that follows."""
    found = []
    rest = value or b""
    while rest:
        line, rest = rest.split(b"\n", 1)
        words = line.decode().split(" ")
        size = int(words[2])
        found.append(Record(words, rest[:size]))
        rest = rest[size + 1 :]
    return found


class Verbs:
    """The verbs of a memverbs, through a client of pymemcache."""

    def __init__(self, client: Any, prefix: str = "verb/") -> None:
        """Takes a client of pymemcache, and the prefix that --verb-keys names.

        Not a RetryingClient, which would take two tasks for one, nor one with ignore_exc, which takes errors for misses. A
        HashClient that tries again a server that has failed does that too, until it tries.
        """
        if getattr(client, "retry_attempts", 0):
            raise ValueError("after an error this client says for a while that nothing was found; give it retry_attempts=0")
        self.client = client
        self.prefix = prefix

    def queue(self, name: str) -> Queue:
        """The queue of tasks under a key."""
        return Queue(self, name)

    def leaderboard(self, name: str) -> Leaderboard:
        """The ranking under a key."""
        return Leaderboard(self, name)

    def limit(self, name: str, count: int, seconds: int) -> Limit:
        """Allows so many in any interval of so many seconds."""
        return Limit(self, name, count, seconds)

    def lock(self, name: str, seconds: int, holders: int = 1) -> Lock:
        """A lock that ends by itself after so many seconds. With several holders, so many have it at a time."""
        return Lock(self, name, seconds, holders)

    def set(self, name: str) -> Set:
        """The set under a key."""
        return Set(self, name)

    def flush(self, namespace: str) -> None:
        """Hides all items whose keys begin with the namespace, which the setting `namespaces` of memverbs must name."""
        self.call("delete", "nsflush", namespace)

    def check(self) -> None:
        """Raises VerbError if the server takes verbs for ordinary keys, as memcached does and memverbs without --verb-keys."""
        if self.call("get", "limit", "memverbs", 1, 1) is None:
            raise VerbError(
                self.prefix, f"the server takes this for the beginning of ordinary keys; start memverbs with --verb-keys {self.prefix}"
            )

    def call(self, command: str, verb: str, *parts: Union[str, int], **arguments: Any) -> Any:
        """Carries a verb by one of the client's methods, whose further arguments are `arguments`, and returns its result."""
        key = self.prefix + "/".join([verb, *map(str, parts)])
        if command != "get":
            arguments["noreply"] = False  # a change without a reply would be reported as successful whatever happens
        try:
            return getattr(self.client, command)(key, **arguments)
        except (MemcacheUnexpectedCloseError, OSError) as error:
            raise VerbError(key, f"no answer, so it may have been carried out: {error!r}") from error
        except MemcacheError as error:
            raise VerbError(key, _reason(key, error)) from error


class Structure:
    """What is stored under one key."""

    def __init__(self, verbs: Verbs, name: str) -> None:
        if not name or any(c.isspace() or c == "/" for c in name):
            raise ValueError(f"{name!r} can't be a name: it must have neither white space nor a slash; word() makes such a name")
        self.verbs = verbs
        self.name = name

    def _get(self, verb: str, *parts: Union[str, int]) -> Optional[bytes]:
        return self.verbs.call("get", verb, self.name, *parts)

    def _set(self, verb: str, *parts: Union[str, int], value: Union[str, bytes], **arguments: Any) -> bool:
        return self.verbs.call("set", verb, self.name, *parts, value=_bytes(value), **arguments)

    def _add(self, verb: str, *parts: Union[str, int], value: Union[str, bytes], **arguments: Any) -> bool:
        return self.verbs.call("add", verb, self.name, *parts, value=_bytes(value), **arguments)

    def _delete(self, verb: str, *parts: Union[str, int]) -> bool:
        return self.verbs.call("delete", verb, self.name, *parts)

    def _touch(self, verb: str, *parts: Union[str, int], seconds: int) -> bool:
        return self.verbs.call("touch", verb, self.name, *parts, expire=seconds)


class Task(NamedTuple):
    """A task that this worker holds. Each method is false if the task has become another worker's, or is there no more."""

    queue: Queue
    id: str
    data: bytes
    stamp: str

    @property
    def attempt(self) -> int:
        """How often the task was taken, this time included."""
        return int(self.stamp.rpartition(".")[2])

    def done(self) -> bool:
        """Ends the task."""
        return self.queue._delete("taskdone", self.stamp)

    def keep(self, seconds: int) -> bool:
        """Holds the task for so many seconds from now, as the work takes longer."""
        return self.queue._touch("taskkeep", self.stamp, seconds=seconds)

    def retry(self, delay: float = 0) -> bool:
        """Gives the task back, to be taken after so many seconds."""
        return self.queue._set("taskretry", self.stamp, value=_when(delay))


class Queue(Structure):
    """Tasks, each of which is given out until a worker says that it is done."""

    def put(self, id: str, data: Union[str, bytes], delay: float = 0) -> None:
        """Puts a task, to be done after so many seconds, in place of any with the same id."""
        self._set("taskput", word(id), _when(delay), value=data)

    def add(self, id: str, data: Union[str, bytes], delay: float = 0) -> bool:
        """Puts a task unless there is one with the same id, and returns whether it did."""
        return self._add("taskadd", word(id), _when(delay), value=data)

    def take(self, hold: int, most: Optional[int] = None, wait: float = 0) -> Optional[Task]:
        """Takes a task, which nobody else gets for `hold` seconds. Waits for one, at most `wait` seconds.

        With `most`, only tasks that were taken fewer times than that are given; the others stay in the queue.
        """
        timeout = getattr(self.verbs.client, "timeout", None)
        if timeout is not None and wait >= timeout:
            raise ValueError(f"a wait of {wait} s needs a client with a longer timeout than {timeout} s")
        parts: List[Union[str, int]] = [hold, 1]
        if most is not None:
            parts += ["most", most]
        if wait:
            parts += ["wait", max(1, round(wait * 1000))]
        for (id, _, _, stamp), data in records(self._get("tasktake", *parts)):
            return Task(self, text(id), data, stamp)
        return None

    def drop(self, id: str) -> bool:
        """Ends a task, whoever holds it."""
        return self._delete("taskdrop", word(id))

    def __len__(self) -> int:
        """The number of tasks, with those that are held, are not due, or failed too often."""
        return int(self._get("tasklen") or 0)

    def work(self, do: Callable[[Task], Any], hold: int, attempts: int = 10, pause: float = 60, wait: float = 0) -> int:
        """Has all tasks done, until none is due for `wait` seconds, and returns how many succeeded.

        A task for which `do` raises an exception is tried again after `pause` seconds, `attempts` times in all.
        """
        succeeded = 0
        while task := self.take(hold, most=attempts, wait=wait):
            try:
                do(task)
            except Exception:
                log.exception("attempt %d of task %s in queue %s failed", task.attempt, task.id, self.name)
                task.retry(pause)
            else:
                succeeded += task.done()
        return succeeded


class Leaderboard(Structure):
    """Members with scores, which are whole numbers; the highest come first."""

    def put(self, member: str, score: int) -> None:
        """Sets the score of a member."""
        self._set("zadd", value=f"{score} {word(member)}")

    def add(self, member: str, points: int = 1, seconds: Optional[int] = None) -> int:
        """Adds points to a score, for so many seconds if that is given, and returns the new score.

        pymemcache knows no negative results: if the score is below zero then, that raises VerbError; it is counted all the same.
        """
        command = "incr" if points >= 0 else "decr"
        if seconds is None:
            return self.verbs.call(command, "zincrby", self.name, word(member), value=abs(points))
        return self.verbs.call(command, "zincrbyp", self.name, word(member), seconds, value=abs(points))

    def score(self, member: str) -> Optional[int]:
        """The score of a member, None if there is none."""
        found = self._get("zget", word(member))
        return None if found in (None, b"null") else int(found)

    def place(self, member: str) -> Optional[int]:
        """The place of a member, from 0 for the highest score."""
        found = self._get("zrevrank", word(member))
        return None if found is None else int(found)

    def top(self, count: int, offset: int = 0) -> List[Tuple[str, int]]:
        """The members with the highest scores, after so many others."""
        return _scores(self._get("zrevrange", offset, count, "withscores"))

    def around(self, member: str, count: int) -> List[Tuple[str, int]]:
        """A member with so many before it and after it; none if it is not there."""
        return _scores(self._get("zrevaround", word(member), count, "withscores"))

    def remove(self, member: str) -> None:
        """Removes a member."""
        self._delete("zrem", word(member))

    def trim(self, count: int) -> None:
        """Removes all but so many members with the highest scores."""
        self._set("ztrim", value=str(count))

    def __len__(self) -> int:
        """The number of members."""
        return int(self._get("zcard") or 0)


class Allowance(NamedTuple):
    """What a limit has left."""

    allowed: bool  # one more is allowed now
    left: int  # how many more are
    wait: float  # in so many seconds it is worth asking again


class Limit(Structure):
    """Allows so many in any interval of so many seconds."""

    def __init__(self, verbs: Verbs, name: str, count: int, seconds: int) -> None:
        super().__init__(verbs, name)
        self.count = count
        self.seconds = seconds

    def allow(self, n: int = 1) -> bool:
        """Counts n more if all of them are allowed, and returns whether they are."""
        return self.verbs.call("incr", "limit", self.name, self.count, self.seconds, value=n) != 0

    def left(self) -> Allowance:
        """Tells what is allowed now, and counts nothing."""
        allowed, left, wait = map(int, self._get("limit", self.count, self.seconds).split())
        return Allowance(allowed == 1, left, wait / 1000)


class Lock(Structure):
    """A lock with a random token of its own, for one use at a time: `with verbs.lock("report", 30): …`."""

    def __init__(self, verbs: Verbs, name: str, seconds: int, holders: int = 1) -> None:
        super().__init__(verbs, name)
        self.seconds = seconds
        self.holders = holders
        self.token = secrets.token_urlsafe(12)

    def acquire(self) -> bool:
        """Takes the lock, or, if this object holds it, holds it for as long again."""
        places = [] if self.holders == 1 else ["holders", self.holders]
        return self._add("lock", *places, value=self.token, expire=self.seconds)

    def extend(self, seconds: int) -> bool:
        """Holds the lock for so many seconds from now; false if it is not held any more."""
        return self._touch("relock", self.token, seconds=seconds)

    def release(self) -> bool:
        """Gives the lock back; false if it was not held any more."""
        return self._delete("unlock", self.token)

    def __enter__(self) -> Lock:
        """Raises LockHeld if another has the lock."""
        if not self.acquire():
            raise LockHeld(f"another holds the lock {self.name}")
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Raises LockLost if the block has succeeded, but not under the lock."""
        if not self.release() and error is None:
            raise LockLost(f"the lock {self.name} was lost before its end: ask for more than {self.seconds} seconds, or extend it in time")


class Set(Structure):
    """A set of texts."""

    def add(self, *members: str) -> None:
        """Adds members."""
        self._set("sadd", value=_words(members))

    def add_new(self, member: str) -> bool:
        """Adds a member, and returns whether it was not there."""
        return self._add("saddnew", value=word(member))

    def add_for(self, seconds: int, *members: str) -> None:
        """Adds members for so many seconds."""
        self._set("saddp", seconds, value=_words(members))

    def remove(self, *members: str) -> None:
        """Removes members, such as are there."""
        self._set("srem", value=_words(members))

    def common(self, *others: Set) -> List[str]:
        """The members that are in this set and in all others."""
        return _texts(self._get("sinter", *(other.name for other in others)))

    def __contains__(self, member: str) -> bool:
        return self._get("sismember", word(member)) == b"1"

    def __iter__(self) -> Iterator[str]:
        return iter(_texts(self._get("smembers")))

    def __len__(self) -> int:
        return int(self._get("scard") or 0)


def _reason(key: str, error: Exception) -> str:
    """What the server says of a refusal, without the key, with which it may begin."""
    said = error.args[0] if error.args else type(error).__name__
    said = said.decode() if isinstance(said, bytes) else str(said)
    return said[len(key) + 2 :] if said.startswith(key + ": ") else said


def _bytes(value: Union[str, bytes]) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _when(delay: float) -> str:
    """The time of a task that is due after so many seconds."""
    return f"+{round(delay * 1000)}" if delay else "0"


def _words(members: Tuple[str, ...]) -> str:
    return " ".join(map(word, members))


def _texts(value: Optional[bytes]) -> List[str]:
    return [text(member) for member in (value or b"").decode().split()]


def _scores(value: Optional[bytes]) -> List[Tuple[str, int]]:
    """Reads members, each followed by its score."""
    words = (value or b"").decode().split()
    return [(text(member), int(score)) for member, score in zip(words[::2], words[1::2])]
