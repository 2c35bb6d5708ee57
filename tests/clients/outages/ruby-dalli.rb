# dalli: ruby-dalli.rb <host:port> [meta]
require_relative 'lines'

options = { socket_timeout: 20 }
options[:protocol] = :meta if ARGV.include?('meta') # 3.0 and 3.2 speak the binary protocol by default, 5 no longer
client = Dalli::Client.new(ARGV[0], options)

serve do |command, key, *rest|
  case command
  when 'set' then client.set(key, *rest, 0, raw: true) ? 'stored' : 'not stored'
  when 'get' then found(key => client.get(key))
  when 'multi' then found(client.get_multi(key, *rest))
  end
end
