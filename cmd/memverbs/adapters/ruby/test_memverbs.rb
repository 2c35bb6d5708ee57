# frozen_string_literal: true

# Proves memverbs.rb and the store for Rails: ruby test_memverbs.rb PROTOCOL MEMVERBS MEMCACHED, the last two as HOST:PORT; it
# says each scenario that holds.

$LOAD_PATH.unshift(__dir__)
require 'active_support'
require 'active_support/cache'
require 'memverbs'

$stdout.sync = true
Dalli.logger = Logger.new($stderr) # not where scenarios are said
PROTOCOL = ARGV[0].to_sym
ODD = "Ä b/c%2F+&é\n日😀" # a text that is neither a word nor ASCII
LONG = 3600 # seconds: longer than any test

def connect(address) = Dalli::Client.new(address, protocol: PROTOCOL, socket_timeout: 60, down_retry_delay: 1)

# Says the scenario if its block raises nothing.
def scenario(text)
  yield
  puts text
end

# Ends the test if two values differ.
def equal(got, expected)
  raise "got #{got.inspect}, expected #{expected.inspect}" unless got == expected
end

# Expects an error whose message has these parts.
def raises(kind, *parts)
  yield
rescue kind => e
  equal(parts.reject { |part| e.message.include?(part) }, [])
else
  raise "no #{kind}"
end

# Has whoever runs this test take a step of an outage.
def ask(step)
  puts "! #{step}"
  $stdin.gets
end

# Repeats the block until it is true and raises no error, for a minute at most.
def again
  finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
  begin
    raise 'still false' unless yield
  rescue StandardError
    raise if Process.clock_gettime(Process::CLOCK_MONOTONIC) > finish

    sleep 0.1
    retry
  end
end

client = connect(ARGV[1])
verbs = Memverbs::Verbs.new(client)
verbs.check

scenario 'words: any text comes back as it was, of a member and of an id' do
  names = verbs.set('words')
  names.add(ODD, 'noreply')
  equal([names.to_a, names.include?(ODD), names.include?('b')], [[ODD, 'noreply'], true, false])
  verbs.queue('words-tasks').put(ODD, 'x')
  equal(verbs.queue('words-tasks').take(LONG).id, ODD)
end

scenario "words: what can't be a name is refused before it is sent" do
  ['', 'a b', 'a/b'].each { |name| raises(ArgumentError, "can't be a name") { verbs.set(name) } }
  raises(ArgumentError, '250 bytes') { verbs.set('a' * 240).to_a }
end

scenario 'records: data of any bytes is read as it was put' do
  every = ((0..255).to_a.pack('C*') + "\n\n".b) * 100 # long enough to be compressed
  queue = verbs.queue('records')
  queue.put('a', every)
  queue.put('b', '')
  equal([queue.take(LONG).data, queue.take(LONG).data], [every, ''])
  equal(Memverbs.records("a 0 3\nx\ny\nb 7 0 s.1\n\n").map(&:to_a), [[%w[a 0 3], "x\ny"], [%w[b 7 0 s.1], '']])
end

scenario 'errors: a refusal tells the key, and the reason or where it is' do
  raises(Memverbs::VerbError, 'verb/limit/errors/5/0', 'the log of memverbs') { verbs.limit('errors', 5, 0).allow? }
end

scenario 'errors: a server that takes verbs for keys is found out' do
  raises(Memverbs::VerbError, '--verb-keys verb/') { Memverbs::Verbs.new(connect(ARGV[2])).check }
end

queue = verbs.queue('mails')

scenario 'queue: a task is given to one worker until it is done' do
  queue.put('welcome:7', 'Alice')
  task = queue.take(LONG)
  equal([task.id, task.data, task.attempt], ['welcome:7', 'Alice', 1])
  equal([queue.take(LONG), queue.size], [nil, 1])
  equal([task.keep(LONG), task.done, task.done, queue.size], [true, true, false, 0])
end

scenario 'queue: a task that is there is not added again' do
  equal([queue.add('report', 'first'), queue.add('report', 'second')], [true, false])
  equal([queue.take(LONG).data, queue.drop('report'), queue.drop('report')], ['first', true, false])
end

scenario 'queue: a task for later is not given now' do
  queue.put('later', 'x', delay: LONG)
  equal([queue.take(LONG), queue.drop('later')], [nil, true])
end

scenario 'queue: a worker tries again what fails, and leaves alone what fails too often' do
  queue.put('good', 'x')
  queue.put('bad', 'x')
  failures = []
  succeeded = queue.work(hold: LONG, attempts: 3, pause: 0, failed: ->(task, e) { failures << [task.attempt, e.message] }) do |task|
    raise 'no connection' if task.id == 'bad'
  end
  equal([succeeded, failures, queue.size], [1, [1, 2, 3].map { |n| [n, 'no connection'] }, 1])
  queue.drop('bad')
end

scenario 'queue: a worker that waits gets a task that is put meanwhile' do
  putter = Thread.new { Memverbs::Verbs.new(connect(ARGV[1])).queue('mails').put('new', 'x') }
  equal(queue.take(LONG, wait: 30).id, 'new')
  putter.join
end

board = verbs.leaderboard('points')

scenario 'leaderboard: points add up, and the highest scores come first' do
  board.put('ann', 120)
  equal([board.add('bob', 90), board.add('bob', 5, seconds: LONG), board.add(ODD), board.add('ann', -20)], [90, 95, 1, 100])
  equal([board.top(2), board.top(5, offset: 2), board.size], [[['ann', 100], ['bob', 95]], [[ODD, 1]], 3])
end

scenario "leaderboard: a member's score, place and neighbours" do
  equal([board.score('bob'), board.place('bob'), board.around('bob', 1)], [95, 1, [['ann', 100], ['bob', 95], [ODD, 1]]])
  equal([board.score('cid'), board.place('cid'), board.around('cid', 1)], [nil, nil, []])
  board.remove('bob')
  equal(board.top(-1), [['ann', 100], [ODD, 1]])
end

scenario 'leaderboard: a score below zero is an error, and counted all the same' do
  raises(Memverbs::VerbError, 'zincrby/points/dan') { board.add('dan', -7) }
  equal(board.score('dan'), -7)
end

limit = verbs.limit('login:ann', 3, LONG)

scenario 'limit: so many are allowed, and no more' do
  equal([limit.left.allowed, limit.left.left], [true, 3])
  equal([2, 2, 1, 1].map { |number| limit.allow?(number) }, [true, false, true, false])
end

scenario 'limit: who is refused is told when to ask again' do
  equal([limit.left.allowed, limit.left.left, limit.left.wait.between?(0.001, 2 * LONG)], [false, 0, true])
end

scenario 'lock: one has it at a time' do
  mine = verbs.lock('report', LONG)
  other = verbs.lock('report', LONG)
  equal([mine.acquire, mine.acquire, other.acquire], [true, true, false])
  raises(Memverbs::LockHeld, 'report') { other.synchronize { raise 'runs' } }
  equal([mine.extend_by(LONG), other.release, mine.release, other.synchronize { 5 }], [true, false, true, 5])
  equal(Array.new(3) { verbs.lock('crawl', LONG, holders: 2).acquire }, [true, true, false])
end

scenario 'lock: who has lost it is told so' do
  lock = verbs.lock('page', LONG)
  raises(Memverbs::LockLost, 'page') { lock.synchronize { lock.release } }
end

fruits = verbs.set('fruits')

scenario 'set: members are added and removed' do
  equal([fruits.size, fruits.include?('apple'), fruits.to_a], [0, false, []])
  fruits.add('apple', 'pear', 'apple')
  fruits.add('plum', seconds: LONG)
  fruits.remove('pear', 'fig')
  equal([fruits.to_a, fruits.size, fruits.include?('apple'), fruits.include?('pear')], [%w[apple plum], 2, true, false])
end

scenario 'set: a member that is new is told from one that was there' do
  equal([fruits.add?('fig'), fruits.add?('fig')], [true, false])
end

scenario 'set: the members that several sets have' do
  verbs.set('red').add('apple', 'cherry')
  equal(fruits.common(verbs.set('red')), ['apple'])
end

scenario 'namespaces: a flush hides the keys of the namespace, and no others' do
  client.set('pages:1', ['x'])
  client.set('other:1', ['x'])
  verbs.flush('pages:')
  equal([client.get('pages:1'), client.get('other:1')], [nil, ['x']])
  raises(Memverbs::VerbError, 'nsflush/other:') { verbs.flush('other:') }
end

scenario 'outage: a verb is an error while its server is down, and works again' do
  ask('stop the memcacheds')
  raises(Memverbs::VerbError, 'verb/sadd/fruits') { fruits.add('kiwi') }
  ask('start the memcacheds')
  again { fruits.add?('kiwi') }
end

scenario 'outage: a verb is an error while memverbs is down, and works again' do
  ask('stop memverbs')
  raises(Memverbs::VerbError, 'verb/sadd/fruits', 'no answer') { fruits.add('lime') }
  ask('start memverbs')
  again { fruits.add?('lime') }
end

scenario 'outage: what a plain get is, and when the client tries again' do
  client.set('kept', 1)
  ask('stop the memcacheds')
  3.times { raises(Dalli::DalliError, 'Response error') { client.get('kept') } }
  ask('start the memcacheds')
  client.get('kept')
  ask('stop memverbs')
  3.times { raises(Dalli::RingError, 'No server available') { client.get('kept') } }
  ask('start memverbs')
  again { client.set('kept', 1) }
  equal(Dalli::Protocol::ConnectionManager::DEFAULTS[:down_retry_delay], 30)
end

cache = ActiveSupport::Cache.lookup_store(:memverbs_store, ARGV[1], { namespace: 'rails', protocol: PROTOCOL, down_retry_delay: 1 })

scenario 'Rails: delete_matched deletes a family of entries, and no others' do
  cache.write('views/1', { title: 'Hi' })
  cache.write('users/1', { name: 'Ann' })
  equal([cache.read('views/1'), cache.exist?('users/1')], [{ title: 'Hi' }, true])
  cache.delete_matched('views/*')
  equal([cache.read('views/1'), cache.read('users/1')], [nil, { name: 'Ann' }])
  equal([cache.fetch('views/1') { 'new' }, cache.read('views/1')], %w[new new])
  raises(ArgumentError, 'views/*') { cache.delete_matched(/views/) }
  raises(Memverbs::VerbError, 'nsflush/rails:users/') { cache.delete_matched('users/*') }
end

scenario 'Rails: a lock and a limit of the store' do
  said = cache.lock('report for ann/7', LONG) do
    raises(Memverbs::LockHeld, 'report') { cache.lock('report for ann/7', LONG) { raise 'runs' } }
    'done'
  end
  equal([said, cache.lock('report for ann/7', LONG) { 'again' }], %w[done again])
  equal(Array.new(3) { cache.allow?('login of ann', 2, LONG) }, [true, true, false])
end

scenario 'Rails: during an outage a read is a miss, and a lock an error' do
  ['the memcacheds', 'memverbs'].each do |name|
    cache.write('views/1', 'old')
    ask("stop #{name}")
    equal([cache.read('views/1'), cache.write('views/1', 'new'), cache.fetch('views/1') { 'made' }], [nil, false, 'made'])
    raises(Memverbs::VerbError, 'verb/lock/') { cache.lock('outage', LONG) { raise 'runs' } }
    raises(Memverbs::VerbError, 'verb/limit/') { cache.allow?('outage', 2, LONG) }
    raises(Memverbs::VerbError, 'verb/nsflush/rails:views/') { cache.delete_matched('views/*') }
    ask("start #{name}")
    again { cache.write('views/1', 'back') }
    equal(cache.read('views/1'), 'back')
  end
end
