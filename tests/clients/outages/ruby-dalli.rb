# dalli: ruby-dalli.rb <host:port> [meta]
require 'dalli'

$stdout.sync = true
Dalli.logger.level = Logger::FATAL
options = { socket_timeout: 20 }
options[:protocol] = :meta if ARGV.include?('meta') # 3.0 and 3.2 speak the binary protocol by default, 5 no longer
CLIENT = Dalli::Client.new(ARGV[0], options)

def found(values) = values.compact.map { |key, value| "#{key}=#{value}" }.join(' ')

def answer(command, key, *rest)
  case command
  when 'set' then CLIENT.set(key, *rest, 0, raw: true) ? 'stored' : 'not stored'
  when 'get' then found(key => CLIENT.get(key))
  when 'multi' then found(CLIENT.get_multi(key, *rest))
  end
rescue Dalli::DalliError => e
  "error #{e.message}"
end

$stdin.each_line { |line| puts answer(*line.split) }
