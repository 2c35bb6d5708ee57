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
end
check 'get_multi of what was changed quietly',
      M.get_multi('verb/lrange/dalli-quiet', 'verb/hkeys/dalli-quiet-table', 'verb/hget/dalli-quiet-table/name',
                  'verb/hget/dalli-quiet-table/hits'),
      { 'verb/lrange/dalli-quiet' => 'x a c', 'verb/hkeys/dalli-quiet-table' => 'name hits',
        'verb/hget/dalli-quiet-table/name' => 'Alice', 'verb/hget/dalli-quiet-table/hits' => '42' }
check 'get verb/llen/dalli-quiet', M.get('verb/llen/dalli-quiet'), '3'
