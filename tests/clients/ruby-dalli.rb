# dalli: ruby-dalli.rb <host:port> [binary [refused]]
require 'json'
require 'openssl'
require_relative 'checks'

# dalli 5 is for Ruby 3.3, of which it needs this.
class String
  def byteindex(part, from = 0) = b.index(part.b, from)
end unless String.method_defined?(:byteindex)

PACKETS = ARGV.include?('binary')
OPTIONS = {
  # dalli takes the binary protocol by default; before 3.2 it knows no other.
  protocol: PACKETS ? :binary : :meta,
  # Every call to a proxy is answered within its --timeout, so this may be well above that.
  socket_timeout: PATIENCE,
  # Leave it to the server to say what is too large, so that this is tried too.
  value_max_bytes: 8 << 20
}
if ENV['MEMCACHED_CA'] # of a server that speaks TLS
  OPTIONS[:ssl_context] = OpenSSL::SSL::SSLContext.new.tap do |tls|
    tls.set_params(ca_file: ENV['MEMCACHED_CA'])
  end
end
OPTIONS.merge!(username: ENV['MEMCACHED_USERNAME'], password: ENV['MEMCACHED_PASSWORD']) if ENV['MEMCACHED_USERNAME']
OPTIONS.freeze
# get() of dalli 3.2.8 reads a value up to its first "\r\n" only, from any server, so these have none.
BINARY = ((0..255).map(&:chr).join + "\nEND\n").b

begin_checks('dalli', Dalli::VERSION)
CLIENT = Dalli::Client.new(ARGV[0], OPTIONS)
OLD = Dalli::VERSION < '3.1'

# check_error expects the block to raise an error that says what is given.
def check_error(operation, said)
  got = yield
  check(operation, said, got)
rescue Dalli::DalliError => e
  check(operation, true, e.message.include?(said) || e.message)
end

# quietly has the server leave out its answers.
def quietly(&changes) = CLIENT.public_send(OLD ? :multi : :quiet, &changes)

def storage(key)
  check('get missing', nil, CLIENT.get(key))
  check('replace missing', false, done(CLIENT.replace(key, 'x')))
  check('append missing', false, CLIENT.append(key, 'x'))
  check('prepend missing', false, CLIENT.prepend(key, 'x'))
  check('add', true, CLIENT.add(key, 'first', 0, raw: true) > 0)
  check('add again', false, CLIENT.add(key, 'second'))
  check('get added', 'first', CLIENT.get(key))
  check('replace', true, CLIENT.replace(key, 'second', 0, raw: true) > 0)
  check('append', true, CLIENT.append(key, ' third'))
  check('prepend', true, CLIENT.prepend(key, 'zeroth '))
  check('get appended', 'zeroth second third', CLIENT.get(key))
  ['', BINARY, 'Grüße, 世界', 17, [1, 'two', { three: nil }], LARGE * 4].each do |value| # the last gets compressed
    check('set', true, CLIENT.set(key, value) > 0)
    check('get', value, CLIENT.get(key))
    check('get_multi', { key => value }, CLIENT.get_multi(key))
  end
  check('set of a large value', true, CLIENT.set(key, LARGE, 0, compress: false, raw: true) > 0)
  check('get of a large value', LARGE, CLIENT.get(key))
  json = Dalli::Client.new(ARGV[0], OPTIONS.merge(serializer: JSON))
  check('set of JSON', true, json.set(key, { 'list' => [1, 2.5, nil, 'ü'] }) > 0)
  check('get of JSON', { 'list' => [1, 2.5, nil, 'ü'] }, json.get(key))
  json.close
  check('delete', true, CLIENT.delete(key))
  check('delete missing', false, done(CLIENT.delete(key)))
  check('fetch missing', 'fetched', CLIENT.fetch(key) { 'fetched' })
  check('fetch', 'fetched', CLIENT.fetch(key) { 'not asked for' })
  CLIENT.delete(key)
end

def cas(key)
  check('get_cas missing', [nil, 0], CLIENT.get_cas(key))
  check('cas missing', nil, CLIENT.cas(key) { 'x' })
  CLIENT.set(key, 'one')
  value, unique = CLIENT.get_cas(key)
  check('get_cas', 'one', value)
  check('set_cas', true, CLIENT.set_cas(key, 'two', unique) > 0)
  check('set_cas conflict', false, CLIENT.set_cas(key, 'three', unique))
  check('replace_cas conflict', false, CLIENT.replace_cas(key, 'three', unique))
  check('delete_cas conflict', false, CLIENT.delete_cas(key, unique))
  check('cas', true, CLIENT.cas(key) { |old| "#{old}!" } > 0)
  check('get swapped', 'two!', CLIENT.get(key))
  check('cas with a conflict within', false, CLIENT.cas(key) { CLIENT.set(key, 'faster') && 'slower' })
  _, unique = CLIENT.get_multi_cas(key)[key]
  check('replace_cas', true, CLIENT.replace_cas(key, 'four', unique) > 0)
  check('delete_cas', true, CLIENT.delete_cas(key, CLIENT.get_cas(key).last))
  check('get deleted', nil, CLIENT.get(key))
end

def numbers(key)
  check('incr missing', nil, CLIENT.incr(key))
  check('decr missing', nil, CLIENT.decr(key))
  check('incr missing with a default', 10, CLIENT.incr(key, 5, 100, 10))
  check('incr', 15, CLIENT.incr(key, 5))
  check('decr', 12, CLIENT.decr(key, 3))
  check('decr below 0', 0, CLIENT.decr(key, 100))
  CLIENT.set(key, (2**64 - 1).to_s, 0, raw: true)
  check('incr beyond 64 bits', 1, CLIENT.incr(key, 2))
  CLIENT.set(key, 'no number')
  check_error('incr of no number', PACKETS ? 'error 6' : 'CLIENT_ERROR') { CLIENT.incr(key) }
  check('get after an error', 'no number', CLIENT.get(key))
  CLIENT.delete(key)
end

def quiet(key)
  return if OLD # and loses step in some of these

  quietly do
    CLIENT.set(key, '10', 0, raw: true)
    CLIENT.add(key, 'no')
    CLIENT.append(key, '0')
    CLIENT.prepend(key, '1')
    CLIENT.incr(key, 5)
    CLIENT.decr(key, 3)
  end
  check('get after quiet', '1102', CLIENT.get(key))
  quietly do
    CLIENT.replace(key, 'no number')
    CLIENT.incr(key) # an error
  end
  check('get after a quiet error', 'no number', CLIENT.get(key))
  quietly { CLIENT.delete(key) }
  check('get after delete quiet', nil, CLIENT.get(key))
end

def expiry(key)
  check('touch missing', nil, CLIENT.touch(key, 10))
  check('gat missing', nil, CLIENT.gat(key, 10))
  CLIENT.set(key, 'x', 100)
  check('touch', true, CLIENT.touch(key, 200))
  check('gat', 'x', CLIENT.gat(key, 100))
  unless PACKETS # whose exptime has no sign, and dalli takes dates in the past for numbers of seconds
    check('touch into the past', true, CLIENT.touch(key, -1))
    check('get expired', nil, CLIENT.get(key))
  end
  check('set for a second', true, CLIENT.set(key, 'x', 1) > 0)
  eventually('get after a second', nil) { CLIENT.get(key) }
end

def many
  MANY.each { |key, value| CLIENT.set(key, value) }
  check('get_multi', MANY, CLIENT.get_multi(MANY.keys, 'nobody'))
  got = {}
  CLIENT.get_multi_cas(MANY.keys) { |key, (value, unique)| got[key] = value if unique.positive? }
  check('get_multi_cas', MANY, got)
  check('get_multi of large values', [LARGE] * 10, begin
    10.times { |i| CLIENT.set("large#{i}", LARGE, 0, raw: true, compress: false) }
    CLIENT.get_multi((0..9).map { |i| "large#{i}" }).values
  end)
  quietly { MANY.each_key { |key| CLIENT.delete(key) } }
  check('get_multi deleted', {}, CLIENT.get_multi(MANY.keys))
end

def limits
  # dalli hashes keys that are too long, and encodes those that have other than ASCII in them.
  ['k' * 250, "#{'k' * 249}l", 'k' * 251, 'ключ', 'k k'].each do |key|
    check('set of an unusual key', true, CLIENT.set(key, key) > 0)
    check('get of an unusual key', key, CLIENT.get(key))
    check('get_multi of an unusual key', [key], CLIENT.get_multi(key).values)
  end
  CLIENT.set('large', 'small')
  check_error('set of a value too large', PACKETS ? 'error 3' : 'SERVER_ERROR') { CLIENT.set('large', LARGE * 2, 0, compress: false) }
  check('get of a value too large', nil, CLIENT.get('large'))
  quietly { CLIENT.set('large', LARGE * 2, 0, compress: false) }
  check('get in step', 'k' * 250, CLIENT.get('k' * 250))
end

def server
  check('alive!', true, !CLIENT.alive!.nil?)
  check('version', true, CLIENT.version[ARGV[0]].start_with?('1.6.'))
  stats = CLIENT.stats[ARGV[0]]
  check('stats', true, stats['version'].start_with?('1.6.') && stats['pid'].to_i.positive?)
  check('reset_stats', [true], CLIENT.reset_stats)
  MANY.each { |key, value| CLIENT.set(key, value) }
  check('flush', [true], CLIENT.flush)
  check('get_multi flushed', {}, CLIENT.get_multi(MANY.keys))
  CLIENT.close
  check('get after close', nil, CLIENT.get('nobody'))
end

# With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, and the others are served.
def freeze_one
  MANY.each { |key, value| CLIENT.set(key, value) }
  return unless frozen

  served = MANY.count do |key, value|
    check('get while frozen', value, CLIENT.get(key))
    check('add while frozen', false, CLIENT.add(key, 'x'))
    true
  rescue Dalli::DalliError => e
    check('error while frozen', true, e.message.include?(PACKETS ? 'error 134: Temporary failure' : 'SERVER_ERROR') || e.message)
    check_error('add while frozen', PACKETS ? 'error 134' : 'SERVER_ERROR') { CLIENT.add(key, 'x') }
    false
  end
  check('some keys served while frozen', true, served.between?(1, MANY.size - 1))
  got = CLIENT.get_multi(MANY.keys)
  check('get_multi while frozen', MANY.slice(*got.keys), got)
  # dalli 3.2.8 takes an error for the end of what get_multi() is answered, and what comes after it for the answer to the
  # next call. It begins anew on another connection.
  CLIENT.close
  thaw
  check('get_multi when thawed', MANY, CLIENT.get_multi(MANY.keys))
end

# With a wrong password, a connection is kept until the first request on it has been refused too.
def refused
  check_error('get with a wrong password', 'Error authenticating: 0x20') { CLIENT.get('kept') }
  check_error('set with a wrong password', 'Response error 32') { CLIENT.set('kept', 'x') }
  check_error('delete with a wrong password', 'Error authenticating: 0x20') { CLIENT.delete('kept') }
  end_checks
end

refused if ARGV.include?('refused')
CLIENT.flush
%w[a b c d].each do |key| # enough for two memcacheds to get some
  storage(key)
  cas(key)
  numbers(key)
  quiet(key)
end
expiry('e')
many
limits
server
freeze_one
end_checks
