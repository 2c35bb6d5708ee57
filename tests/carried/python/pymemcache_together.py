"""One get_many for plain keys, a set, a list, a table and a ranking."""
from session import check, listed


def together(m):
    plain, queue, name = "pymemcache-plain", "verb/rpush/pymemcache-queue", "verb/hset/pymemcache-user/name"
    check("set_many", m.set_many({plain: "as it is", queue: "a b c", name: "Alice", "verb/hset/pymemcache-user/age": "30"}), [])
    check("set verb/zadd/pymemcache-points '7 bob 9 alice'", m.set("verb/zadd/pymemcache-points", "7 bob 9 alice"), True)
    check(
        "get_many of everything",
        m.get_many([
            plain, "verb/lrange/pymemcache-queue/0/1", "verb/hget/pymemcache-user/age", "none", "verb/llen/pymemcache-queue",
            "verb/hget/pymemcache-user/none", "verb/hkeys/pymemcache-user", "verb/lrange/none",
            "verb/hexists/pymemcache-user/name", "verb/scard/pymemcache", "verb/hlen/none",
            "verb/zrevrange/pymemcache-points/0/1/withscores", "verb/zget/pymemcache-points/bob",
            "verb/zrank/pymemcache-points/none", "verb/zcard/pymemcache-points",
        ]),
        {
            plain: b"as it is", "verb/lrange/pymemcache-queue/0/1": b"a b", "verb/hget/pymemcache-user/age": b"30",
            "verb/llen/pymemcache-queue": b"3", "verb/hkeys/pymemcache-user": b"name age",
            "verb/hexists/pymemcache-user/name": b"1", "verb/scard/pymemcache": b"2",
            "verb/zrevrange/pymemcache-points/0/1/withscores": b"alice 9", "verb/zget/pymemcache-points/bob": b"7",
            "verb/zcard/pymemcache-points": b"2",
        },
    )
    got = m.get_many(["verb/lpop/pymemcache-queue", "verb/hgetall/pymemcache-user", plain])
    check(
        "get_many that takes an element",
        (got["verb/lpop/pymemcache-queue"], listed(got["verb/hgetall/pymemcache-user"]), got[plain]),
        (b"a", [(b"name", 0, b"Alice"), (b"age", 0, b"30")], b"as it is"),
    )
    got = m.gets_many(["verb/lrange/pymemcache-queue", "pymemcache-queue", plain])
    check("gets_many", (got["verb/lrange/pymemcache-queue"][0], got[plain][0]), (b"b c", b"as it is"))
    check("its CAS id of the list's item", got["verb/lrange/pymemcache-queue"][1], got["pymemcache-queue"][1])
    got = m.gets_many(["verb/zget/pymemcache-points/bob", "pymemcache-points"])
    check("its CAS id of the ranking's item", got["verb/zget/pymemcache-points/bob"][1], got["pymemcache-points"][1])
    gone = [plain, "verb/hdel/pymemcache-user/name", "verb/hdel/pymemcache-user/none", "verb/zrem/pymemcache-points/bob"]
    check("delete_many", m.delete_many(gone), True)
    check(
        "get_many",
        m.get_many([plain, "verb/hkeys/pymemcache-user", "verb/zget/pymemcache-points/bob"]),
        {"verb/hkeys/pymemcache-user": b"age", "verb/zget/pymemcache-points/bob": b"null"},
    )
