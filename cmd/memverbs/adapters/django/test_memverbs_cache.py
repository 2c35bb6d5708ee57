"""Proves memverbs_cache.py: python3 test_memverbs_cache.py MEMVERBS MEMCACHED, both as HOST:PORT; it says each scenario that holds."""

import pathlib
import sys
import time
from contextlib import contextmanager

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

import djangos_tests
from django.conf import settings

BACKEND = {"BACKEND": "memverbs_cache.MemverbsCache", "KEY_PREFIX": "site"}
settings.configure(
    CACHES={
        "default": {**BACKEND, "LOCATION": sys.argv[1]},
        "v2": {**BACKEND, "LOCATION": sys.argv[1], "VERSION": 2},
        "plain": {**BACKEND, "LOCATION": sys.argv[2]},
        "own tests": {**BACKEND, "BACKEND": djangos_tests.BACKEND, "LOCATION": sys.argv[1]},
    },
    **djangos_tests.SETTINGS,
)

from django.core.cache import InvalidCacheKey, cache, caches

from memverbs import LockHeld, VerbError

LONG = 3600  # seconds: longer than any test
MONTHS = 90 * 24 * LONG  # Django sends it as a point in time


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


v2 = caches["v2"]
cache.verbs.check()

with scenario("errors: a server that takes verbs for keys is found out"):
    with raises(VerbError, "--verb-keys verb/"):
        caches["plain"].verbs.check()

with scenario("Django: values and keys of all kinds are stored and read"):
    for value in "Ä 日", b"\x00\r\n", 0, 42, 1.5, True, None, [1, {"a": (2,)}], "x" * 100_000:
        cache.set("Schlüssel", value, LONG)
        equal(cache.get("Schlüssel"), value)
    equal((cache.get("none"), cache.get("none", "default"), cache.has_key("none"), "none" in cache), (None, "default", False, False))
    for key in "with space", "k" * 251:
        with raises(InvalidCacheKey):
            cache.set(key, 1)

with scenario("Django: add, get_or_set, touch, delete and times"):
    equal((cache.add("add", 1), cache.add("add", 2), cache.get("add")), (True, False, 1))
    equal((cache.get_or_set("made", lambda: 5, LONG), cache.get_or_set("made", 6)), (5, 5))
    equal((cache.delete("add"), cache.delete("add"), cache.get("add")), (True, False, None))
    for timeout, kept in (LONG, 1), (MONTHS, 1), (None, 1), (0, None), (-1, None):
        cache.set("timed", 1, timeout)
        equal(cache.get("timed"), kept)
    cache.set("timed", 1, LONG)
    equal((cache.touch("timed", MONTHS), cache.get("timed"), cache.touch("timed", 0), cache.get("timed")), (True, 1, True, None))
    equal(cache.touch("timed", LONG), False)

with scenario("Django: several keys at once"):
    equal(cache.set_many({"a": 1, "b": [2]}, LONG), [])
    equal(cache.get_many(["a", "b", "c"]), {"a": 1, "b": [2]})
    cache.delete_many(["a", "c"])
    equal(cache.get_many(["a", "b"]), {"b": [2]})

with scenario("Django: incr and decr"):
    cache.set("n", 41)
    equal((cache.incr("n"), cache.incr("n", 10), cache.incr("n", -2), cache.decr("n"), cache.decr("n", 9), cache.get("n")), (42, 52, 50, 49, 40, 40))
    for change in cache.incr, cache.decr:
        with raises(ValueError, "none"):
            change("none")

with scenario("Django: versions are apart, and a value can be moved to another"):
    cache.set("version", "one")
    v2.set("version", "two")
    equal((cache.get("version"), v2.get("version"), cache.get("version", version=2)), ("one", "two", "two"))
    equal((v2.incr_version("version"), v2.get("version"), v2.get("version", version=3)), (3, None, "two"))
    equal((v2.decr_version("version", version=3), v2.get("version")), (2, "two"))

with scenario("Django: clear empties one version, and leaves the others and what is not the cache's"):
    cache.verbs.client.set("other", "x")
    cache.clear()
    equal((cache.get("version"), v2.get("version"), cache.verbs.client.get("other")), (None, "two", "x"))
    cache.set("version", "new")
    cache.clear(version=2)
    equal((cache.get("version"), v2.get("version")), ("new", None))

with scenario("Django: delete_prefix deletes a family of keys"):
    families = caches["default"].__class__(sys.argv[1], {"KEY_PREFIX": "shelf"})
    families.set_many({"page:1": 1, "page:2": 2, "user:1": 3})
    families.delete_prefix("page:")
    equal(families.get_many(["page:1", "page:2", "user:1"]), {"user:1": 3})
    with raises(VerbError, "nsflush/shelf:1:user:"):
        families.delete_prefix("user:")

with scenario("Django: a lock and a limit of the cache"):
    with cache.lock("report for ann/7", LONG):
        with raises(LockHeld), cache.lock("report for ann/7", LONG):
            pass
        with v2.lock("report for ann/7", LONG):  # another lock
            pass
    with cache.lock("report for ann/7", LONG):
        pass
    equal([cache.allow("login of ann", 2, LONG) for _ in range(3)], [True, True, False])

with scenario("Django: the cache goes on after its connections were closed"):
    cache.set("kept", 1)
    cache.close()
    equal(cache.get("kept"), 1)

with scenario("Django: its own tests of the backend over pymemcache"):
    equal(djangos_tests.run(), (50, True, []))

with scenario("Django: during an outage all is an error, and works again"):
    for name in "the memcacheds", "memverbs":
        ask("stop " + name)
        for _ in range(3):  # as pymemcache counts its attempts
            for do in lambda: cache.get("kept"), lambda: cache.set("kept", 1), lambda: cache.delete("kept"):
                with raises(Exception):
                    do()
            for do in lambda: cache.lock("report", LONG).acquire(), lambda: cache.allow("login", 2, LONG):
                with raises(VerbError):
                    do()
        ask("start " + name)
        again(Exception, lambda: cache.set("kept", 1))
        again(Exception, lambda: cache.set("other", 1))
        equal(cache.get("kept"), 1)
