# Takes the value of a tasktake apart: <id> <flags> <bytes> <stamp>, line feed, data, line feed.
def taken(value)
  found = []
  until value.empty?
    line, value = value.split("\n", 2)
    id, flags, size, stamp = line.split
    found << [id, flags.to_i, value.byteslice(0, size.to_i), stamp]
    value = value.byteslice(size.to_i + 1..)
  end
  found
end

check "set verb/taskput/dalli-tasks/a/0 'Alice'", stored(M.set('verb/taskput/dalli-tasks/a/0', 'Alice', 600, raw: true)), true
check 'set verb/taskput/dalli-tasks/later/1906400000000',
      stored(M.set('verb/taskput/dalli-tasks/later/1906400000000', 'x', nil, raw: true)), true
(*first, old), = taken(M.get('verb/tasktake/dalli-tasks/30'))
check 'get verb/tasktake/dalli-tasks/30', first, ['a', 0, 'Alice']
check 'get verb/tasktake/dalli-tasks/30, when nothing is due', M.get('verb/tasktake/dalli-tasks/30'), nil
check 'touch verb/taskkeep/dalli-tasks/…', M.touch("verb/taskkeep/dalli-tasks/#{old}", 60), true
check "set verb/taskretry/dalli-tasks/… '0'", stored(M.set("verb/taskretry/dalli-tasks/#{old}", '0', nil, raw: true)), true
stamp = taken(M.get('verb/tasktake/dalli-tasks/30')).first.last
check 'the stamp of the second attempt', stamp, "#{old.chop}2"
check 'touch verb/taskkeep/dalli-tasks/…, of the first', M.touch("verb/taskkeep/dalli-tasks/#{old}", 60), nil
check 'delete verb/taskdone/dalli-tasks/…, of the first', M.delete("verb/taskdone/dalli-tasks/#{old}"), false
check 'delete verb/taskdone/dalli-tasks/…', M.delete("verb/taskdone/dalli-tasks/#{stamp}"), true
check 'get verb/tasklist/dalli-tasks', listed(M.get('verb/tasklist/dalli-tasks')), [['later', 0, '1906400000000 0 0']]
check 'delete verb/taskdrop/dalli-tasks/later', M.delete('verb/taskdrop/dalli-tasks/later'), true
check 'delete verb/taskdrop/dalli-tasks/later', M.delete('verb/taskdrop/dalli-tasks/later'), false

check 'add verb/taskadd/dalli-once/a/1906400000000', M.add('verb/taskadd/dalli-once/a/1906400000000', 'x', nil, raw: true) ? true : false, true
check 'add verb/taskadd/dalli-once/a/0', M.add('verb/taskadd/dalli-once/a/0', 'y', nil, raw: true) ? true : false, false
(*first, stamp), = taken(M.get('verb/taskpeek/dalli-once/a'))
check 'get verb/taskpeek/dalli-once/a', [*first, stamp[-2..]], ['a', 0, 'x', '.0']
check 'get verb/taskpeek/dalli-once/b', M.get('verb/taskpeek/dalli-once/b'), nil
check "set verb/taskmove/dalli-once/a '0'", stored(M.set('verb/taskmove/dalli-once/a', '0', nil, raw: true)), true
check 'get verb/tasktake/dalli-once/30/most/1', taken(M.get('verb/tasktake/dalli-once/30/most/1')).first.last, "#{stamp.chop}1"
check "set verb/taskmove/dalli-once/a '0', held", stored(M.set('verb/taskmove/dalli-once/a', '0', nil, raw: true)), false
check 'get verb/tasktake/dalli-once/30/5/most/1', M.get('verb/tasktake/dalli-once/30/5/most/1'), nil

# Quietly, and then several at once.
M.quiet do
  M.set('verb/taskput/dalli-tasks/bytes/1600000000001', "\0\r\n\xff ".b, nil, raw: true)
  M.set('verb/taskput/dalli-tasks/number/1600000000002', 30)
  M.set('verb/taskput/dalli-tasks/none', 'no time')
end
got = M.get_multi('verb/tasktake/dalli-tasks/30/10', 'verb/tasklen/dalli-tasks', 'verb/tasktake/none/30')
both = taken(got.delete('verb/tasktake/dalli-tasks/30/10').b)
check 'get_multi that takes two', both.map { |task| task.take(3) },
      [['bytes', 0, "\0\r\n\xff ".b], ['number', 1, Marshal.dump(30)]]
check 'and what else it got', got, { 'verb/tasklen/dalli-tasks' => '2' }
M.quiet do
  M.set("verb/taskretry/dalli-tasks/#{both[0].last}", '1906400000000', nil, raw: true)
  M.delete("verb/taskdone/dalli-tasks/#{both[1].last}")
  M.delete('verb/taskdrop/dalli-tasks/none')
end
check 'get verb/tasklist/dalli-tasks', listed(M.get('verb/tasklist/dalli-tasks')), [['bytes', 0, '1906400000000 1 0']]
check 'delete dalli-tasks', M.delete('dalli-tasks'), true
