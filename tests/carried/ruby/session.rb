# A session of dalli: ruby session.rb HOST PORT [binary]
# Members, elements and tokens must go as they are: raw.
require 'dalli'

PACKETS = ARGV.include?('binary')
REFUSED = PACKETS ? 'Response error 4: Invalid arguments' : 'Response error: CLIENT_ERROR'
# An exptime in the past: dalli takes dates in the past for numbers of seconds. That of a packet has 32 bits and no sign.
LONG_AGO = PACKETS ? 1_000_000_000 - 2**32 : -1

def check(what, got, expected)
  abort "dalli: #{what}: got #{got.inspect}, expected #{expected.inspect}" unless got == expected
  puts "#{what} -> #{got.inspect}"
end

# Takes the value of a logfetch or hgetall apart: <when or field> <flags> <bytes>, line feed, data, line feed.
def listed(value)
  found = []
  until value.empty?
    line, value = value.split("\n", 2)
    name, flags, size = line.split
    found << [name, flags.to_i, value.byteslice(0, size.to_i)]
    value = value.byteslice(size.to_i + 1..)
  end
  found
end

# A set or add returns the CAS id that the client was told, which is 0 for a verb, or false.
def stored(result) = result ? true : false

M = Dalli::Client.new("#{ARGV[0]}:#{ARGV[1]}", protocol: PACKETS ? :binary : :meta)

%w[sets logs lists objects tables rankings locks limits tasks waits together quiet].each { |part| require_relative part }
puts 'ok'
