"""The client shows the flags of a value to its serde only: here to its own that pickles, and to one that returns them."""
from pymemcache.client.base import Client
from pymemcache.serde import pickle_serde
from session import check, listed


class WithFlags:
    def serialize(self, key, value):
        return value, 0

    def deserialize(self, key, value, flags):
        return value, flags


def flags(server):
    m = Client(server, default_noreply=False, serde=pickle_serde)
    check("set verb/hset/pymemcache-flags/tags, pickled", m.set("verb/hset/pymemcache-flags/tags", {"a": (1, None)}), True)
    check("set verb/hset/pymemcache-flags/hits 41", m.set("verb/hset/pymemcache-flags/hits", 41), True)
    check("get verb/hget/pymemcache-flags/tags", m.get("verb/hget/pymemcache-flags/tags"), {"a": (1, None)})
    check("incr verb/hincr/pymemcache-flags/hits by 1", m.incr("verb/hincr/pymemcache-flags/hits", 1), 42)
    check("get verb/hget/pymemcache-flags/hits", m.get("verb/hget/pymemcache-flags/hits"), 42)
    rows = listed(m.get("verb/hgetall/pymemcache-flags"))
    check("flags in verb/hgetall/pymemcache-flags", [row[:2] for row in rows], [(b"tags", 1), (b"hits", 2)])

    m = Client(server, default_noreply=False, serde=WithFlags())
    check("set verb/hset/pymemcache-flags/hits '1', flags 9", m.set("verb/hset/pymemcache-flags/hits", "1", flags=9), True)
    check(
        "get_many with flags",
        m.get_many(["verb/hget/pymemcache-flags/hits", "verb/hkeys/pymemcache-flags"]),
        {"verb/hget/pymemcache-flags/hits": (b"1", 9), "verb/hkeys/pymemcache-flags": (b"tags hits", 0)},
    )
