# Sets, event logs and locks from dalli: ruby-dalli.rb HOST PORT
# It must speak the text protocol, and store strings as they are: raw.
require 'dalli'

def check(what, got, expected)
  abort "dalli: #{what}: got #{got.inspect}, expected #{expected.inspect}" unless got == expected
  puts "#{what} -> #{got.inspect}"
end

m = Dalli::Client.new("#{ARGV[0]}:#{ARGV[1]}", protocol: :meta)

check "set verb/sadd/dalli 'apple pear plum'", m.set('verb/sadd/dalli', 'apple pear plum', 600, raw: true) ? true : false, true
check "set verb/srem/dalli 'pear'", m.set('verb/srem/dalli', 'pear', nil, raw: true) ? true : false, true
check 'get verb/smembers/dalli', m.get('verb/smembers/dalli'), 'apple plum'
check 'get_multi of three verbs and a key',
      m.get_multi('verb/scard/dalli', 'verb/sismember/dalli/apple', 'verb/sismember/dalli/pear', 'none'),
      { 'verb/scard/dalli' => '2', 'verb/sismember/dalli/apple' => '1', 'verb/sismember/dalli/pear' => '0' }
check 'set verb/srem/none', m.set('verb/srem/none', 'a', nil, raw: true), false
check 'get verb/smembers/none', m.get('verb/smembers/none'), nil
check "set verb/logput/dalli-log 'logged in'", m.set('verb/logput/dalli-log', 'logged in', nil, raw: true) ? true : false, true
check "set verb/logput/dalli-log 'logged out'", m.set('verb/logput/dalli-log', 'logged out', nil, raw: true) ? true : false, true

events = m.get('verb/logfetch/dalli-log')
data = []
until events.empty?
  line, events = events.split("\n", 2)
  size = line.split[2].to_i
  data << events[0, size]
  events = events[size + 1..]
end
check 'get verb/logfetch/dalli-log', data, ['logged in', 'logged out']

check "add verb/lock/dalli-lock 'alice'", m.add('verb/lock/dalli-lock', 'alice', 30, raw: true) ? true : false, true
check "add verb/lock/dalli-lock 'bob'", m.add('verb/lock/dalli-lock', 'bob', 30, raw: true), false
check 'touch verb/relock/dalli-lock/alice', m.touch('verb/relock/dalli-lock/alice', 60), true
check 'touch verb/relock/dalli-lock/bob', m.touch('verb/relock/dalli-lock/bob', 60), nil
check 'delete verb/unlock/dalli-lock/bob', m.delete('verb/unlock/dalli-lock/bob'), false
check 'delete verb/unlock/dalli-lock/alice', m.delete('verb/unlock/dalli-lock/alice'), true
puts 'ok'
