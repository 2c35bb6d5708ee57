check "add verb/lock/dalli-lock 'alice'", stored(M.add('verb/lock/dalli-lock', 'alice', 30, raw: true)), true
check "add verb/lock/dalli-lock 'bob'", M.add('verb/lock/dalli-lock', 'bob', 30, raw: true), false
check 'touch verb/relock/dalli-lock/alice', M.touch('verb/relock/dalli-lock/alice', 60), true
check 'touch verb/relock/dalli-lock/bob', M.touch('verb/relock/dalli-lock/bob', 60), nil
check 'delete verb/unlock/dalli-lock/bob', M.delete('verb/unlock/dalli-lock/bob'), false
check 'delete verb/unlock/dalli-lock/alice', M.delete('verb/unlock/dalli-lock/alice'), true
