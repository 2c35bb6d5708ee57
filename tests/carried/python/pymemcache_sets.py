from pymemcache.exceptions import MemcacheClientError
from session import check


def sets(m):
    check("set verb/sadd/pymemcache 'apple pear plum'", m.set("verb/sadd/pymemcache", "apple pear plum", expire=600), True)
    check("set verb/srem/pymemcache 'pear', noreply", m.set("verb/srem/pymemcache", "pear", noreply=True), True)
    check("get verb/smembers/pymemcache", m.get("verb/smembers/pymemcache"), b"apple plum")
    check(
        "get_many of three verbs and a key",
        m.get_many(["verb/scard/pymemcache", "verb/sismember/pymemcache/apple", "verb/sismember/pymemcache/pear", "none"]),
        {"verb/scard/pymemcache": b"2", "verb/sismember/pymemcache/apple": b"1", "verb/sismember/pymemcache/pear": b"0"},
    )
    check("gets has the CAS id of the set's item", m.gets("verb/smembers/pymemcache")[1], m.gets("pymemcache")[1])
    check("set verb/srem/none", m.set("verb/srem/none", "a"), False)
    check("get verb/smembers/none", m.get("verb/smembers/none"), None)
    check("add verb/saddnew/pymemcache-seen 'a'", m.add("verb/saddnew/pymemcache-seen", "a", expire=600), True)
    check("add verb/saddnew/pymemcache-seen 'a' again", m.add("verb/saddnew/pymemcache-seen", "a"), False)
    check("set verb/schange/pymemcache-seen '-a +plum +fig'", m.set("verb/schange/pymemcache-seen", "-a +plum +fig"), True)
    check("set verb/saddp/pymemcache-seen/600 'kiwi'", m.set("verb/saddp/pymemcache-seen/600", "kiwi"), True)
    check("get verb/sismember/pymemcache-seen/kiwi", m.get("verb/sismember/pymemcache-seen/kiwi"), b"1")
    check("set verb/schange/pymemcache-seen '-kiwi'", m.set("verb/schange/pymemcache-seen", "-kiwi"), True)
    check("set verb/schange/none '-a'", m.set("verb/schange/none", "-a"), False)
    check(
        "get_many of sums",
        m.get_many(["verb/sinter/pymemcache/pymemcache-seen", "verb/sunion/pymemcache/none/pymemcache-seen", "verb/sdiff/pymemcache/pymemcache-seen"]),
        {"verb/sinter/pymemcache/pymemcache-seen": b"plum", "verb/sunion/pymemcache/none/pymemcache-seen": b"apple plum fig",
         "verb/sdiff/pymemcache/pymemcache-seen": b"apple"},
    )
    check("get verb/srandmember/pymemcache-seen/2", sorted(m.get("verb/srandmember/pymemcache-seen/2").split()), [b"fig", b"plum"])
    check("get verb/spop/pymemcache-seen/9", sorted(m.get("verb/spop/pymemcache-seen/9").split()), [b"fig", b"plum"])
    check("get verb/spop/pymemcache-seen", m.get("verb/spop/pymemcache-seen"), None)
    try:
        refused = m.set("verb/scard/pymemcache", "1")
    except MemcacheClientError as e:
        refused = str(e)
    check("set verb/scard/pymemcache", "scard is carried by get" in refused, True)
