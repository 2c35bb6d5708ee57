# One get_multi for plain keys, a set, a list, a table and a ranking.
check "set dalli-plain 'as it is'", stored(M.set('dalli-plain', 'as it is')), true
check "set verb/rpush/dalli-queue 'a b c'", stored(M.set('verb/rpush/dalli-queue', 'a b c', nil, raw: true)), true
check "set verb/hset/dalli-user/name 'Alice'", stored(M.set('verb/hset/dalli-user/name', 'Alice', nil, raw: true)), true
check 'set verb/hset/dalli-user/age 30', stored(M.set('verb/hset/dalli-user/age', 30)), true
check 'set verb/hset/dalli-user/bytes', stored(M.set('verb/hset/dalli-user/bytes', "\0\r\n\xff ".b, nil, raw: true)), true
check 'get_multi of a row with CR LF', M.get_multi('verb/hget/dalli-user/bytes', 'dalli-plain').transform_values(&:b),
      { 'verb/hget/dalli-user/bytes' => "\0\r\n\xff ".b, 'dalli-plain' => 'as it is' }
check 'delete verb/hdel/dalli-user/bytes', M.delete('verb/hdel/dalli-user/bytes'), true
check "set verb/zadd/dalli-points '7 bob 9 alice'", stored(M.set('verb/zadd/dalli-points', '7 bob 9 alice', nil, raw: true)), true
check 'get_multi of everything',
      M.get_multi('dalli-plain', 'verb/lrange/dalli-queue/0/1', 'verb/hget/dalli-user/age', 'none', 'verb/llen/dalli-queue',
                  'verb/hget/dalli-user/none', 'verb/hkeys/dalli-user', 'verb/lrange/none', 'verb/hexists/dalli-user/name',
                  'verb/scard/dalli', 'verb/hlen/none', 'verb/zrevrange/dalli-points/0/1/withscores',
                  'verb/zget/dalli-points/bob', 'verb/zrank/dalli-points/none', 'verb/zcard/dalli-points'),
      { 'dalli-plain' => 'as it is', 'verb/lrange/dalli-queue/0/1' => 'a b', 'verb/hget/dalli-user/age' => 30,
        'verb/llen/dalli-queue' => '3', 'verb/hkeys/dalli-user' => 'name age', 'verb/hexists/dalli-user/name' => '1',
        'verb/scard/dalli' => '2', 'verb/zrevrange/dalli-points/0/1/withscores' => 'alice 9', 'verb/zget/dalli-points/bob' => '7',
        'verb/zcard/dalli-points' => '2' }
got = M.get_multi('verb/lpop/dalli-queue', 'verb/hgetall/dalli-user', 'dalli-plain')
check 'get_multi that takes an element', [got['verb/lpop/dalli-queue'], listed(got['verb/hgetall/dalli-user'].b), got['dalli-plain']],
      ['a', [['name', 0, 'Alice'], ['age', 1, Marshal.dump(30)]], 'as it is']
got = M.get_multi_cas('verb/lrange/dalli-queue', 'dalli-queue')
check 'get_multi_cas has the CAS id of the list\'s item', got['verb/lrange/dalli-queue'], ['b c', got['dalli-queue'].last]
