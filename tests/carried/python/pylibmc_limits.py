from session import check


def limits(m):
    quota = "verb/limit/api:pylibmc/10/3600"  # ten an hour
    check("incr " + quota + " 8", m.incr(quota, 8), 3)
    check("incr " + quota + " 3", m.incr(quota, 3), 0)
    check("get " + quota, m.get(quota), b"1 2 0")
