# dalli, ten clients that ask for one page and make it if it is missing: held-dalli.rb <host:port>
require 'openssl'
require_relative 'checks'

PAGE = 'the page'.freeze
options = { protocol: :meta, socket_timeout: PATIENCE }
options[:ssl_context] = OpenSSL::SSL::SSLContext.new.tap { |tls| tls.set_params(ca_file: ENV['MEMCACHED_CA']) } if ENV['MEMCACHED_CA']

begin_checks('dalli', Dalli::VERSION)
made = Array.new(10) do
  Thread.new do
    client = Dalli::Client.new(ARGV[0], options)
    page = client.get('page:1')
    if page.nil?
      sleep 0.3
      client.set('page:1', PAGE)
    elsif page != PAGE
      abort "dalli: the page is #{page}"
    end
    client.close
    page.nil?
  end
end
puts "#{made.count(&:value)} made"
puts 'ok'
