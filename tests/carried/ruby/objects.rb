# Objects go by Marshal, and compressed if they are long.
every_byte = (0..255).to_a.pack('C*')
objects = [{ to: 'alice', of: [1, nil, 2.5] }, 'two words', 42, :symbol, 'long ' * 5000, (1..3), "\0\n ~", '', 'x', every_byte, every_byte * 128]
objects << "\r\n" if PACKETS # its :meta takes CR LF for the end of a value, of an item too
objects.each { |object| check "set verb/rput/dalli-objects #{object.inspect[0, 20]}", stored(M.set('verb/rput/dalli-objects', object, 600)), true }
check 'get verb/lrange/dalli-objects/0/0', M.get('verb/lrange/dalli-objects/0/0'), objects[0]
check 'get verb/lpop/dalli-objects', objects.map { M.get('verb/lpop/dalli-objects') }, objects
check 'get verb/lpop/dalli-objects, which is empty now', M.get('verb/lpop/dalli-objects'), nil
