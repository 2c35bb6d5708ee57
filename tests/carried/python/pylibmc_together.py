"""One get_multi for plain keys, a set, a list, a table and a ranking."""
from session import check, listed


def together(m):
    plain, queue, name, age = "pylibmc-plain", "verb/rpush/pylibmc-queue", "verb/hset/pylibmc-user/name", "verb/hset/pylibmc-user/age"
    check("set_multi", m.set_multi({plain: b"as it is", queue: "a b c", name: b"Alice", age: 30}), [])
    check("set verb/zadd/pylibmc-points '7 bob 9 alice'", m.set("verb/zadd/pylibmc-points", "7 bob 9 alice"), True)
    check(
        "get_multi of everything",
        m.get_multi([
            plain, "verb/lrange/pylibmc-queue/0/1", "verb/hget/pylibmc-user/age", "none", "verb/llen/pylibmc-queue",
            "verb/hget/pylibmc-user/none", "verb/hkeys/pylibmc-user", "verb/lrange/none", "verb/hexists/pylibmc-user/name",
            "verb/scard/pylibmc", "verb/hlen/none", "verb/zrevrange/pylibmc-points/0/1/withscores", "verb/zget/pylibmc-points/bob",
            "verb/zrank/pylibmc-points/none", "verb/zcard/pylibmc-points",
        ]),
        {
            plain: b"as it is", "verb/lrange/pylibmc-queue/0/1": b"a b", "verb/hget/pylibmc-user/age": 30,
            "verb/llen/pylibmc-queue": b"3", "verb/hkeys/pylibmc-user": b"name age", "verb/hexists/pylibmc-user/name": b"1",
            "verb/scard/pylibmc": b"2", "verb/zrevrange/pylibmc-points/0/1/withscores": b"alice 9", "verb/zget/pylibmc-points/bob": b"7",
            "verb/zcard/pylibmc-points": b"2",
        },
    )
    got = m.get_multi(["verb/lpop/pylibmc-queue", "verb/hgetall/pylibmc-user", plain])
    check(
        "get_multi that takes an element",
        (got["verb/lpop/pylibmc-queue"], listed(got["verb/hgetall/pylibmc-user"]), got[plain]),
        (b"a", [(b"name", 0, b"Alice"), (b"age", 4, b"30")], b"as it is"),
    )
    check("incr_multi", m.incr_multi(["verb/hincr/pylibmc-user/age", "verb/zincrby/pylibmc-points/bob"], delta=5), None)
    check("delete_multi", m.delete_multi([plain, "verb/hdel/pylibmc-user/name", "verb/zrem/pylibmc-points/alice"]), True)
    check(
        "get_multi",
        m.get_multi([
            plain, "verb/lrange/pylibmc-queue", "verb/hget/pylibmc-user/age", "verb/hkeys/pylibmc-user",
            "verb/zrange/pylibmc-points/0/-1/withscores",
        ]),
        {
            "verb/lrange/pylibmc-queue": b"b c", "verb/hget/pylibmc-user/age": 35, "verb/hkeys/pylibmc-user": b"age",
            "verb/zrange/pylibmc-points/0/-1/withscores": b"bob 12",
        },
    )
