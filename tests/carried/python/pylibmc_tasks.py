from pylibmc_locks import delete
from session import check, listed, taken


def tasks(m):
    one(m)
    once(m)
    several(m)
    if not m.binary:  # in which the client takes the error of a change without reply for that of its next retrieval
        noreply(m)


def one(m):
    check("set verb/taskput/…/a/0 b'Alice'", m.set("verb/taskput/pylibmc-tasks/a/0", b"Alice", time=600), True)
    check("set verb/taskput/…/later/1906400000000", m.set("verb/taskput/pylibmc-tasks/later/1906400000000", b"x"), True)
    ((*first, old),) = taken(m.get("verb/tasktake/pylibmc-tasks/30"))
    check("get verb/tasktake/pylibmc-tasks/30", first, [b"a", 0, b"Alice"])
    check("get verb/tasktake/pylibmc-tasks/30, when nothing is due", m.get("verb/tasktake/pylibmc-tasks/30"), None)
    check("touch verb/taskkeep/pylibmc-tasks/…", m.touch("verb/taskkeep/pylibmc-tasks/" + old, 60), True)
    check("set verb/taskretry/pylibmc-tasks/… '0'", m.set("verb/taskretry/pylibmc-tasks/" + old, "0"), True)
    ((*_, stamp),) = taken(m.get("verb/tasktake/pylibmc-tasks/30"))
    check("the stamp of the second attempt", stamp, old[:-1] + "2")
    check("touch verb/taskkeep/pylibmc-tasks/…, of the first", m.touch("verb/taskkeep/pylibmc-tasks/" + old, 60), False)
    check("set verb/taskretry/pylibmc-tasks/…, of the first", m.set("verb/taskretry/pylibmc-tasks/" + old, "0"), False)
    check("delete verb/taskdone/pylibmc-tasks/…, of the first", delete(m, "verb/taskdone/pylibmc-tasks/" + old), False)
    check("delete verb/taskdone/pylibmc-tasks/…", m.delete("verb/taskdone/pylibmc-tasks/" + stamp), True)
    found = listed(m.get("verb/tasklist/pylibmc-tasks"))
    check("get verb/tasklist/pylibmc-tasks", found, [(b"later", 0, b"1906400000000 0 0")])
    check("delete verb/taskdrop/pylibmc-tasks/later", m.delete("verb/taskdrop/pylibmc-tasks/later"), True)
    check("delete verb/taskdrop/pylibmc-tasks/later", m.delete("verb/taskdrop/pylibmc-tasks/later"), False)


def once(m):
    check("add verb/taskadd/…/a/1906400000000", m.add("verb/taskadd/pylibmc-once/a/1906400000000", b"x"), True)
    check("add verb/taskadd/…/a/0", m.add("verb/taskadd/pylibmc-once/a/0", b"y"), False)
    ((*found, stamp),) = taken(m.get("verb/taskpeek/pylibmc-once/a"))
    check("get verb/taskpeek/pylibmc-once/a", [*found, stamp[-2:]], [b"a", 0, b"x", ".0"])
    check("get verb/taskpeek/pylibmc-once/b", m.get("verb/taskpeek/pylibmc-once/b"), None)
    check("set verb/taskmove/pylibmc-once/a '0'", m.set("verb/taskmove/pylibmc-once/a", "0"), True)
    ((*_, taker),) = taken(m.get("verb/tasktake/pylibmc-once/30/most/1"))
    check("the stamp of the first attempt", taker, stamp[:-1] + "1")
    check("set verb/taskmove/pylibmc-once/a '0', held", m.set("verb/taskmove/pylibmc-once/a", "0"), False)
    check("get verb/tasktake/pylibmc-once/30/5/most/1", m.get("verb/tasktake/pylibmc-once/30/5/most/1"), None)


def several(m):
    put, odd = "verb/taskput/pylibmc-several/", b"\0\r\n\xff "
    check("set_multi", m.set_multi({put + "bytes/1600000000001": odd, put + "b/1600000000002": b"Bob"}), [])
    got = m.get_multi(["verb/tasktake/pylibmc-several/30/10", "verb/tasklen/pylibmc-several", "verb/tasktake/none/30"])
    both = taken(got.pop("verb/tasktake/pylibmc-several/30/10"))
    check("get_multi that takes two", [task[:3] for task in both], [(b"bytes", 0, odd), (b"b", 0, b"Bob")])
    check("and what else it got", got, {"verb/tasklen/pylibmc-several": b"2"})
    for task in both:
        check("delete verb/taskdone/pylibmc-several/…", m.delete("verb/taskdone/pylibmc-several/" + task[3]), True)


# Without touch: after a get, the client takes the end of its reply for that of the touch, with memcached itself too.
def noreply(m):
    m.behaviors = {"_noreply": True}
    m.set("verb/taskput/pylibmc-quiet-tasks/a/0", b"Alice")
    m.set("verb/taskput/pylibmc-quiet-tasks/a", "no time")
    m.behaviors = {"_noreply": False}
    ((*_, stamp),) = taken(m.get("verb/tasktake/pylibmc-quiet-tasks/30"))
    m.behaviors = {"_noreply": True}
    m.set("verb/taskretry/pylibmc-quiet-tasks/" + stamp, "1906400000000")
    m.delete("verb/taskdrop/pylibmc-quiet-tasks/none")
    m.behaviors = {"_noreply": False}
    found = listed(m.get("verb/tasklist/pylibmc-quiet-tasks"))
    check("get verb/tasklist/pylibmc-quiet-tasks", found, [(b"a", 0, b"1906400000000 1 0")])
    m.behaviors = {"_noreply": True}
    m.delete("verb/taskdone/pylibmc-quiet-tasks/" + stamp)
    m.behaviors = {"_noreply": False}
    check("get verb/tasklen/pylibmc-quiet-tasks", m.get("verb/tasklen/pylibmc-quiet-tasks"), b"0")
