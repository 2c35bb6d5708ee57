from session import check, listed, taken


def tasks(m):
    one(m)
    once(m)
    several(m)
    noreply(m)


def one(m):
    check("set verb/taskput/…/a/0 b'Alice'", m.set("verb/taskput/pymemcache-tasks/a/0", b"Alice", expire=600), True)
    check("set verb/taskput/…/later/1906400000000", m.set("verb/taskput/pymemcache-tasks/later/1906400000000", b"x"), True)
    ((*first, old),) = taken(m.get("verb/tasktake/pymemcache-tasks/30"))
    check("get verb/tasktake/pymemcache-tasks/30", first, [b"a", 0, b"Alice"])
    check("get verb/tasktake/pymemcache-tasks/30, when nothing is due", m.get("verb/tasktake/pymemcache-tasks/30"), None)
    check("touch verb/taskkeep/pymemcache-tasks/…", m.touch("verb/taskkeep/pymemcache-tasks/" + old, 60), True)
    check("set verb/taskretry/pymemcache-tasks/… '0'", m.set("verb/taskretry/pymemcache-tasks/" + old, "0"), True)
    ((*_, stamp),) = taken(m.get("verb/tasktake/pymemcache-tasks/30"))
    check("the stamp of the second attempt", stamp, old[:-1] + "2")
    check("touch verb/taskkeep/pymemcache-tasks/…, of the first", m.touch("verb/taskkeep/pymemcache-tasks/" + old, 60), False)
    check("set verb/taskretry/pymemcache-tasks/…, of the first", m.set("verb/taskretry/pymemcache-tasks/" + old, "0"), False)
    check("delete verb/taskdone/pymemcache-tasks/…, of the first", m.delete("verb/taskdone/pymemcache-tasks/" + old), False)
    check("delete verb/taskdone/pymemcache-tasks/…", m.delete("verb/taskdone/pymemcache-tasks/" + stamp), True)
    found = listed(m.get("verb/tasklist/pymemcache-tasks"))
    check("get verb/tasklist/pymemcache-tasks", found, [(b"later", 0, b"1906400000000 0 0")])
    check("delete verb/taskdrop/pymemcache-tasks/later", m.delete("verb/taskdrop/pymemcache-tasks/later"), True)
    check("delete verb/taskdrop/pymemcache-tasks/later", m.delete("verb/taskdrop/pymemcache-tasks/later"), False)


def once(m):
    check("add verb/taskadd/…/a/1906400000000", m.add("verb/taskadd/pymemcache-once/a/1906400000000", b"x"), True)
    check("add verb/taskadd/…/a/0", m.add("verb/taskadd/pymemcache-once/a/0", b"y"), False)
    ((*found, stamp),) = taken(m.get("verb/taskpeek/pymemcache-once/a"))
    check("get verb/taskpeek/pymemcache-once/a", [*found, stamp[-2:]], [b"a", 0, b"x", ".0"])
    check("get verb/taskpeek/pymemcache-once/b", m.get("verb/taskpeek/pymemcache-once/b"), None)
    check("set verb/taskmove/pymemcache-once/a '0'", m.set("verb/taskmove/pymemcache-once/a", "0"), True)
    ((*_, taker),) = taken(m.get("verb/tasktake/pymemcache-once/30/most/1"))
    check("the stamp of the first attempt", taker, stamp[:-1] + "1")
    check("set verb/taskmove/pymemcache-once/a '0', held", m.set("verb/taskmove/pymemcache-once/a", "0"), False)
    check("get verb/tasktake/pymemcache-once/30/5/most/1", m.get("verb/tasktake/pymemcache-once/30/5/most/1"), None)


def several(m):
    put, odd = "verb/taskput/pymemcache-several/", b"\0\r\n\xff "
    check("set_many", m.set_many({put + "bytes/1600000000001": odd, put + "b/1600000000002": b"Bob"}), [])
    got = m.get_many(["verb/tasktake/pymemcache-several/30/10", "verb/tasklen/pymemcache-several", "verb/tasktake/none/30"])
    both = taken(got.pop("verb/tasktake/pymemcache-several/30/10"))
    check("get_many that takes two", [task[:3] for task in both], [(b"bytes", 0, odd), (b"b", 0, b"Bob")])
    check("and what else it got", got, {"verb/tasklen/pymemcache-several": b"2"})
    for task in both:
        check("delete verb/taskdone/pymemcache-several/…", m.delete("verb/taskdone/pymemcache-several/" + task[3]), True)


def noreply(m):
    m.set("verb/taskput/pymemcache-quiet-tasks/a/0", b"Alice", noreply=True)
    m.set("verb/taskput/pymemcache-quiet-tasks/a", "no time", noreply=True)
    ((*_, stamp),) = taken(m.get("verb/tasktake/pymemcache-quiet-tasks/30"))
    m.touch("verb/taskkeep/pymemcache-quiet-tasks/" + stamp, 60, noreply=True)
    m.set("verb/taskretry/pymemcache-quiet-tasks/" + stamp, "1906400000000", noreply=True)
    m.delete("verb/taskdrop/pymemcache-quiet-tasks/none", noreply=True)
    found = listed(m.get("verb/tasklist/pymemcache-quiet-tasks"))
    check("get verb/tasklist/pymemcache-quiet-tasks", found, [(b"a", 0, b"1906400000000 1 0")])
    m.delete("verb/taskdone/pymemcache-quiet-tasks/" + stamp, noreply=True)
    check("get verb/tasklen/pymemcache-quiet-tasks", m.get("verb/tasklen/pymemcache-quiet-tasks"), b"0")
