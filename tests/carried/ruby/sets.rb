check "set verb/sadd/dalli 'apple pear plum'", stored(M.set('verb/sadd/dalli', 'apple pear plum', 600, raw: true)), true
check "set verb/srem/dalli 'pear'", stored(M.set('verb/srem/dalli', 'pear', nil, raw: true)), true
check 'get verb/smembers/dalli', M.get('verb/smembers/dalli'), 'apple plum'
check 'get_multi of three verbs and a key',
      M.get_multi('verb/scard/dalli', 'verb/sismember/dalli/apple', 'verb/sismember/dalli/pear', 'none'),
      { 'verb/scard/dalli' => '2', 'verb/sismember/dalli/apple' => '1', 'verb/sismember/dalli/pear' => '0' }
check 'set verb/srem/none', M.set('verb/srem/none', 'a', nil, raw: true), false
check 'get verb/smembers/none', M.get('verb/smembers/none'), nil
