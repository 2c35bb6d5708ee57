# frozen_string_literal: true

require 'dalli'
require 'erb'
require 'securerandom'
require 'uri'

# Queues with workers, leaderboards, rate limits, locks and sets in memcached, by dalli.
#
#   verbs = Memverbs::Verbs.new(Dalli::Client.new('127.0.0.1:11211', socket_timeout: 30))
#   verbs.check
#   verbs.queue('mails').put('welcome:7', 'Alice')
#
# The server is a memverbs with --verb-keys verb/. The client may have any serializer and compress what an application
# caches: only strings pass here, as they are.
module Memverbs
  # A verb that was not carried out, or of which nobody knows whether it was.
  class VerbError < StandardError
    attr_reader :key

    def initialize(key, reason)
      super("#{key}: #{reason}")
      @key = key
    end
  end

  # Another token holds the lock.
  class LockHeld < StandardError; end

  # The lock was not held until its end.
  class LockLost < StandardError; end

  # One of several items that came in one value: the words of its line, and its data.
  Record = Struct.new(:words, :data)

  # Makes one word of any text: memcached's keys have no spaces, and the parts of a verb's key no slashes.
  def self.word(text)
    raise ArgumentError, 'a member or an id must not be empty' if text.empty?

    ERB::Util.url_encode(text)
  end

  # Returns the text of which word has made a word.
  def self.text(word) = URI.decode_www_form_component(word.gsub('+', '%2B'))

  # Reads the items of which a value consists: of each a line, whose third word is the size of the data that follows.
  def self.records(value)
    rest = value.to_s.b
    found = []
    until rest.empty?
      line, rest = rest.split("\n", 2)
      words = line.split(' ')
      size = words[2].to_i
      found << Record.new(words, rest.byteslice(0, size))
      rest = rest.byteslice(size + 1..)
    end
    found
  end

  # The verbs of a memverbs, through a Dalli::Client.
  class Verbs
    LONGEST_KEY = 250 # bytes; of longer ones dalli replaces the end by a digest, which would name another structure
    private_constant :LONGEST_KEY

    def initialize(client, prefix: 'verb/')
      @client = client
      @prefix = prefix
    end

    def queue(name) = Queue.new(self, name)
    def leaderboard(name) = Leaderboard.new(self, name)
    def limit(name, count, seconds) = Limit.new(self, name, count, seconds)
    def lock(name, seconds, holders: 1) = Lock.new(self, name, seconds, holders)
    def set(name) = Members.new(self, name)

    # Hides all items whose keys begin with the namespace, which the setting namespaces of memverbs must name.
    def flush(namespace) = delete('nsflush', namespace)

    # Raises VerbError if the server takes verbs for ordinary keys, as memcached does and memverbs without --verb-keys.
    def check
      return if get('limit', 'memverbs', 1, 1)

      raise VerbError.new(@prefix, 'the server takes this for the beginning of ordinary keys; ' \
                                   "start memverbs with --verb-keys #{@prefix}")
    end

    # These carry a verb by one of the client's methods.

    def get(*parts) = call(parts) { |key| @client.get(key) }
    def put(value, *parts) = call(parts) { |key| @client.set(key, value, nil, raw: true, compress: false) } ? true : false
    def add(value, seconds, *parts) = call(parts) { |key| @client.add(key, value, seconds, raw: true, compress: false) } ? true : false
    def touch(seconds, *parts) = call(parts) { |key| @client.touch(key, seconds) } ? true : false
    def delete(*parts) = call(parts) { |key| @client.delete(key) } ? true : false

    def count(number, *parts)
      call(parts) { |key| number.negative? ? @client.decr(key, -number) : @client.incr(key, number) }
    end

    private

    def call(parts)
      key = @prefix + parts.join('/')
      raise ArgumentError, "#{key} has more than #{LONGEST_KEY} bytes" if key.bytesize > LONGEST_KEY

      yield key
    rescue Dalli::NetworkError, Dalli::RingError => e
      raise VerbError.new(key, "no answer, so it may have been carried out: #{e.message}")
    rescue Dalli::DalliError => e # dalli drops what the server says of the reason
      raise VerbError.new(key, "#{e.message}; the log of memverbs has the reason")
    end
  end

  # What is stored under one key.
  class Structure
    attr_reader :name

    def initialize(verbs, name)
      if name.empty? || name.match?(%r{[\s/]})
        raise ArgumentError, "#{name.inspect} can't be a name: it must have neither white space nor a slash; " \
                             'Memverbs.word makes such a name'
      end
      @verbs = verbs
      @name = name
    end

    private

    def word(text) = Memverbs.word(text)
    def words(texts) = texts.map { |text| word(text) }.join(' ')
    def texts(value) = value.to_s.split(' ').map { |member| Memverbs.text(member) }
    def scores(value) = texts(value).each_slice(2).map { |member, score| [member, Integer(score)] }
  end

  # A task that this worker holds. Each method is false if the task has become another worker's, or is there no more.
  class Task
    attr_reader :id, :data

    def initialize(verbs, queue, id, data, stamp)
      @verbs = verbs
      @queue = queue
      @id = id
      @data = data
      @stamp = stamp
    end

    # How often the task was taken, this time included.
    def attempt = @stamp[/\d+\z/].to_i

    # Ends the task.
    def done = @verbs.delete('taskdone', @queue, @stamp)

    # Holds the task for so many seconds from now, as the work takes longer.
    def keep(seconds) = @verbs.touch(seconds, 'taskkeep', @queue, @stamp)

    # Gives the task back, to be taken after so many seconds.
    def retry(delay = 0) = @verbs.put(Queue.time(delay), 'taskretry', @queue, @stamp)
  end

  # Tasks, each of which is given out until a worker says that it is done.
  class Queue < Structure
    # The time of a task that is due after so many seconds.
    def self.time(delay) = delay.positive? ? "+#{(delay * 1000).round}" : '0'

    # Puts a task, to be done after so many seconds, in place of any with the same id.
    def put(id, data, delay: 0)
      @verbs.put(data, 'taskput', @name, word(id), Queue.time(delay))
    end

    # Puts a task unless there is one with the same id, and returns whether it did.
    def add(id, data, delay: 0)
      @verbs.add(data, 0, 'taskadd', @name, word(id), Queue.time(delay))
    end

    # Takes a task, which nobody else gets for so many seconds. Waits for one, at most +wait+ seconds, which have to be
    # fewer than the client's socket_timeout. With +most+, only tasks that were taken fewer times are given.
    def take(hold, most: nil, wait: 0)
      options = [*(['most', most] if most), *(['wait', (wait * 1000).ceil] if wait.positive?)]
      Memverbs.records(@verbs.get('tasktake', @name, hold, 1, *options)).map do |record|
        id, _, _, stamp = record.words
        Task.new(@verbs, @name, Memverbs.text(id), record.data, stamp)
      end.first
    end

    # Ends a task, whoever holds it.
    def drop(id) = @verbs.delete('taskdrop', @name, word(id))

    # The number of tasks, with those that are held, are not due, or failed too often.
    def size = @verbs.get('tasklen', @name).to_i

    # Has all tasks done by the block, until none is due for +wait+ seconds, and returns how many succeeded. When the
    # block raises an error, +failed+ is called with the task and the error, if it is given, and the task is tried again
    # after +pause+ seconds, +attempts+ times in all.
    def work(hold:, attempts: 10, pause: 60, wait: 0, failed: nil)
      succeeded = 0
      while (task = take(hold, most: attempts, wait: wait))
        begin
          yield task
        rescue StandardError => e
          failed&.call(task, e)
          task.retry(pause)
        else
          succeeded += 1 if task.done
        end
      end
      succeeded
    end
  end

  # Members with scores, which are whole numbers; the highest come first.
  class Leaderboard < Structure
    # Sets the score of a member.
    def put(member, score) = @verbs.put("#{score} #{word(member)}", 'zadd', @name)

    # Adds points to a score, for so many seconds if that is given, and returns the new score. memcached knows no
    # negative results: if the score is below zero then, that raises VerbError; it is counted all the same.
    def add(member, points = 1, seconds: nil)
      return @verbs.count(points, 'zincrby', @name, word(member)) unless seconds

      @verbs.count(points, 'zincrbyp', @name, word(member), seconds)
    end

    # The score of a member, nil if there is none.
    def score(member)
      found = @verbs.get('zget', @name, word(member))
      found.to_i unless found.nil? || found == 'null'
    end

    # The place of a member, from 0 for the highest score, nil if there is none.
    def place(member) = @verbs.get('zrevrank', @name, word(member))&.to_i

    # The members with the highest scores, after so many others.
    def top(count, offset: 0) = scores(@verbs.get('zrevrange', @name, offset, count, 'withscores'))

    # A member with so many before it and after it; none if it is not there.
    def around(member, count) = scores(@verbs.get('zrevaround', @name, word(member), count, 'withscores'))

    # Removes a member.
    def remove(member) = @verbs.delete('zrem', @name, word(member))

    # The number of members.
    def size = @verbs.get('zcard', @name).to_i
  end

  # Allows so many in any interval of so many seconds.
  class Limit < Structure
    # One more is allowed now; so many are; and in so many seconds it is worth asking again.
    Allowance = Struct.new(:allowed, :left, :wait)

    def initialize(verbs, name, count, seconds)
      super(verbs, name)
      @count = count
      @seconds = seconds
    end

    # Counts so many more if all of them are allowed, and returns whether they are.
    def allow?(number = 1) = @verbs.count(number, 'limit', @name, @count, @seconds) != 0

    # Tells what is allowed now, and counts nothing.
    def left
      allowed, left, milliseconds = @verbs.get('limit', @name, @count, @seconds).split.map(&:to_i)
      Allowance.new(allowed == 1, left, milliseconds / 1000.0)
    end
  end

  # A lock with a random token of its own, for one use at a time.
  class Lock < Structure
    def initialize(verbs, name, seconds, holders)
      super(verbs, name)
      @seconds = seconds
      @places = holders == 1 ? [] : ['holders', holders]
      @token = SecureRandom.urlsafe_base64
    end

    # Takes the lock, or, if this object holds it, holds it for as long again; false if another has it.
    def acquire = @verbs.add(@token, @seconds, 'lock', @name, *@places)

    # Holds the lock for so many seconds from now; false if it is not held any more.
    def extend_by(seconds) = @verbs.touch(seconds, 'relock', @name, @token)

    # Gives the lock back; false if it was not held any more.
    def release = @verbs.delete('unlock', @name, @token)

    # Runs the block under the lock, and returns its result. Raises LockHeld if another has the lock, and LockLost if the
    # block has succeeded, but not under the lock.
    def synchronize
      raise LockHeld, "another holds the lock #{@name}" unless acquire

      begin
        result = yield self
      rescue StandardError
        release
        raise
      end
      return result if release

      raise LockLost, "the lock #{@name} was lost before its end: ask for more than #{@seconds} seconds, or extend it in time"
    end
  end

  # A set of texts.
  class Members < Structure
    include Enumerable

    # Adds members, for so many seconds if that is given.
    def add(*members, seconds: nil)
      seconds ? @verbs.put(words(members), 'saddp', @name, seconds) : @verbs.put(words(members), 'sadd', @name)
    end

    # Adds a member, and returns whether it was not there.
    def add?(member) = @verbs.add(word(member), 0, 'saddnew', @name)

    # Removes members, such as are there.
    def remove(*members) = @verbs.put(words(members), 'srem', @name)

    # Whether a member is there.
    def include?(member) = @verbs.get('sismember', @name, word(member)) == '1'

    # The members that are in this set and in all others.
    def common(*others) = texts(@verbs.get('sinter', @name, *others.map(&:name)))

    def each(&block) = texts(@verbs.get('smembers', @name)).each(&block)

    def size = @verbs.get('scard', @name).to_i
  end
end
