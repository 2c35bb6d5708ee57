"""Without replies the client takes every change for a success. The reads afterwards show what became of them, and that no
reply was left on the connection."""
from session import check


def noreply(m):
    m.behaviors = {"_noreply": True}
    m.set("verb/rpush/pylibmc-quiet", "a b c", time=600)
    m.set("verb/lpush/pylibmc-quiet", "x y")
    m.set("verb/lrem/pylibmc-quiet/1", "b")
    m.set("verb/ltrim/pylibmc-quiet", "1 -1")
    m.set("verb/lrem/none/1", "b")
    m.set("verb/lrem/pylibmc-quiet/few", "b")
    m.set("verb/hset/pylibmc-quiet-table/name", "Alice", time=600)
    m.add("verb/hadd/pylibmc-quiet-table/name", "Bob")
    m.add("verb/hadd/pylibmc-quiet-table/hits", 41)
    m.incr("verb/hincr/pylibmc-quiet-table/hits")
    m.decr("verb/hdecr/pylibmc-quiet-table/none")
    m.set("verb/hset/pylibmc-quiet-table/old", "gone")
    m.delete("verb/hdel/pylibmc-quiet-table/old")
    m.delete("verb/hdel/pylibmc-quiet-table/none")
    m.set("verb/hset/pylibmc-quiet-table", "no field")
    m.set("verb/zadd/pylibmc-quiet-ranking", "5 alice 2 bob -1 carol", time=600)
    m.set("verb/zinc/pylibmc-quiet-ranking", "alice")
    m.incr("verb/zincrby/pylibmc-quiet-ranking/bob", 40)
    m.decr("verb/zincrby/pylibmc-quiet-ranking/carol", 2)
    m.incr("verb/zincrbyp/pylibmc-quiet-ranking/alice/3600", 1)
    m.delete("verb/zrem/pylibmc-quiet-ranking/bob")
    m.delete("verb/zrem/none/bob")
    m.set("verb/zadd/pylibmc-quiet-ranking", "no score")
    m.behaviors = {"_noreply": False}
    check(
        "get_multi of what was changed without replies",
        m.get_multi([
            "verb/lrange/pylibmc-quiet", "verb/hkeys/pylibmc-quiet-table", "verb/hget/pylibmc-quiet-table/name",
            "verb/hget/pylibmc-quiet-table/hits", "verb/zrange/pylibmc-quiet-ranking/0/-1/withscores",
        ]),
        {
            "verb/lrange/pylibmc-quiet": b"x a c", "verb/hkeys/pylibmc-quiet-table": b"name hits",
            "verb/hget/pylibmc-quiet-table/name": "Alice", "verb/hget/pylibmc-quiet-table/hits": 42,
            "verb/zrange/pylibmc-quiet-ranking/0/-1/withscores": b"carol -3 alice 7",
        },
    )
