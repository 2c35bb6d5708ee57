import pylibmc
from session import LONG_AGO, check, listed


def tables(m):
    fill(m)
    count(m)
    show(m)
    whole(m)


def fill(m):
    # The client shows nobody the flags of a value. It keeps the type there, so what comes back has the type that was stored.
    check("set verb/hset/pylibmc-table/name 'Alice'", m.set("verb/hset/pylibmc-table/name", "Alice", time=600), True)
    check("set verb/hset/pylibmc-table/bytes", m.set("verb/hset/pylibmc-table/bytes", b"\0\r\n\xff "), True)
    check("set verb/hset/pylibmc-table/tags", m.set("verb/hset/pylibmc-table/tags", {"a": (1, None)}), True)
    check("set verb/hset/pylibmc-table/hits 41", m.set("verb/hset/pylibmc-table/hits", 41), True)
    check("set verb/hset/pylibmc-table/old 'gone', long ago", m.set("verb/hset/pylibmc-table/old", "gone", time=LONG_AGO), True)
    check("add verb/hadd/pylibmc-table/name 'Bob'", m.add("verb/hadd/pylibmc-table/name", "Bob"), False)
    check("add verb/hadd/pylibmc-table/city b''", m.add("verb/hadd/pylibmc-table/city", b"", time=600), True)

    check("get verb/hget/pylibmc-table/name", m.get("verb/hget/pylibmc-table/name"), "Alice")
    check("get verb/hget/pylibmc-table/bytes", m.get("verb/hget/pylibmc-table/bytes"), b"\0\r\n\xff ")
    check("get verb/hget/pylibmc-table/tags", m.get("verb/hget/pylibmc-table/tags"), {"a": (1, None)})
    check("get verb/hget/pylibmc-table/hits", m.get("verb/hget/pylibmc-table/hits"), 41)
    check("get verb/hget/pylibmc-table/city", m.get("verb/hget/pylibmc-table/city"), b"")
    check("get verb/hget/pylibmc-table/old", m.get("verb/hget/pylibmc-table/old"), None)
    check("get verb/hexists/pylibmc-table/name", m.get("verb/hexists/pylibmc-table/name"), b"1")
    check("get verb/hexists/pylibmc-table/old", m.get("verb/hexists/pylibmc-table/old"), b"0")


def count(m):
    check("incr verb/hincr/pylibmc-table/hits", m.incr("verb/hincr/pylibmc-table/hits"), 42)
    check("decr verb/hdecr/pylibmc-table/hits by 50", m.decr("verb/hdecr/pylibmc-table/hits", 50), 0)
    check("incr verb/hincr/pylibmc-table/hits by 7", m.incr("verb/hincr/pylibmc-table/hits", 7), 7)
    check("get verb/hget/pylibmc-table/hits", m.get("verb/hget/pylibmc-table/hits"), 7)
    try:
        missed = m.incr("verb/hincr/pylibmc-table/none")
    except pylibmc.NotFound:
        missed = "not found"
    check("incr verb/hincr/pylibmc-table/none", missed, "not found")


def show(m):
    check("delete verb/hdel/pylibmc-table/tags", m.delete("verb/hdel/pylibmc-table/tags"), True)
    check("delete verb/hdel/pylibmc-table/tags", m.delete("verb/hdel/pylibmc-table/tags"), False)
    check("get verb/hkeys/pylibmc-table", m.get("verb/hkeys/pylibmc-table"), b"name bytes hits city")
    check("get verb/hlen/pylibmc-table", m.get("verb/hlen/pylibmc-table"), b"4")
    # 16 and 4 are the client's flags of strings and integers. The number has its old length, since memcached keeps it
    # when it counts down.
    check(
        "get verb/hgetall/pylibmc-table",
        listed(m.get("verb/hgetall/pylibmc-table")),
        [(b"name", 16, b"Alice"), (b"bytes", 0, b"\0\r\n\xff "), (b"hits", 4, b"7 "), (b"city", 0, b"")],
    )


def whole(m):
    # A plain command on the key concerns the whole table.
    check("touch pylibmc-table", m.touch("pylibmc-table", 600), True)
    check("get verb/hlen/pylibmc-table", m.get("verb/hlen/pylibmc-table"), b"4")
    check("touch pylibmc-table, long ago", m.touch("pylibmc-table", LONG_AGO), True)
    check("get verb/hget/pylibmc-table/name", m.get("verb/hget/pylibmc-table/name"), None)
    check("set verb/hset/pylibmc-table/name 'Carol'", m.set("verb/hset/pylibmc-table/name", "Carol"), True)
    check("get verb/hkeys/pylibmc-table", m.get("verb/hkeys/pylibmc-table"), b"name")
    check("delete pylibmc-table", m.delete("pylibmc-table"), True)
    check("get verb/hgetall/pylibmc-table", m.get("verb/hgetall/pylibmc-table"), None)
    check("get verb/hlen/pylibmc-table", m.get("verb/hlen/pylibmc-table"), None)
    check("get verb/hexists/pylibmc-table/name", m.get("verb/hexists/pylibmc-table/name"), None)
