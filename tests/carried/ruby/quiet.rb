# In a quiet block the client asks for no replies but errors, which it ignores, and misses of delete and count. The reads
# afterwards show what became of the changes, and that no reply was left on the connection.
M.quiet do
  M.set('verb/rpush/dalli-quiet', 'a b c', 600, raw: true)
  M.set('verb/lpush/dalli-quiet', 'x y', nil, raw: true)
  M.set('verb/lrem/dalli-quiet/1', 'b', nil, raw: true)
  M.set('verb/ltrim/dalli-quiet', '1 -1', nil, raw: true)
  M.set('verb/lrem/none/1', 'b', nil, raw: true)
  M.set('verb/lrem/dalli-quiet/few', 'b', nil, raw: true)
  M.set('verb/hset/dalli-quiet-table/name', 'Alice', 600)
  M.add('verb/hadd/dalli-quiet-table/name', 'Bob')
  M.add('verb/hadd/dalli-quiet-table/hits', 41, nil, raw: true)
  M.incr('verb/hincr/dalli-quiet-table/hits')
  M.decr('verb/hdecr/dalli-quiet-table/none')
  M.set('verb/hset/dalli-quiet-table/old', 'gone')
  M.delete('verb/hdel/dalli-quiet-table/old')
  M.delete('verb/hdel/dalli-quiet-table/none')
  M.set('verb/hset/dalli-quiet-table', 'no field')
  M.set('verb/zadd/dalli-quiet-ranking', '5 alice 2 bob -1 carol', 600, raw: true)
  M.set('verb/zinc/dalli-quiet-ranking', 'alice', nil, raw: true)
  M.incr('verb/zincrby/dalli-quiet-ranking/bob', 40)
  M.decr('verb/zincrby/dalli-quiet-ranking/carol', 2)
  M.incr('verb/zincrbyp/dalli-quiet-ranking/alice/3600')
  M.delete('verb/zrem/dalli-quiet-ranking/bob')
  M.delete('verb/zrem/none/bob')
  M.set('verb/zadd/dalli-quiet-ranking', 'no score', nil, raw: true)
end
check 'get_multi of what was changed quietly',
      M.get_multi('verb/lrange/dalli-quiet', 'verb/hkeys/dalli-quiet-table', 'verb/hget/dalli-quiet-table/name',
                  'verb/hget/dalli-quiet-table/hits', 'verb/zrange/dalli-quiet-ranking/0/-1/withscores'),
      { 'verb/lrange/dalli-quiet' => 'x a c', 'verb/hkeys/dalli-quiet-table' => 'name hits',
        'verb/hget/dalli-quiet-table/name' => 'Alice', 'verb/hget/dalli-quiet-table/hits' => '42',
        'verb/zrange/dalli-quiet-ranking/0/-1/withscores' => 'carol -3 alice 7' }
check 'get verb/llen/dalli-quiet', M.get('verb/llen/dalli-quiet'), '3'
