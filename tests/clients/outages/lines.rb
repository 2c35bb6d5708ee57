# What the drivers in Ruby share: they answer a line after the other.
require 'dalli'

$stdout.sync = true
Dalli.logger.level = Logger::FATAL

# found is what was found, as a line.
def found(values) = values.compact.map { |key, value| "#{key}=#{value}" }.join(' ')

# serve answers each line by what the block returns.
def serve
  $stdin.each_line do |line|
    puts yield(*line.split)
  rescue Dalli::DalliError => e
    puts "error #{e.message}"
  end
end
