check "set verb/sadd/dalli 'apple pear plum'", stored(M.set('verb/sadd/dalli', 'apple pear plum', 600, raw: true)), true
check "set verb/srem/dalli 'pear'", stored(M.set('verb/srem/dalli', 'pear', nil, raw: true)), true
check 'get verb/smembers/dalli', M.get('verb/smembers/dalli'), 'apple plum'
check 'get_multi of three verbs and a key',
      M.get_multi('verb/scard/dalli', 'verb/sismember/dalli/apple', 'verb/sismember/dalli/pear', 'none'),
      { 'verb/scard/dalli' => '2', 'verb/sismember/dalli/apple' => '1', 'verb/sismember/dalli/pear' => '0' }
check 'set verb/srem/none', M.set('verb/srem/none', 'a', nil, raw: true), false
check 'get verb/smembers/none', M.get('verb/smembers/none'), nil
check "add verb/saddnew/dalli-seen 'a'", stored(M.add('verb/saddnew/dalli-seen', 'a', 600, raw: true)), true
check "add verb/saddnew/dalli-seen 'a' again", M.add('verb/saddnew/dalli-seen', 'a', nil, raw: true), false
check "set verb/schange/dalli-seen '-a +plum +fig'", stored(M.set('verb/schange/dalli-seen', '-a +plum +fig', nil, raw: true)), true
check "set verb/saddp/dalli-seen/600 'kiwi fig'", stored(M.set('verb/saddp/dalli-seen/600', 'kiwi fig', nil, raw: true)), true
check 'get verb/smembers/dalli-seen', M.get('verb/smembers/dalli-seen'), 'plum kiwi fig'
check "set verb/schange/dalli-seen '-kiwi'", stored(M.set('verb/schange/dalli-seen', '-kiwi', nil, raw: true)), true
check "set verb/schange/none '-a'", M.set('verb/schange/none', '-a', nil, raw: true), false
check 'get_multi of sums',
      M.get_multi('verb/sinter/dalli/dalli-seen', 'verb/sunion/dalli/none/dalli-seen', 'verb/sdiff/dalli/dalli-seen'),
      { 'verb/sinter/dalli/dalli-seen' => 'plum', 'verb/sunion/dalli/none/dalli-seen' => 'apple plum fig', 'verb/sdiff/dalli/dalli-seen' => 'apple' }
