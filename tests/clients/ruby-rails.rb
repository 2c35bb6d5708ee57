# Rails' store, which uses dalli: ruby-rails.rb <host:port>
require 'active_support'
require 'active_support/cache'
require 'active_support/core_ext/numeric/time'
require_relative 'checks'

BINARY = ((0..255).map(&:chr).join + "\r\nEND\r\n").b

begin_checks('Rails', ActiveSupport::VERSION::STRING)
# Every call to a proxy is answered within its --timeout, so this may be well above that.
STORE = ActiveSupport::Cache::MemCacheStore.new(ARGV[0], socket_timeout: PATIENCE)

def storage(key)
  check('read missing', nil, STORE.read(key))
  check('write unless there is one', true, done(STORE.write(key, 'first', unless_exist: true)))
  check('write unless there is one, again', false, done(STORE.write(key, 'second', unless_exist: true)))
  check('read', 'first', STORE.read(key))
  ['', BINARY, 'Grüße, 世界', 17, nil, [1, 'two', { three: nil }], LARGE * 4].each do |value| # the last gets compressed
    check('write', true, done(STORE.write(key, value)))
    check('read', value, STORE.read(key))
    check('exist?', true, STORE.exist?(key))
  end
  check('fetch', 'fetched', STORE.fetch("#{key}-fetch") { 'fetched' })
  check('fetch again', 'fetched', STORE.fetch("#{key}-fetch") { 'anew' })
  check('delete', true, STORE.delete(key))
  check('delete missing', false, STORE.delete(key))
  check('read deleted', nil, STORE.read(key))
end

def numbers(key)
  check('increment missing', nil, STORE.increment(key))
  STORE.write(key, 10, raw: true)
  check('increment', 15, STORE.increment(key, 5))
  check('decrement', 12, STORE.decrement(key, 3))
  check('decrement below 0', 0, STORE.decrement(key, 100))
  STORE.write(key, 'no number', raw: true)
  check('increment of no number', nil, STORE.increment(key))
  check('read after an error', 'no number', STORE.read(key, raw: true))
end

def expiry(key)
  check('write for months', true, done(STORE.write(key, 'x', raw: true, expires_in: 90.days)))
  check('read after a write for months', 'x', STORE.read(key, raw: true))
  check('write for a second', true, done(STORE.write(key, 'x', raw: true, expires_in: 1)))
  eventually('read after a second', nil) { STORE.read(key, raw: true) }
end

def many
  STORE.write_multi(MANY)
  check('read_multi', MANY, STORE.read_multi(*MANY.keys, 'nobody'))
  check('fetch_multi', MANY.slice('many1').merge('none' => 'made'), STORE.fetch_multi('many1', 'none') { 'made' })
  STORE.delete_multi(MANY.keys)
  check('read_multi deleted', {}, STORE.read_multi(*MANY.keys))
end

def limits
  # Rails puts a digest in the place of the end of a key that is too long, and encodes spaces and whatever is not ASCII.
  ['k' * 250, "#{'k' * 249}l", 'k' * 251, 'ключ', 'k k'].each do |key|
    check('write of an unusual key', true, done(STORE.write(key, key)))
    check('read of an unusual key', key, STORE.read(key))
  end
  check('write of a value too large', false, done(STORE.write('large', LARGE * 2, raw: true)))
  check('read in step', 'k' * 250, STORE.read('k' * 250))
end

def server
  check('stats', true, STORE.stats[ARGV[0]]['version'].start_with?('1.6.'))
  STORE.write_multi(MANY)
  STORE.clear
  check('read_multi cleared', {}, STORE.read_multi(*MANY.keys))
end

# With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, which this store takes for a miss and for a
# write that was not made. The others are served.
def freeze_one
  STORE.write_multi(MANY)
  return unless frozen

  served = MANY.count do |key, value|
    got = STORE.read(key)
    check('read while frozen', value, got) unless got.nil?
    check('write while frozen', !got.nil?, done(STORE.write(key, value)))
    !got.nil?
  end
  check('some keys served while frozen', true, served.between?(1, MANY.size - 1))
  thaw
  STORE.write_multi(MANY)
  check('read_multi when thawed', MANY, STORE.read_multi(*MANY.keys))
end

STORE.clear
%w[a b c d].each do |key| # enough for two memcacheds to get some
  storage(key)
  numbers(key)
end
expiry('e')
many
limits
server
freeze_one
end_checks
