# Rails' store, which uses dalli: ruby-rails.rb <host:port>. What is refused looks like a miss to it.
require 'active_support'
require 'active_support/cache'
require_relative 'lines'

store = ActiveSupport::Cache::MemCacheStore.new(ARGV[0], socket_timeout: 20)

serve do |command, key, *rest|
  case command
  when 'set' then store.write(key, *rest, raw: true) ? 'stored' : 'not stored'
  when 'get' then found(key => store.read(key, raw: true))
  when 'multi' then found(store.read_multi(key, *rest, raw: true))
  end
end
