from pymemcache.exceptions import MemcacheClientError
from session import LONG_AGO, check, listed


def tables(m):
    fill(m)
    cas(m)
    count(m)
    show(m)
    whole(m)


def fill(m):
    check("set verb/hset/pymemcache-table/name 'Alice'", m.set("verb/hset/pymemcache-table/name", "Alice", expire=600, flags=7), True)
    check("set verb/hset/pymemcache-table/bytes", m.set("verb/hset/pymemcache-table/bytes", b"\0\r\n\xff ", flags=0xFFFFFFFF), True)
    check("set verb/hset/pymemcache-table/tags", m.set("verb/hset/pymemcache-table/tags", "a b"), True)
    check("set verb/hset/pymemcache-table/hits '41'", m.set("verb/hset/pymemcache-table/hits", "41"), True)
    check("set verb/hset/pymemcache-table/old, long ago", m.set("verb/hset/pymemcache-table/old", "gone", expire=LONG_AGO), True)
    check("add verb/hadd/pymemcache-table/name 'Bob'", m.add("verb/hadd/pymemcache-table/name", "Bob"), False)
    check("add verb/hadd/pymemcache-table/city ''", m.add("verb/hadd/pymemcache-table/city", "", expire=600, flags=8), True)

    check("get verb/hget/pymemcache-table/name", m.get("verb/hget/pymemcache-table/name"), b"Alice")
    check("get verb/hget/pymemcache-table/bytes", m.get("verb/hget/pymemcache-table/bytes"), b"\0\r\n\xff ")
    check("get verb/hget/pymemcache-table/city", m.get("verb/hget/pymemcache-table/city"), b"")
    check("get verb/hget/pymemcache-table/old", m.get("verb/hget/pymemcache-table/old"), None)
    check("get verb/hexists/pymemcache-table/name", m.get("verb/hexists/pymemcache-table/name"), b"1")
    check("get verb/hexists/pymemcache-table/old", m.get("verb/hexists/pymemcache-table/old"), b"0")


def cas(m):
    name, first = m.gets("verb/hget/pymemcache-table/name")
    check("gets verb/hget/pymemcache-table/name", name, b"Alice")
    check("set verb/hset/pymemcache-table/name", m.set("verb/hset/pymemcache-table/name", "Alice", expire=600, flags=7), True)
    check("gets has another CAS id", m.gets("verb/hget/pymemcache-table/name")[1] not in (first, b"0"), True)


def count(m):
    check("incr verb/hincr/pymemcache-table/hits by 1", m.incr("verb/hincr/pymemcache-table/hits", 1), 42)
    check("decr verb/hdecr/pymemcache-table/hits by 50", m.decr("verb/hdecr/pymemcache-table/hits", 50), 0)
    check("incr verb/hincr/pymemcache-table/hits by 7", m.incr("verb/hincr/pymemcache-table/hits", 7), 7)
    check("incr verb/hincr/pymemcache-table/none by 1", m.incr("verb/hincr/pymemcache-table/none", 1), None)
    try:
        refused = m.incr("verb/hincr/pymemcache-table/name", 1)
    except MemcacheClientError as e:
        refused = str(e)
    check("incr verb/hincr/pymemcache-table/name by 1", "non-numeric" in str(refused), True)


def show(m):
    check("delete verb/hdel/pymemcache-table/tags", m.delete("verb/hdel/pymemcache-table/tags"), True)
    check("delete verb/hdel/pymemcache-table/tags", m.delete("verb/hdel/pymemcache-table/tags"), False)
    check("get verb/hkeys/pymemcache-table", m.get("verb/hkeys/pymemcache-table"), b"name bytes hits city")
    check("get verb/hlen/pymemcache-table", m.get("verb/hlen/pymemcache-table"), b"4")
    # The number has its old length, since memcached keeps it when it counts down.
    check(
        "get verb/hgetall/pymemcache-table",
        listed(m.get("verb/hgetall/pymemcache-table")),
        [(b"name", 7, b"Alice"), (b"bytes", 0xFFFFFFFF, b"\0\r\n\xff "), (b"hits", 0, b"7 "), (b"city", 8, b"")],
    )


def whole(m):
    # A plain command on the key concerns the whole table.
    check("touch pymemcache-table", m.touch("pymemcache-table", 600), True)
    check("get verb/hlen/pymemcache-table", m.get("verb/hlen/pymemcache-table"), b"4")
    check("touch pymemcache-table, long ago", m.touch("pymemcache-table", LONG_AGO), True)
    check("get verb/hget/pymemcache-table/name", m.get("verb/hget/pymemcache-table/name"), None)
    check("set verb/hset/pymemcache-table/name 'Carol'", m.set("verb/hset/pymemcache-table/name", "Carol"), True)
    check("get verb/hkeys/pymemcache-table", m.get("verb/hkeys/pymemcache-table"), b"name")
    check("delete pymemcache-table", m.delete("pymemcache-table"), True)
    check("get verb/hgetall/pymemcache-table", m.get("verb/hgetall/pymemcache-table"), None)
    check("get verb/hlen/pymemcache-table", m.get("verb/hlen/pymemcache-table"), None)
    check("get verb/hexists/pymemcache-table/name", m.get("verb/hexists/pymemcache-table/name"), None)
