from pymemcache.exceptions import MemcacheClientError
from session import LONG_AGO, check


def rankings(m):
    fill(m)
    ends(m)
    count(m)
    remove(m)
    whole(m)


def fill(m):
    scores = "5 alice -2 bob 7 carol"
    check("set verb/zadd/pymemcache-ranking '%s'" % scores, m.set("verb/zadd/pymemcache-ranking", scores, expire=600), True)
    check("set verb/zinc/pymemcache-ranking 'alice bob'", m.set("verb/zinc/pymemcache-ranking", "alice bob"), True)
    check("set verb/zdec/pymemcache-ranking 'carol'", m.set("verb/zdec/pymemcache-ranking", "carol"), True)
    check("set verb/zsub/pymemcache-ranking '3 bob'", m.set("verb/zsub/pymemcache-ranking", "3 bob"), True)
    best = m.get("verb/zrevrange/pymemcache-ranking/0/-1/withscores")
    check("get verb/zrevrange/pymemcache-ranking/0/-1/withscores", best, b"carol 6 alice 6 bob -4")
    check("get verb/zrange/pymemcache-ranking/0/2", m.get("verb/zrange/pymemcache-ranking/0/2"), b"bob alice")
    check("get verb/zget/pymemcache-ranking/bob", m.get("verb/zget/pymemcache-ranking/bob"), b"-4")
    check("get verb/zget/pymemcache-ranking/dave", m.get("verb/zget/pymemcache-ranking/dave"), b"null")
    check("get verb/zrank/pymemcache-ranking/bob", m.get("verb/zrank/pymemcache-ranking/bob"), b"0")
    check("get verb/zrevrank/pymemcache-ranking/bob", m.get("verb/zrevrank/pymemcache-ranking/bob"), b"2")
    check("get verb/zrank/pymemcache-ranking/dave", m.get("verb/zrank/pymemcache-ranking/dave"), None)
    check("get verb/zcard/pymemcache-ranking", m.get("verb/zcard/pymemcache-ranking"), b"3")


def ends(m):
    check("set verb/zmax/pymemcache-best '120 alice 95 bob 110 alice 7 eve'", m.set("verb/zmax/pymemcache-best", "120 alice 95 bob 110 alice 7 eve"), True)
    check("set verb/zmin/pymemcache-best '90 eve 80 bob'", m.set("verb/zmin/pymemcache-best", "90 eve 80 bob"), True)
    check("get verb/zcount/pymemcache-best/0/100", m.get("verb/zcount/pymemcache-best/0/100"), b"2")
    check("get verb/zbyscore/pymemcache-best/-/100/withscores", m.get("verb/zbyscore/pymemcache-best/-/100/withscores"), b"eve 7 bob 80")
    check("get verb/zrevbyscore/pymemcache-best/+/-/page/1/1", m.get("verb/zrevbyscore/pymemcache-best/+/-/page/1/1"), b"bob")
    check("get verb/zaround/pymemcache-best/bob/1", m.get("verb/zaround/pymemcache-best/bob/1"), b"eve bob alice")
    check("get verb/zrevaround/pymemcache-best/alice/1/withscores", m.get("verb/zrevaround/pymemcache-best/alice/1/withscores"), b"alice 120 bob 80")
    check("get verb/zaround/pymemcache-best/dave/1", m.get("verb/zaround/pymemcache-best/dave/1"), None)
    check("get verb/zpopmin/pymemcache-best", m.get("verb/zpopmin/pymemcache-best"), b"eve 7")
    check("set verb/ztrim/pymemcache-best '1'", m.set("verb/ztrim/pymemcache-best", "1"), True)
    check("get verb/zpopmax/pymemcache-best/count/5", m.get("verb/zpopmax/pymemcache-best/count/5"), b"alice 120")
    check("get verb/zpopmax/pymemcache-best", m.get("verb/zpopmax/pymemcache-best"), None)
    check("delete pymemcache-best", m.delete("pymemcache-best"), True)


def count(m):
    check("incr verb/zincrby/pymemcache-ranking/alice by 1", m.incr("verb/zincrby/pymemcache-ranking/alice", 1), 7)
    check("decr verb/zincrby/pymemcache-ranking/alice by 2", m.decr("verb/zincrby/pymemcache-ranking/alice", 2), 5)
    check("incr verb/zincrby/pymemcache-ranking/dave by 4", m.incr("verb/zincrby/pymemcache-ranking/dave", 4), 4)
    check("incr verb/zincrbyp/pymemcache-ranking/dave/3600 by 10", m.incr("verb/zincrbyp/pymemcache-ranking/dave/3600", 10), 14)
    check("decr verb/zincrbyp/pymemcache-ranking/dave/3600 by 1", m.decr("verb/zincrbyp/pymemcache-ranking/dave/3600", 1), 13)
    # Below 0 it counts, but the client can't be told the score.
    try:
        told = m.decr("verb/zincrby/pymemcache-ranking/bob", 1)
    except MemcacheClientError:
        told = "refused"
    check("decr verb/zincrby/pymemcache-ranking/bob by 1", told, "refused")
    check("get verb/zget/pymemcache-ranking/bob", m.get("verb/zget/pymemcache-ranking/bob"), b"-5")


def remove(m):
    check("delete verb/zrem/pymemcache-ranking/bob", m.delete("verb/zrem/pymemcache-ranking/bob"), True)
    check("delete verb/zrem/pymemcache-ranking/bob, who is not there", m.delete("verb/zrem/pymemcache-ranking/bob"), True)
    check("delete verb/zrem/none/bob", m.delete("verb/zrem/none/bob"), False)
    left = m.get("verb/zrange/pymemcache-ranking/0/-1/withscores")
    check("get verb/zrange/pymemcache-ranking/0/-1/withscores", left, b"alice 5 carol 6 dave 13")
    check("get verb/zrange/none/0/-1", m.get("verb/zrange/none/0/-1"), None)
    check("get verb/zget/none/alice", m.get("verb/zget/none/alice"), None)
    check("get verb/zcard/none", m.get("verb/zcard/none"), None)


def whole(m):
    # An exptime is that of a ranking which the change creates, not of one that is there.
    check("set verb/zadd/pymemcache-ranking '1 alice', long ago", m.set("verb/zadd/pymemcache-ranking", "1 alice", expire=LONG_AGO), True)
    check("get verb/zget/pymemcache-ranking/alice", m.get("verb/zget/pymemcache-ranking/alice"), b"1")
    old = "verb/zinc/pymemcache-old-ranking"
    check("set %s 'alice', long ago" % old, m.set(old, "alice", expire=LONG_AGO), True)
    check("get verb/zcard/pymemcache-old-ranking", m.get("verb/zcard/pymemcache-old-ranking"), None)
    check("touch pymemcache-ranking", m.touch("pymemcache-ranking", 600), True)
    check("delete pymemcache-ranking", m.delete("pymemcache-ranking"), True)
    check("get verb/zcard/pymemcache-ranking", m.get("verb/zcard/pymemcache-ranking"), None)
