from session import LONG_AGO, check


def lists(m):
    check("set verb/rpush/pymemcache-list 'a b c'", m.set("verb/rpush/pymemcache-list", "a b c", expire=600), True)
    check("set verb/lpush/pymemcache-list 'x c y'", m.set("verb/lpush/pymemcache-list", "x c y"), True)
    check("get verb/lrange/pymemcache-list", m.get("verb/lrange/pymemcache-list"), b"y c x a b c")
    check("get verb/lrange/pymemcache-list/1/-3", m.get("verb/lrange/pymemcache-list/1/-3"), b"c x a")
    check("get verb/llen/pymemcache-list", m.get("verb/llen/pymemcache-list"), b"6")
    check("set verb/lrem/pymemcache-list/-1 'c'", m.set("verb/lrem/pymemcache-list/-1", "c"), True)
    check("get verb/lrange/pymemcache-list", m.get("verb/lrange/pymemcache-list"), b"y c x a b")
    check("set verb/ltrim/pymemcache-list '1 -2'", m.set("verb/ltrim/pymemcache-list", "1 -2"), True)
    check("get verb/lrange/pymemcache-list", m.get("verb/lrange/pymemcache-list"), b"c x a")

    check("get verb/lpop/pymemcache-list", m.get("verb/lpop/pymemcache-list"), b"c")
    check("get verb/rpop/pymemcache-list/5", m.get("verb/rpop/pymemcache-list/5"), b"a x")
    check("get verb/lpop/pymemcache-list, which is empty now", m.get("verb/lpop/pymemcache-list"), None)
    check("get verb/llen/pymemcache-list", m.get("verb/llen/pymemcache-list"), None)

    check("set verb/lrem/none/0", m.set("verb/lrem/none/0", "a"), False)
    check("set verb/ltrim/none", m.set("verb/ltrim/none", "0 1"), False)
    check("get verb/lrange/none", m.get("verb/lrange/none"), None)
    check("get verb/lpop/none", m.get("verb/lpop/none"), None)

    check("set verb/rpush/pymemcache-list 'b', long ago", m.set("verb/rpush/pymemcache-list", "b", expire=LONG_AGO), True)
    check("get verb/lrange/pymemcache-list, which was made anew", m.get("verb/lrange/pymemcache-list"), None)
    check("set verb/rpush/pymemcache-list 'b'", m.set("verb/rpush/pymemcache-list", "b", expire=600), True)
    # An exptime is that of a list which the push creates, not of one that is there.
    check("set verb/rpush/pymemcache-list 'a', long ago", m.set("verb/rpush/pymemcache-list", "a", expire=LONG_AGO), True)
    check("get verb/lrange/pymemcache-list", m.get("verb/lrange/pymemcache-list"), b"b a")
    check("set verb/lpush/pymemcache-old 'a', long ago", m.set("verb/lpush/pymemcache-old", "a", expire=LONG_AGO), True)
    check("get verb/lrange/pymemcache-old", m.get("verb/lrange/pymemcache-old"), None)
    check("touch pymemcache-list", m.touch("pymemcache-list", 600), True)
    check("delete pymemcache-list", m.delete("pymemcache-list"), True)
    check("get verb/llen/pymemcache-list", m.get("verb/llen/pymemcache-list"), None)
