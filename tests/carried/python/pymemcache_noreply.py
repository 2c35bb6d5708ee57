"""Without replies the client takes every change for a success. The reads afterwards show what became of them, and that no
reply was left on the connection."""
from session import LONG_AGO, check


def noreply(m):
    m.set("verb/rpush/pymemcache-quiet", "a b c", expire=600, noreply=True)
    m.set("verb/lpush/pymemcache-quiet", "x y", noreply=True)
    m.set("verb/lrem/pymemcache-quiet/1", "b", noreply=True)
    m.set("verb/ltrim/pymemcache-quiet", "1 -1", noreply=True)
    m.set("verb/lrem/none/1", "b", noreply=True)
    m.set("verb/lrem/pymemcache-quiet/few", "b", noreply=True)
    m.set("verb/hset/pymemcache-quiet-table/name", "Alice", expire=600, noreply=True, flags=7)
    m.add("verb/hadd/pymemcache-quiet-table/name", "Bob", noreply=True)
    m.add("verb/hadd/pymemcache-quiet-table/hits", "41", noreply=True)
    m.incr("verb/hincr/pymemcache-quiet-table/hits", 1, noreply=True)
    m.decr("verb/hdecr/pymemcache-quiet-table/none", 1, noreply=True)
    m.set("verb/hset/pymemcache-quiet-table/old", "gone", noreply=True)
    m.delete("verb/hdel/pymemcache-quiet-table/old", noreply=True)
    m.delete("verb/hdel/pymemcache-quiet-table/none", noreply=True)
    m.set("verb/hset/pymemcache-quiet-table", "no field", noreply=True)
    m.set("verb/zadd/pymemcache-quiet-ranking", "5 alice 2 bob -1 carol", expire=600, noreply=True)
    m.set("verb/zinc/pymemcache-quiet-ranking", "alice", noreply=True)
    m.incr("verb/zincrby/pymemcache-quiet-ranking/bob", 40, noreply=True)
    m.decr("verb/zincrby/pymemcache-quiet-ranking/carol", 2, noreply=True)
    m.incr("verb/zincrbyp/pymemcache-quiet-ranking/alice/3600", 1, noreply=True)
    m.delete("verb/zrem/pymemcache-quiet-ranking/bob", noreply=True)
    m.delete("verb/zrem/none/bob", noreply=True)
    m.set("verb/zadd/pymemcache-quiet-ranking", "no score", noreply=True)
    check(
        "get_many of what was changed without replies",
        m.get_many([
            "verb/lrange/pymemcache-quiet", "verb/hkeys/pymemcache-quiet-table", "verb/hget/pymemcache-quiet-table/name",
            "verb/hget/pymemcache-quiet-table/hits", "verb/zrange/pymemcache-quiet-ranking/0/-1/withscores",
        ]),
        {
            "verb/lrange/pymemcache-quiet": b"x a c", "verb/hkeys/pymemcache-quiet-table": b"name hits",
            "verb/hget/pymemcache-quiet-table/name": b"Alice", "verb/hget/pymemcache-quiet-table/hits": b"42",
            "verb/zrange/pymemcache-quiet-ranking/0/-1/withscores": b"carol -3 alice 7",
        },
    )
    m.touch("pymemcache-quiet-table", LONG_AGO, noreply=True)
    m.delete("pymemcache-quiet", noreply=True)
    check("get_many afterwards", m.get_many(["verb/hlen/pymemcache-quiet-table", "verb/llen/pymemcache-quiet"]), {})
