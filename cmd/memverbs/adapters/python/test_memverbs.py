"""Proves memverbs.py: python3 test_memverbs.py MEMVERBS MEMCACHED, both as HOST:PORT; it says each scenario that holds."""

import logging
import sys
import threading
import time
from contextlib import contextmanager

from pymemcache import HashClient, PooledClient, serde

from memverbs import LockHeld, LockLost, Record, VerbError, Verbs, records

ODD = "Ä b/c%2F+&é\n日😀"  # a text that is neither a word nor ASCII
LONG = 3600  # seconds: longer than any test


def connect(address, **options):
    """Returns the verbs of the server there, over a client such as an application has."""
    return Verbs(PooledClient(address, timeout=60, **options))


@contextmanager
def scenario(text):
    """Says the scenario if its block raises nothing."""
    yield
    print(text)


@contextmanager
def raises(kind, *parts):
    """Expects an exception whose text has these parts."""
    try:
        yield
    except kind as error:
        equal([part for part in parts if part not in str(error)], [])
    else:
        raise AssertionError(f"no {kind.__name__}")


def equal(got, expected):
    """Ends the test at once if two values differ."""
    if got != expected:
        raise AssertionError(f"got {got!r}, expected {expected!r}")


def ask(step):
    """Has whoever runs this test take a step of an outage."""
    print("!", step, flush=True)
    sys.stdin.readline()


def again(kind, do):
    """Does something until it raises no such exception any more, for a minute at most."""
    end = time.monotonic() + 60
    while True:
        try:
            return do()
        except kind:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


verbs = connect(sys.argv[1], serde=serde.pickle_serde)
verbs.check()

with scenario("words: any text comes back as it was, of a member and of an id"):
    names = verbs.set("words")
    names.add(ODD, "noreply")
    equal((sorted(names), ODD in names, "b" in names), (sorted([ODD, "noreply"]), True, False))
    verbs.queue("words-tasks").put(ODD, "x")
    equal(verbs.queue("words-tasks").take(LONG).id, ODD)

with scenario("words: what can't be a name is refused before it is sent"):
    for name in "", "a b", "a/b":
        with raises(ValueError, "can't be a name"):
            verbs.set(name)

with scenario("records: data of any bytes is read as it was put"):
    every = bytes(range(256)) + b"\n\r\n"
    queue = verbs.queue("records")
    queue.put("a", every)
    queue.put("b", "")
    equal([queue.take(LONG).data, queue.take(LONG).data], [every, b""])
    equal(records(b"a 0 3\nx\ny\nb 7 0 s.1\n\n"), [Record(["a", "0", "3"], b"x\ny"), Record(["b", "7", "0", "s.1"], b"")])

with scenario("errors: a refusal tells the key, and the reason or where it is"):
    with raises(VerbError, "verb/limit/errors/5/0", "seconds"):
        verbs.limit("errors", 5, 0).allow()

with scenario("errors: a server that takes verbs for keys is found out"):
    with raises(VerbError, "--verb-keys verb/"):
        connect(sys.argv[2]).check()

with scenario("queue: a task is given to one worker until it is done"):
    queue = verbs.queue("mails")
    queue.put("welcome:7", "Alice")
    task = queue.take(LONG)
    equal((task.id, task.data, task.attempt), ("welcome:7", b"Alice", 1))
    equal((queue.take(LONG), len(queue)), (None, 1))
    equal((task.keep(LONG), task.done(), task.done(), len(queue)), (True, True, False, 0))

with scenario("queue: a task that is there is not added again"):
    equal((queue.add("report", "first"), queue.add("report", "second")), (True, False))
    equal((queue.take(LONG).data, queue.drop("report"), queue.drop("report")), (b"first", True, False))

with scenario("queue: a task for later is not given now"):
    queue.put("later", "x", delay=LONG)
    equal((queue.take(LONG), queue.drop("later")), (None, True))

with scenario("queue: a worker tries again what fails, and leaves alone what fails too often"):
    logging.disable()
    said = []

    def send(task):
        said.append((task.id, task.attempt))
        if task.id == "bad":
            raise OSError("no connection")

    queue.put("good", "x")
    queue.put("bad", "x")
    equal(queue.work(send, hold=LONG, attempts=3, pause=0), 1)
    equal((sorted(said), len(queue)), ([("bad", 1), ("bad", 2), ("bad", 3), ("good", 1)], 1))
    queue.drop("bad")

with scenario("queue: a worker that waits gets a task that is put meanwhile"):
    other = connect(sys.argv[1]).queue("mails")
    putter = threading.Thread(target=other.put, args=("new", "x"))
    putter.start()
    equal(queue.take(LONG, wait=30).id, "new")
    putter.join()
    with raises(ValueError, "timeout"):
        queue.take(LONG, wait=60)

with scenario("leaderboard: points add up, and the highest scores come first"):
    board = verbs.leaderboard("points")
    board.put("ann", 120)
    equal([board.add("bob", 90), board.add("bob", 5, LONG), board.add(ODD), board.add("ann", -20)], [90, 95, 1, 100])
    equal(board.top(2), [("ann", 100), ("bob", 95)])
    equal((board.top(5, 2), len(board)), ([(ODD, 1)], 3))

with scenario("leaderboard: a member's score, place and neighbours"):
    equal((board.score("bob"), board.place("bob"), board.around("bob", 1)), (95, 1, [("ann", 100), ("bob", 95), (ODD, 1)]))
    equal((board.score("cid"), board.place("cid"), board.around("cid", 1)), (None, None, []))
    board.remove("bob")
    board.trim(1)
    equal(board.top(-1), [("ann", 100)])

with scenario("leaderboard: a score below zero is an error, and counted all the same"):
    with raises(VerbError, "zincrby/points/dan", "counted"):
        board.add("dan", -7)
    equal(board.score("dan"), -7)

with scenario("limit: so many are allowed, and no more"):
    limit = verbs.limit("login:ann", 3, LONG)
    equal((limit.left().allowed, limit.left().left), (True, 3))
    equal([limit.allow(2), limit.allow(2), limit.allow(), limit.allow()], [True, False, True, False])

with scenario("limit: who is refused is told when to ask again"):
    equal((limit.left().allowed, limit.left().left, 0 < limit.left().wait <= 2 * LONG), (False, 0, True))

with scenario("lock: one has it at a time"):
    mine, others = verbs.lock("report", LONG), verbs.lock("report", LONG)
    equal((mine.acquire(), mine.acquire(), others.acquire()), (True, True, False))
    with raises(LockHeld, "report"), others:
        pass
    equal((mine.extend(LONG), others.release(), mine.release(), others.acquire()), (True, False, True, True))
    several = [verbs.lock("crawl", LONG, holders=2) for _ in range(3)]
    equal([lock.acquire() for lock in several], [True, True, False])

with scenario("lock: who has lost it is told so"):
    with raises(LockLost, "page"), verbs.lock("page", LONG) as lock:
        equal(lock.extend(-1), True)

with scenario("set: members are added and removed"):
    fruits = verbs.set("fruits")
    equal((len(fruits), "apple" in fruits, list(fruits)), (0, False, []))
    fruits.add("apple", "pear", "apple")
    fruits.add_for(LONG, "plum")
    fruits.remove("pear", "fig")
    equal((list(fruits), len(fruits), "apple" in fruits, "pear" in fruits), (["apple", "plum"], 2, True, False))

with scenario("set: a member that is new is told from one that was there"):
    equal((fruits.add_new("fig"), fruits.add_new("fig")), (True, False))

with scenario("set: the members that several sets have"):
    verbs.set("red").add("apple", "cherry")
    equal(fruits.common(verbs.set("red")), ["apple"])

with scenario("namespaces: a flush hides the keys of the namespace, and no others"):
    verbs.client.set("pages:1", "x", noreply=False)
    verbs.client.set("other:1", "x", noreply=False)
    verbs.flush("pages:")
    equal((verbs.client.get("pages:1"), verbs.client.get("other:1")), (None, "x"))
    with raises(VerbError, "nsflush/other:"):
        verbs.flush("other:")

with scenario("outage: a verb is an error while its server is down, and works again"):
    ask("stop the memcacheds")
    with raises(VerbError, "verb/sadd/fruits"):
        fruits.add("kiwi")
    ask("start the memcacheds")
    again(VerbError, lambda: fruits.add("kiwi"))

with scenario("outage: a verb is an error while memverbs is down, and works again"):
    ask("stop memverbs")
    with raises(VerbError, "verb/sadd/fruits", "no answer"):
        fruits.add("lime")
    ask("start memverbs")
    again(VerbError, lambda: fruits.add("lime"))

with scenario("outage: what a plain get is, and when the client tries again"):
    for name in "the memcacheds", "memverbs":
        verbs.client.set("kept", 1, noreply=False)
        ask("stop " + name)
        for _ in range(3):
            with raises(Exception):
                verbs.client.get("kept")
        ask("start " + name)
        verbs.client.get("kept")
    with raises(ValueError, "retry_attempts=0"):
        Verbs(HashClient([sys.argv[1]]))
    Verbs(HashClient([sys.argv[1]], retry_attempts=0)).check()
