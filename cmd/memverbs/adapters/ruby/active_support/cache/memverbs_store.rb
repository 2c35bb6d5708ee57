# frozen_string_literal: true

require 'active_support'
require 'active_support/cache'
require 'active_support/cache/mem_cache_store'
require 'memverbs'

module ActiveSupport
  module Cache
    # Rails' store for memcached with delete_matched, locks and limits:
    #
    #   config.cache_store = :memverbs_store, '127.0.0.1:11211', { namespace: 'shop' }
    #
    # The server is a memverbs with --verb-keys verb/, and for each family of keys that is to be deleted at once a
    # namespace: --namespaces shop:views/,shop:user/
    class MemverbsStore < MemCacheStore
      # Deletes the entries whose names begin with a text, which ends in a star: <tt>delete_matched('views/*')</tt>.
      def delete_matched(matcher, options = nil)
        family = matcher.to_s[/\A([^*]+)\*\z/, 1] if matcher.is_a?(String)
        raise ArgumentError, "#{matcher.inspect} is not the beginning of names and a star, such as 'views/*'" unless family

        instrument(:delete_matched, matcher) do
          with_verbs { |verbs| verbs.flush(normalize_key(family, merged_options(options))) }
        end
      end

      # Runs the block, which is given the lock, while no other process has a lock of that name, and returns its result.
      # Raises Memverbs::LockHeld if one has it.
      def lock(name, seconds, holders: 1, &block)
        with_verbs { |verbs| verbs.lock(structure(name), seconds, holders: holders).synchronize(&block) }
      end

      # Counts one more if so many are allowed in any interval of so many seconds, and returns whether it is.
      def allow?(name, count, seconds, number = 1)
        with_verbs { |verbs| verbs.limit(structure(name), count, seconds).allow?(number) }
      end

      private

      # The key of a lock or a limit, in the store's namespace, apart from those of entries.
      def structure(name)
        normalize_key("structure:#{Memverbs.word(name)}", merged_options(nil))
      end

      def with_verbs
        @data.with { |client| yield Memverbs::Verbs.new(client) }
      end
    end
  end
end
