# Stores keys with Cache::Memcached::Fast:
#
#     [KEY_PREFIX=<prefix>] perl cache-memcached-fast.pl cache-memcached-fast <keys-file> <host:port[:weight]>...
#
# With KEY_PREFIX that is the client's namespace, and values begin with it as well.

use strict;
use warnings;
use Cache::Memcached::Fast;

my ($layout, $keys_file, @servers) = @ARGV;
my $prefix = $ENV{KEY_PREFIX} // '';

my $client = Cache::Memcached::Fast->new({
    servers => [map { /^([^:]+:\d+)(?::(\d+))?$/ ? { address => $1, weight => $2 // 1 } : die "server $_\n" } @servers],
    namespace => $prefix,
    nowait  => 1,
    connect_timeout => 20,
    io_timeout => 20,
});

open my $keys, '<:raw', $keys_file or die "$keys_file: $!\n";
while (my $key = <$keys>) {
    chomp $key;
    $client->set($key, $prefix . $key);    # in void context, so that nowait applies
}
$client->nowait_push;
