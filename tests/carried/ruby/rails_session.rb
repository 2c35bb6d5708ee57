# A session of Rails' store, which uses dalli: ruby rails_session.rb HOST PORT
# Members, elements and tokens must go as they are: raw. Rows may be anything.
require 'active_support'
require 'active_support/cache'

def check(what, got, expected)
  abort "Rails: #{what}: got #{got.inspect}, expected #{expected.inspect}" unless got == expected
  puts "#{what} -> #{got.inspect}"
end

# A write returns the CAS id that the client was told, which is 0 for a verb, or false or nil.
def stored(result) = result ? true : false

MONTHS = 90 * 24 * 60 * 60 # dalli sends it as a point in time
M = ActiveSupport::Cache::MemCacheStore.new("#{ARGV[0]}:#{ARGV[1]}")

check "write verb/sadd/rails 'apple pear'", stored(M.write('verb/sadd/rails', 'apple pear', raw: true, expires_in: 600)), true
check "write verb/srem/rails 'pear'", stored(M.write('verb/srem/rails', 'pear', raw: true)), true
check "write verb/srem/none 'pear'", stored(M.write('verb/srem/none', 'pear', raw: true)), false
check "write verb/sadd/rails of a list that is not raw", stored(M.write('verb/sadd/rails', %w[kiwi plum])), false
check 'read verb/smembers/rails', M.read('verb/smembers/rails', raw: true), 'apple'
check "write verb/rpush/rails-list 'x'", stored(M.write('verb/rpush/rails-list', 'x', raw: true, expires_in: MONTHS)), true
check 'read_multi', M.read_multi('verb/llen/rails-list', 'verb/scard/rails', 'none', raw: true),
      { 'verb/llen/rails-list' => '1', 'verb/scard/rails' => '1' }
check 'read verb/lpop/rails-list', M.read('verb/lpop/rails-list', raw: true), 'x'
check 'read verb/lpop/rails-list, which is empty now', M.read('verb/lpop/rails-list', raw: true), nil

# What is not raw goes by Rails' own serializer, and compressed if it is long.
every_byte = (0..255).to_a.pack('C*')
posts = [{ title: 'Hi there', tags: ['new', nil] }, 'two words', 42, :symbol, 'long ' * 5000, '', 'x', every_byte, every_byte * 128]
posts.each { |post| check "write verb/rput/rails-posts", stored(M.write('verb/rput/rails-posts', post, expires_in: MONTHS)), true }
check 'read verb/lrange/rails-posts/0/0', M.read('verb/lrange/rails-posts/0/0'), posts[0]
check 'read verb/lpop/rails-posts', posts.map { M.read('verb/lpop/rails-posts') }, posts
check 'read verb/lpop/rails-posts, which is empty now', M.read('verb/lpop/rails-posts'), nil

# Rails 6.1 gives no initial value.
check 'increment verb/hincr/rails-table/hits, where there is none', M.increment('verb/hincr/rails-table/hits'), nil
check 'write verb/hset/rails-table/hits 41', stored(M.write('verb/hset/rails-table/hits', 41, raw: true)), true
check 'increment verb/hincr/rails-table/hits', M.increment('verb/hincr/rails-table/hits'), 42
check 'decrement verb/hdecr/rails-table/hits', M.decrement('verb/hdecr/rails-table/hits', 2), 40
check 'write verb/hset/rails-table/tags', stored(M.write('verb/hset/rails-table/tags', %w[new paid], expires_in: MONTHS)), true
check 'read verb/hget/rails-table/tags', M.read('verb/hget/rails-table/tags'), %w[new paid]
check 'delete verb/hdel/rails-table/tags', M.delete('verb/hdel/rails-table/tags'), true
check 'increment verb/zincrby/rails-points/alice', M.increment('verb/zincrby/rails-points/alice', 3), 3

check 'write verb/lock/rails-job', stored(M.write('verb/lock/rails-job', 'alice', raw: true, unless_exist: true, expires_in: 30)), true
check 'write verb/lock/rails-job, another', stored(M.write('verb/lock/rails-job', 'bob', raw: true, unless_exist: true, expires_in: 30)), false
check 'delete verb/unlock/rails-job/bob', M.delete('verb/unlock/rails-job/bob'), false
check 'delete verb/unlock/rails-job/alice', M.delete('verb/unlock/rails-job/alice'), true

# A longer key has a digest in place of its end, so it names another member.
long = "#{'a' * 250}-end"
check 'increment of a long member', M.increment("verb/zincrby/rails-points/#{long}"), 1
members = M.read('verb/zrange/rails-points/0/-1', raw: true).split
check 'the member that was counted', [members.size, members.include?(long), members.first[/a+:md5:/].nil?], [2, false, false]
puts 'ok'
