# A get that waits answers as soon as there is something, and misses when the time is over.
M.set('verb/rpush/dalli-waits', 'a b', 600, raw: true)
check 'get verb/lpop/dalli-waits/wait/60000', M.get('verb/lpop/dalli-waits/wait/60000'), 'a'
check 'get verb/rpop/dalli-waits/5/wait/60000', M.get('verb/rpop/dalli-waits/5/wait/60000'), 'b'
%w[lpop/dalli-waits/wait/1 rpop/dalli-waits/5/wait/1 tasktake/dalli-waits-tasks/30/1/wait/1 logfetch/dalli-waits-log/1/wait/1].each do |key|
  check "get verb/#{key}", M.get("verb/#{key}"), nil
end
M.set('verb/taskput/dalli-waits-tasks/a/0', 'Alice', nil, raw: true)
check 'get verb/tasktake/dalli-waits-tasks/30/1/wait/60000', M.get('verb/tasktake/dalli-waits-tasks/30/1/wait/60000').lines[1], "Alice\n"
M.set('verb/logput/dalli-waits-log', 'logged in', nil, raw: true)
check 'get verb/logfetch/dalli-waits-log/1/wait/60000', listed(M.get('verb/logfetch/dalli-waits-log/1/wait/60000'))[0][2], 'logged in'
