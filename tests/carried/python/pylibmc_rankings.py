import pylibmc
from session import LONG_AGO, check


def rankings(m):
    fill(m)
    ends(m)
    count(m)
    remove(m)
    whole(m)


def fill(m):
    scores = "5 alice -2 bob 7 carol"
    check("set verb/zadd/pylibmc-ranking '%s'" % scores, m.set("verb/zadd/pylibmc-ranking", scores, time=600), True)
    check("set verb/zinc/pylibmc-ranking 'alice bob'", m.set("verb/zinc/pylibmc-ranking", "alice bob"), True)
    check("set verb/zdec/pylibmc-ranking 'carol'", m.set("verb/zdec/pylibmc-ranking", "carol"), True)
    check("set verb/zsub/pylibmc-ranking '3 bob'", m.set("verb/zsub/pylibmc-ranking", "3 bob"), True)
    best = m.get("verb/zrevrange/pylibmc-ranking/0/-1/withscores")
    check("get verb/zrevrange/pylibmc-ranking/0/-1/withscores", best, b"carol 6 alice 6 bob -4")
    check("get verb/zrange/pylibmc-ranking/0/2", m.get("verb/zrange/pylibmc-ranking/0/2"), b"bob alice")
    check("get verb/zget/pylibmc-ranking/bob", m.get("verb/zget/pylibmc-ranking/bob"), b"-4")
    check("get verb/zget/pylibmc-ranking/dave", m.get("verb/zget/pylibmc-ranking/dave"), b"null")
    check("get verb/zrank/pylibmc-ranking/bob", m.get("verb/zrank/pylibmc-ranking/bob"), b"0")
    check("get verb/zrevrank/pylibmc-ranking/bob", m.get("verb/zrevrank/pylibmc-ranking/bob"), b"2")
    check("get verb/zrank/pylibmc-ranking/dave", m.get("verb/zrank/pylibmc-ranking/dave"), None)
    check("get verb/zcard/pylibmc-ranking", m.get("verb/zcard/pylibmc-ranking"), b"3")


def ends(m):
    check("set verb/zmax/pylibmc-best '120 alice 95 bob 110 alice 7 eve'", m.set("verb/zmax/pylibmc-best", "120 alice 95 bob 110 alice 7 eve"), True)
    check("set verb/zmin/pylibmc-best '90 eve 80 bob'", m.set("verb/zmin/pylibmc-best", "90 eve 80 bob"), True)
    check("get verb/zcount/pylibmc-best/0/100", m.get("verb/zcount/pylibmc-best/0/100"), b"2")
    check("get verb/zbyscore/pylibmc-best/-/100/withscores", m.get("verb/zbyscore/pylibmc-best/-/100/withscores"), b"eve 7 bob 80")
    check("get verb/zrevbyscore/pylibmc-best/+/-/page/1/1", m.get("verb/zrevbyscore/pylibmc-best/+/-/page/1/1"), b"bob")
    check("get verb/zaround/pylibmc-best/bob/1", m.get("verb/zaround/pylibmc-best/bob/1"), b"eve bob alice")
    check("get verb/zrevaround/pylibmc-best/alice/1/withscores", m.get("verb/zrevaround/pylibmc-best/alice/1/withscores"), b"alice 120 bob 80")
    check("get verb/zaround/pylibmc-best/dave/1", m.get("verb/zaround/pylibmc-best/dave/1"), None)
    check("get verb/zpopmin/pylibmc-best", m.get("verb/zpopmin/pylibmc-best"), b"eve 7")
    check("set verb/ztrim/pylibmc-best '1'", m.set("verb/ztrim/pylibmc-best", "1"), True)
    check("get verb/zpopmax/pylibmc-best/count/5", m.get("verb/zpopmax/pylibmc-best/count/5"), b"alice 120")
    check("get verb/zpopmax/pylibmc-best", m.get("verb/zpopmax/pylibmc-best"), None)
    check("delete pylibmc-best", m.delete("pylibmc-best"), True)


def count(m):
    check("incr verb/zincrby/pylibmc-ranking/alice", m.incr("verb/zincrby/pylibmc-ranking/alice"), 7)
    check("decr verb/zincrby/pylibmc-ranking/alice by 2", m.decr("verb/zincrby/pylibmc-ranking/alice", 2), 5)
    check("incr verb/zincrby/pylibmc-ranking/dave by 4", m.incr("verb/zincrby/pylibmc-ranking/dave", 4), 4)
    check("incr verb/zincrbyp/pylibmc-ranking/dave/3600 by 10", m.incr("verb/zincrbyp/pylibmc-ranking/dave/3600", 10), 14)
    check("decr verb/zincrbyp/pylibmc-ranking/dave/3600", m.decr("verb/zincrbyp/pylibmc-ranking/dave/3600"), 13)
    # Below 0 it counts, but the client can't be told the score.
    try:
        told = m.decr("verb/zincrby/pylibmc-ranking/bob")
    except (pylibmc.ClientError, pylibmc.UnknownReadFailure):  # the latter in the binary protocol
        told = "refused"
    check("decr verb/zincrby/pylibmc-ranking/bob", told, "refused")
    check("get verb/zget/pylibmc-ranking/bob", m.get("verb/zget/pylibmc-ranking/bob"), b"-5")


def remove(m):
    check("delete verb/zrem/pylibmc-ranking/bob", m.delete("verb/zrem/pylibmc-ranking/bob"), True)
    check("delete verb/zrem/pylibmc-ranking/bob, who is not there", m.delete("verb/zrem/pylibmc-ranking/bob"), True)
    check("delete verb/zrem/none/bob", m.delete("verb/zrem/none/bob"), False)
    left = m.get("verb/zrange/pylibmc-ranking/0/-1/withscores")
    check("get verb/zrange/pylibmc-ranking/0/-1/withscores", left, b"alice 5 carol 6 dave 13")
    check("get verb/zrange/none/0/-1", m.get("verb/zrange/none/0/-1"), None)
    check("get verb/zget/none/alice", m.get("verb/zget/none/alice"), None)
    check("get verb/zcard/none", m.get("verb/zcard/none"), None)


def whole(m):
    # An exptime is that of a ranking which the change creates, not of one that is there.
    check("set verb/zadd/pylibmc-ranking '1 alice', long ago", m.set("verb/zadd/pylibmc-ranking", "1 alice", time=LONG_AGO), True)
    check("get verb/zget/pylibmc-ranking/alice", m.get("verb/zget/pylibmc-ranking/alice"), b"1")
    old = "verb/zinc/pylibmc-old-ranking"
    check("set %s 'alice', long ago" % old, m.set(old, "alice", time=LONG_AGO), True)
    check("get verb/zcard/pylibmc-old-ranking", m.get("verb/zcard/pylibmc-old-ranking"), None)
    check("touch pylibmc-ranking", m.touch("pylibmc-ranking", 600), True)
    check("delete pylibmc-ranking", m.delete("pylibmc-ranking"), True)
    check("get verb/zcard/pylibmc-ranking", m.get("verb/zcard/pylibmc-ranking"), None)
