from session import check, events


def logs(m):
    check("set verb/logput/pymemcache-log 'logged in'", m.set("verb/logput/pymemcache-log", "logged in"), True)
    check("set verb/logput/pymemcache-log 'logged out'", m.set("verb/logput/pymemcache-log", "logged out"), True)
    check("get verb/logfetch/pymemcache-log", events(m.get("verb/logfetch/pymemcache-log")), [b"logged in", b"logged out"])
