# Writes dalli.golden: where Ruby's Dalli puts keys.
#
#     ruby dalli.rb > dalli.golden

require 'dalli'

KEYS = 300
KEYS_PER_LINE = 50
TAIL = 'abcdefghijklmnopqrstuvwxyz-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ'.freeze

def record(pool, prefix, servers)
  dalli = servers.map { |s| Dalli::Protocol::Binary.new(s.delete_prefix('unix:'), {}) }
  dalli.each { |s| s.define_singleton_method(:alive?) { true } } # nothing listens there
  ring = Dalli::Ring.new(dalli, {})
  puts "\npool #{pool}\nlayout dalli\nprefix #{prefix}\ntail #{TAIL}"
  servers.each { |s| puts "server #{s}" }
  indexes = (0...KEYS).map do |i|
    format('%02x', dalli.index(ring.server_for_key("#{prefix}#{i}#{TAIL[0, i % (TAIL.length + 1)]}")))
  end
  indexes.each_slice(KEYS_PER_LINE) { |line| puts "keys #{line.join}" }
end

puts "# Made with Dalli #{Dalli::VERSION} by dalli.rb, which lies beside this file."
kinds = ['10.0.0.1', '10.0.0.2:11311:2', 'unix:/run/memcached.sock:3', 'cache-a:11211:7', '[2001:db8::2]:11211']
record('several kinds', 'key:', kinds)
record('keys that are not ASCII', 'clé€😀:', kinds)
record('uneven weights', 'key:', ['a.example:11211:1', 'b.example:11211:100', 'c.example:11211:1000'])
record('seven equals', 'key:', (1..7).map { |i| "10.0.0.#{i}:11211" })
record('one', 'key:', ['10.0.0.1:11211'])
