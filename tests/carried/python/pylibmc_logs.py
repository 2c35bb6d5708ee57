from session import check, events


def logs(m):
    check("set verb/logput/pylibmc-log 'logged in'", m.set("verb/logput/pylibmc-log", "logged in"), True)
    check("set verb/logput/pylibmc-log 'logged out'", m.set("verb/logput/pylibmc-log", "logged out"), True)
    check("get verb/logfetch/pylibmc-log", events(m.get("verb/logfetch/pylibmc-log")), [b"logged in", b"logged out"])
