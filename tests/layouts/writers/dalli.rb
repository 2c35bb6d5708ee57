# Stores keys with Dalli:
#
#     ruby dalli.rb dalli <keys-file> <host:port[:weight]>...

require "dalli"

_layout, keys_file, *servers = ARGV
client = Dalli::Client.new(servers, compress: false)
client.multi do
  File.foreach(keys_file, chomp: true, encoding: "BINARY") do |key|
    client.set(key, key, nil, raw: true)
  end
end
client.close
