check "set verb/zadd/dalli-ranking '5 alice -2 bob 7 carol'",
      stored(M.set('verb/zadd/dalli-ranking', '5 alice -2 bob 7 carol', 600, raw: true)), true
check "set verb/zinc/dalli-ranking 'alice bob'", stored(M.set('verb/zinc/dalli-ranking', 'alice bob', nil, raw: true)), true
check "set verb/zdec/dalli-ranking 'carol'", stored(M.set('verb/zdec/dalli-ranking', 'carol', nil, raw: true)), true
check "set verb/zsub/dalli-ranking '3 bob'", stored(M.set('verb/zsub/dalli-ranking', '3 bob', nil, raw: true)), true
check 'get verb/zrevrange/dalli-ranking/0/-1/withscores', M.get('verb/zrevrange/dalli-ranking/0/-1/withscores'), 'carol 6 alice 6 bob -4'
check 'get verb/zrange/dalli-ranking/0/2', M.get('verb/zrange/dalli-ranking/0/2'), 'bob alice'
check 'get verb/zget/dalli-ranking/bob', M.get('verb/zget/dalli-ranking/bob'), '-4'
check 'get verb/zget/dalli-ranking/dave', M.get('verb/zget/dalli-ranking/dave'), 'null'
check 'get verb/zrank/dalli-ranking/bob', M.get('verb/zrank/dalli-ranking/bob'), '0'
check 'get verb/zrevrank/dalli-ranking/bob', M.get('verb/zrevrank/dalli-ranking/bob'), '2'
check 'get verb/zrank/dalli-ranking/dave', M.get('verb/zrank/dalli-ranking/dave'), nil
check 'get verb/zcard/dalli-ranking', M.get('verb/zcard/dalli-ranking'), '3'

check "set verb/zmax/dalli-best '120 alice 95 bob 110 alice 7 eve'", stored(M.set('verb/zmax/dalli-best', '120 alice 95 bob 110 alice 7 eve', nil, raw: true)), true
check "set verb/zmin/dalli-best '90 eve 80 bob'", stored(M.set('verb/zmin/dalli-best', '90 eve 80 bob', nil, raw: true)), true
check 'get verb/zcount/dalli-best/0/100', M.get('verb/zcount/dalli-best/0/100'), '2'
check 'get verb/zbyscore/dalli-best/-/100/withscores', M.get('verb/zbyscore/dalli-best/-/100/withscores'), 'eve 7 bob 80'
check 'get verb/zrevbyscore/dalli-best/+/-/page/1/1', M.get('verb/zrevbyscore/dalli-best/+/-/page/1/1'), 'bob'
check 'get verb/zaround/dalli-best/bob/1', M.get('verb/zaround/dalli-best/bob/1'), 'eve bob alice'
check 'get verb/zrevaround/dalli-best/alice/1/withscores', M.get('verb/zrevaround/dalli-best/alice/1/withscores'), 'alice 120 bob 80'
check 'get verb/zaround/dalli-best/dave/1', M.get('verb/zaround/dalli-best/dave/1'), nil
check 'get verb/zpopmin/dalli-best', M.get('verb/zpopmin/dalli-best'), 'eve 7'
check "set verb/ztrim/dalli-best '1'", stored(M.set('verb/ztrim/dalli-best', '1', nil, raw: true)), true
check 'get verb/zpopmax/dalli-best/count/5', M.get('verb/zpopmax/dalli-best/count/5'), 'alice 120'
check 'get verb/zpopmax/dalli-best', M.get('verb/zpopmax/dalli-best'), nil
check 'delete dalli-best', M.delete('dalli-best'), true

check 'incr verb/zincrby/dalli-ranking/alice', M.incr('verb/zincrby/dalli-ranking/alice'), 7
check 'decr verb/zincrby/dalli-ranking/alice by 2', M.decr('verb/zincrby/dalli-ranking/alice', 2), 5
check 'incr verb/zincrby/dalli-ranking/dave by 4', M.incr('verb/zincrby/dalli-ranking/dave', 4), 4
check 'incr verb/zincrbyp/dalli-ranking/dave/3600 by 10', M.incr('verb/zincrbyp/dalli-ranking/dave/3600', 10), 14
check 'decr verb/zincrbyp/dalli-ranking/dave/3600', M.decr('verb/zincrbyp/dalli-ranking/dave/3600'), 13
# Below 0 it counts, but the client can't be told the score.
refused = begin
  M.decr('verb/zincrby/dalli-ranking/bob')
rescue Dalli::DalliError => e
  e.message
end
check 'decr verb/zincrby/dalli-ranking/bob', refused, REFUSED
check 'get verb/zget/dalli-ranking/bob', M.get('verb/zget/dalli-ranking/bob'), '-5'

check 'delete verb/zrem/dalli-ranking/bob', M.delete('verb/zrem/dalli-ranking/bob'), true
check 'delete verb/zrem/dalli-ranking/bob, who is not there', M.delete('verb/zrem/dalli-ranking/bob'), true
check 'delete verb/zrem/none/bob', M.delete('verb/zrem/none/bob'), false
check 'get verb/zrange/dalli-ranking/0/-1/withscores', M.get('verb/zrange/dalli-ranking/0/-1/withscores'), 'alice 5 carol 6 dave 13'

check 'get verb/zrange/none/0/-1', M.get('verb/zrange/none/0/-1'), nil
check 'get verb/zget/none/alice', M.get('verb/zget/none/alice'), nil
check 'get verb/zcard/none', M.get('verb/zcard/none'), nil

# An exptime is that of a ranking which the change creates, not of one that is there.
check "set verb/zadd/dalli-ranking '1 alice', long ago", stored(M.set('verb/zadd/dalli-ranking', '1 alice', LONG_AGO, raw: true)), true
check 'get verb/zget/dalli-ranking/alice', M.get('verb/zget/dalli-ranking/alice'), '1'
check "set verb/zinc/dalli-old-ranking 'alice', long ago", stored(M.set('verb/zinc/dalli-old-ranking', 'alice', LONG_AGO, raw: true)), true
check 'get verb/zcard/dalli-old-ranking', M.get('verb/zcard/dalli-old-ranking'), nil
check 'touch dalli-ranking', M.touch('dalli-ranking', 600), true
check 'delete dalli-ranking', M.delete('dalli-ranking'), true
check 'get verb/zcard/dalli-ranking', M.get('verb/zcard/dalli-ranking'), nil
