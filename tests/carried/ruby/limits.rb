quota = 'verb/limit/api:dalli/10/3600' # ten an hour
check "incr #{quota} 8", M.incr(quota, 8), 3
check "incr #{quota} 3", M.incr(quota, 3), 0
check "get #{quota}", M.get(quota, raw: true), '1 2 0'
