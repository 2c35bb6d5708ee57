check "set verb/logput/dalli-log 'logged in'", stored(M.set('verb/logput/dalli-log', 'logged in', nil, raw: true)), true
check "set verb/logput/dalli-log 'logged out'", stored(M.set('verb/logput/dalli-log', 'logged out', nil, raw: true)), true
check 'get verb/logfetch/dalli-log', listed(M.get('verb/logfetch/dalli-log')).map(&:last), ['logged in', 'logged out']
