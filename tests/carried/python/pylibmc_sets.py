from session import check


def sets(m):
    check("set verb/sadd/pylibmc 'apple pear plum'", m.set("verb/sadd/pylibmc", "apple pear plum", time=600), True)
    check("set verb/srem/pylibmc 'pear'", m.set("verb/srem/pylibmc", "pear"), True)
    check("get verb/smembers/pylibmc", m.get("verb/smembers/pylibmc"), b"apple plum")
    check("get verb/scard/pylibmc", m.get("verb/scard/pylibmc"), b"2")
    check(
        "get_multi of two verbs and a key",
        m.get_multi(["verb/sismember/pylibmc/apple", "verb/sismember/pylibmc/pear", "none"]),
        {"verb/sismember/pylibmc/apple": b"1", "verb/sismember/pylibmc/pear": b"0"},
    )
    check("set verb/srem/none", m.set("verb/srem/none", "a"), False)
    check("get verb/smembers/none", m.get("verb/smembers/none"), None)
    check("add verb/saddnew/pylibmc-seen 'a'", m.add("verb/saddnew/pylibmc-seen", "a", time=600), True)
    check("add verb/saddnew/pylibmc-seen 'a' again", m.add("verb/saddnew/pylibmc-seen", "a"), False)
    check("set verb/schange/pylibmc-seen '-a +plum'", m.set("verb/schange/pylibmc-seen", "-a +plum"), True)
    check("set verb/saddp/pylibmc-seen/600 'kiwi'", m.set("verb/saddp/pylibmc-seen/600", "kiwi"), True)
    check("get verb/sismember/pylibmc-seen/kiwi", m.get("verb/sismember/pylibmc-seen/kiwi"), b"1")
    check("set verb/schange/pylibmc-seen '-kiwi'", m.set("verb/schange/pylibmc-seen", "-kiwi"), True)
    check("get verb/sinter/pylibmc/pylibmc-seen", m.get("verb/sinter/pylibmc/pylibmc-seen"), b"plum")
    check("get verb/sdiff/pylibmc/pylibmc-seen", m.get("verb/sdiff/pylibmc/pylibmc-seen"), b"apple")
