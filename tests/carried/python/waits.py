from session import check, events, taken


def waits(m, at):
    """A get that waits answers as soon as there is something, and misses when the time is over."""
    m.set("verb/rpush/" + at, "a b")
    check("get verb/lpop/…/wait/60000", m.get("verb/lpop/%s/wait/60000" % at), b"a")
    check("get verb/rpop/…/5/wait/60000", m.get("verb/rpop/%s/5/wait/60000" % at), b"b")
    for key in "lpop/%s/wait/1", "rpop/%s/5/wait/1", "tasktake/%s-tasks/30/1/wait/1", "logfetch/%s-log/1/wait/1":
        check("get verb/" + key, m.get("verb/" + key % at), None)
    m.set("verb/taskput/%s-tasks/a/0" % at, "Alice")
    [(task, _, data, _)] = taken(m.get("verb/tasktake/%s-tasks/30/1/wait/60000" % at))
    check("get verb/tasktake/…/30/1/wait/60000", (task, data), (b"a", b"Alice"))
    m.set("verb/logput/%s-log" % at, "logged in")
    check("get verb/logfetch/…/1/wait/60000", events(m.get("verb/logfetch/%s-log/1/wait/60000" % at)), [b"logged in"])
