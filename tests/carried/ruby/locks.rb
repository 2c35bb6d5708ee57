check "add verb/lock/dalli-lock 'alice'", stored(M.add('verb/lock/dalli-lock', 'alice', 30, raw: true)), true
check "add verb/lock/dalli-lock 'bob'", M.add('verb/lock/dalli-lock', 'bob', 30, raw: true), false
check 'touch verb/relock/dalli-lock/alice', M.touch('verb/relock/dalli-lock/alice', 60), true
check 'touch verb/relock/dalli-lock/bob', M.touch('verb/relock/dalli-lock/bob', 60), nil
check 'delete verb/unlock/dalli-lock/bob', M.delete('verb/unlock/dalli-lock/bob'), false
check 'delete verb/unlock/dalli-lock/alice', M.delete('verb/unlock/dalli-lock/alice'), true
crawl = 'verb/lock/dalli-crawl/holders/2' # of two who may crawl at the same time
check "add #{crawl} 'w1'", stored(M.add(crawl, 'w1', 30, raw: true)), true
check "add #{crawl} 'w2'", stored(M.add(crawl, 'w2', 30, raw: true)), true
check "add #{crawl} 'w3'", M.add(crawl, 'w3', 30, raw: true), false
check "add #{crawl} 'w2' again", stored(M.add(crawl, 'w2', 30, raw: true)), true
check 'touch verb/relock/dalli-crawl/w2', M.touch('verb/relock/dalli-crawl/w2', 60), true
check 'touch verb/relock/dalli-crawl/w3', M.touch('verb/relock/dalli-crawl/w3', 60), nil
check 'delete verb/unlock/dalli-crawl/w1', M.delete('verb/unlock/dalli-crawl/w1'), true
check "add #{crawl} 'w3'", stored(M.add(crawl, 'w3', 30, raw: true)), true
