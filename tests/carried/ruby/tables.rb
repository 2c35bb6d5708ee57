# Data that is not raw is marshalled, and its flags say so: what comes back from a row has the class that was stored. The
# client shows nobody the flags themselves.
TAGS = { a: [1, nil] }.freeze
BYTES = "\0\n\xff ".b # a get of one key takes CR LF for the end of the value: together.rb has them
check "set verb/hset/dalli-table/name 'Alice'", stored(M.set('verb/hset/dalli-table/name', 'Alice', 600)), true
check 'set verb/hset/dalli-table/bytes', stored(M.set('verb/hset/dalli-table/bytes', BYTES, nil, raw: true)), true
check 'set verb/hset/dalli-table/tags', stored(M.set('verb/hset/dalli-table/tags', TAGS)), true
check 'set verb/hset/dalli-table/hits 41', stored(M.set('verb/hset/dalli-table/hits', 41, nil, raw: true)), true
check "set verb/hset/dalli-table/old 'gone', long ago", stored(M.set('verb/hset/dalli-table/old', 'gone', LONG_AGO)), true
check "add verb/hadd/dalli-table/name 'Bob'", M.add('verb/hadd/dalli-table/name', 'Bob'), false
check "add verb/hadd/dalli-table/city ''", stored(M.add('verb/hadd/dalli-table/city', '', 600, raw: true)), true

check 'get verb/hget/dalli-table/name', M.get('verb/hget/dalli-table/name'), 'Alice'
check 'get verb/hget/dalli-table/bytes', M.get('verb/hget/dalli-table/bytes').b, BYTES
check 'get verb/hget/dalli-table/tags', M.get('verb/hget/dalli-table/tags'), TAGS
check 'get verb/hget/dalli-table/hits', M.get('verb/hget/dalli-table/hits'), '41'
check 'get verb/hget/dalli-table/city', M.get('verb/hget/dalli-table/city'), ''
check 'get verb/hget/dalli-table/old', M.get('verb/hget/dalli-table/old'), nil
check 'get verb/hexists/dalli-table/name', M.get('verb/hexists/dalli-table/name'), '1'
check 'get verb/hexists/dalli-table/old', M.get('verb/hexists/dalli-table/old'), '0'

# The client counts by ma. With a default, a row that is not there is made.
check 'incr verb/hincr/dalli-table/hits', M.incr('verb/hincr/dalli-table/hits'), 42
check 'decr verb/hdecr/dalli-table/hits by 50', M.decr('verb/hdecr/dalli-table/hits', 50), 0
check 'incr verb/hincr/dalli-table/hits by 7', M.incr('verb/hincr/dalli-table/hits', 7), 7
check 'incr verb/hincr/dalli-table/none', M.incr('verb/hincr/dalli-table/none'), nil
check 'incr verb/hincr/dalli-table/made, from 5', M.incr('verb/hincr/dalli-table/made', 1, nil, 5), 5
check 'and again', M.incr('verb/hincr/dalli-table/made', 1, nil, 5), 6
check 'delete verb/hdel/dalli-table/made', M.delete('verb/hdel/dalli-table/made'), true

check 'delete verb/hdel/dalli-table/tags', M.delete('verb/hdel/dalli-table/tags'), true
check 'delete verb/hdel/dalli-table/tags', M.delete('verb/hdel/dalli-table/tags'), false
check 'get verb/hkeys/dalli-table', M.get('verb/hkeys/dalli-table'), 'name bytes hits city'
check 'get verb/hlen/dalli-table', M.get('verb/hlen/dalli-table'), '4'
# 1 is the client's flag of what is marshalled. The number has its old length, since memcached keeps it when it counts down.
check 'get verb/hgetall/dalli-table', listed(M.get('verb/hgetall/dalli-table').b),
      [['name', 1, Marshal.dump('Alice')], ['bytes', 0, BYTES], ['hits', 0, '7 '], ['city', 0, '']]

# A plain command on the key concerns the whole table.
check 'touch dalli-table', M.touch('dalli-table', 600), true
check 'get verb/hlen/dalli-table', M.get('verb/hlen/dalli-table'), '4'
check 'touch dalli-table, long ago', M.touch('dalli-table', LONG_AGO), true
check 'get verb/hget/dalli-table/name', M.get('verb/hget/dalli-table/name'), nil
check "set verb/hset/dalli-table/name 'Carol'", stored(M.set('verb/hset/dalli-table/name', 'Carol')), true
check 'get verb/hkeys/dalli-table', M.get('verb/hkeys/dalli-table'), 'name'
check 'delete dalli-table', M.delete('dalli-table'), true
check 'get verb/hgetall/dalli-table', M.get('verb/hgetall/dalli-table'), nil
check 'get verb/hlen/dalli-table', M.get('verb/hlen/dalli-table'), nil
check 'get verb/hexists/dalli-table/name', M.get('verb/hexists/dalli-table/name'), nil
