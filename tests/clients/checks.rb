# What the scripts of the Ruby clients share: values, comparing, waiting, and talking with the test that runs them.
require 'dalli'

PATIENCE = 20 # seconds, for what is bound to happen
LARGE = 'x' * (1024 * 1024 - 512)
MANY = (0..39).to_h { |i| ["many#{i}", "value #{i}"] }

$stdout.sync = true
Dalli.logger.level = Logger::FATAL
$checks = 0

# begin_checks says which client it is.
def begin_checks(client, version)
  puts "#{client} #{version}"
  $client = client
end

# check compares what the client returned with what it should have. The first difference ends the script.
def check(operation, expected, got)
  $checks += 1
  abort "#{$client}: #{operation}: expected #{expected.inspect[0, 200]}, got #{got.inspect[0, 200]}" if got != expected
end

# eventually expects the block to return what is expected before long.
def eventually(operation, expected)
  give_up = Time.now + PATIENCE
  sleep 0.05 while yield != expected && Time.now < give_up
  check(operation, expected, yield)
end

# done is whether a change was made. Versions of dalli differ in what they return for one that was not.
def done(result) = ![false, nil, 0].include?(result)

# frozen has the test freeze one of the memcacheds behind the proxy. False if there is none.
def frozen = ask('freeze') == 'frozen'

# thaw has it go on, and returns when the proxy uses it again.
def thaw = check('thaw', 'thawed', ask('thaw'))

def ask(what)
  puts what
  $stdin.gets.to_s.chomp
end

# end_checks ends the script.
def end_checks
  puts "#{$checks} checks", 'ok'
  exit
end
