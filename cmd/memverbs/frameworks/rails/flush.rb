require 'active_support'
require 'active_support/cache'
require 'active_support/cache/mem_cache_store'

# Rails' store, with a delete_matched that takes the beginning of names and a star.
class FamilyStore < ActiveSupport::Cache::MemCacheStore
  def delete_matched(matcher, options = nil)
    delete("verb/nsflush/#{normalize_key(matcher.delete_suffix('*'), options)}", namespace: nil)
  end
end

cache = FamilyStore.new(ARGV[0] || '127.0.0.1:11211', namespace: 'shop')
cache.write('views/7', '<p>Anne</p>')
cache.write('users/7', 'Anne')
p cache.delete_matched('views/*')
p cache.read_multi('views/7', 'users/7')
cache.write('views/7', '<p>Anne B.</p>')
p cache.read('views/7')
p cache.delete_matched('users/*')
