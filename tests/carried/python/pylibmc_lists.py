from session import LONG_AGO, check


def lists(m):
    check("set verb/rpush/pylibmc-list 'a b c'", m.set("verb/rpush/pylibmc-list", "a b c", time=600), True)
    check("set verb/lpush/pylibmc-list 'x c y'", m.set("verb/lpush/pylibmc-list", "x c y"), True)
    check("get verb/lrange/pylibmc-list", m.get("verb/lrange/pylibmc-list"), b"y c x a b c")
    check("get verb/lrange/pylibmc-list/1/-3", m.get("verb/lrange/pylibmc-list/1/-3"), b"c x a")
    check("get verb/llen/pylibmc-list", m.get("verb/llen/pylibmc-list"), b"6")
    check("set verb/lrem/pylibmc-list/-1 'c'", m.set("verb/lrem/pylibmc-list/-1", "c"), True)
    check("get verb/lrange/pylibmc-list", m.get("verb/lrange/pylibmc-list"), b"y c x a b")
    check("set verb/ltrim/pylibmc-list '1 -2'", m.set("verb/ltrim/pylibmc-list", "1 -2"), True)
    check("get verb/lrange/pylibmc-list", m.get("verb/lrange/pylibmc-list"), b"c x a")

    check("get verb/lpop/pylibmc-list", m.get("verb/lpop/pylibmc-list"), b"c")
    check("get verb/rpop/pylibmc-list/5", m.get("verb/rpop/pylibmc-list/5"), b"a x")
    check("get verb/lpop/pylibmc-list, which is empty now", m.get("verb/lpop/pylibmc-list"), None)
    check("get verb/llen/pylibmc-list", m.get("verb/llen/pylibmc-list"), None)

    check("set verb/lrem/none/0", m.set("verb/lrem/none/0", "a"), False)
    check("set verb/ltrim/none", m.set("verb/ltrim/none", "0 1"), False)
    check("get verb/lrange/none", m.get("verb/lrange/none"), None)
    check("get verb/lpop/none", m.get("verb/lpop/none"), None)

    check("set verb/rpush/pylibmc-list 'b', long ago", m.set("verb/rpush/pylibmc-list", "b", time=LONG_AGO), True)
    check("get verb/lrange/pylibmc-list, which was made anew", m.get("verb/lrange/pylibmc-list"), None)
    check("set verb/rpush/pylibmc-list 'b'", m.set("verb/rpush/pylibmc-list", "b", time=600), True)
    # An exptime is that of a list which the push creates, not of one that is there.
    check("set verb/rpush/pylibmc-list 'a', long ago", m.set("verb/rpush/pylibmc-list", "a", time=LONG_AGO), True)
    check("get verb/lrange/pylibmc-list", m.get("verb/lrange/pylibmc-list"), b"b a")
    check("set verb/lpush/pylibmc-old 'a', long ago", m.set("verb/lpush/pylibmc-old", "a", time=LONG_AGO), True)
    check("get verb/lrange/pylibmc-old", m.get("verb/lrange/pylibmc-old"), None)
    check("touch pylibmc-list", m.touch("pylibmc-list", 600), True)
    check("delete pylibmc-list", m.delete("pylibmc-list"), True)
    check("get verb/llen/pylibmc-list", m.get("verb/llen/pylibmc-list"), None)
