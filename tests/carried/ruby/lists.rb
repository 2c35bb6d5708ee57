check "set verb/rpush/dalli-list 'a b c'", stored(M.set('verb/rpush/dalli-list', 'a b c', 600, raw: true)), true
check "set verb/lpush/dalli-list 'x c y'", stored(M.set('verb/lpush/dalli-list', 'x c y', nil, raw: true)), true
check 'get verb/lrange/dalli-list', M.get('verb/lrange/dalli-list'), 'y c x a b c'
check 'get verb/lrange/dalli-list/1/-3', M.get('verb/lrange/dalli-list/1/-3'), 'c x a'
check 'get verb/llen/dalli-list', M.get('verb/llen/dalli-list'), '6'
check "set verb/lrem/dalli-list/-1 'c'", stored(M.set('verb/lrem/dalli-list/-1', 'c', nil, raw: true)), true
check 'get verb/lrange/dalli-list', M.get('verb/lrange/dalli-list'), 'y c x a b'
check "set verb/ltrim/dalli-list '1 -2'", stored(M.set('verb/ltrim/dalli-list', '1 -2', nil, raw: true)), true
check 'get verb/lrange/dalli-list', M.get('verb/lrange/dalli-list'), 'c x a'

check 'get verb/lpop/dalli-list', M.get('verb/lpop/dalli-list'), 'c'
check 'get verb/rpop/dalli-list/5', M.get('verb/rpop/dalli-list/5'), 'a x'
check 'get verb/lpop/dalli-list, which is empty now', M.get('verb/lpop/dalli-list'), nil
check 'get verb/llen/dalli-list', M.get('verb/llen/dalli-list'), nil

check 'set verb/lrem/none/0', M.set('verb/lrem/none/0', 'a', nil, raw: true), false
check 'set verb/ltrim/none', M.set('verb/ltrim/none', '0 1', nil, raw: true), false
check 'get verb/lrange/none', M.get('verb/lrange/none'), nil
check 'get verb/lpop/none', M.get('verb/lpop/none'), nil

check "set verb/rpush/dalli-list 'b', long ago", stored(M.set('verb/rpush/dalli-list', 'b', LONG_AGO, raw: true)), true
check 'get verb/lrange/dalli-list, which was made anew', M.get('verb/lrange/dalli-list'), nil
check "set verb/rpush/dalli-list 'b'", stored(M.set('verb/rpush/dalli-list', 'b', 600, raw: true)), true
# An exptime is that of a list which the push creates, not of one that is there.
check "set verb/rpush/dalli-list 'a', long ago", stored(M.set('verb/rpush/dalli-list', 'a', LONG_AGO, raw: true)), true
check 'get verb/lrange/dalli-list', M.get('verb/lrange/dalli-list'), 'b a'
check "set verb/lpush/dalli-old 'a', long ago", stored(M.set('verb/lpush/dalli-old', 'a', LONG_AGO, raw: true)), true
check 'get verb/lrange/dalli-old', M.get('verb/lrange/dalli-old'), nil
check 'touch dalli-list', M.touch('dalli-list', 600), true
check 'delete dalli-list', M.delete('dalli-list'), true
check 'get verb/llen/dalli-list', M.get('verb/llen/dalli-list'), nil
