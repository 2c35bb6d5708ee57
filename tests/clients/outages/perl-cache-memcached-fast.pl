# Cache::Memcached::Fast: perl-cache-memcached-fast.pl <host:port>. What is refused looks like a miss to it.
use strict;
use warnings;
use Cache::Memcached::Fast;

my $client = Cache::Memcached::Fast->new({
    servers         => [ $ARGV[0] ],
    connect_timeout => 20,
    io_timeout      => 20,
    close_on_error  => 0,    # so that it shows whether it stays in step
});

$| = 1;
while (my $line = <STDIN>) {
    my ($command, $key, @rest) = split ' ', $line;
    if ($command eq 'set') {
        my $stored = $client->set($key, @rest);
        print defined $stored ? $stored ? "stored\n" : "not stored\n" : "error\n";
    } else {
        my $found = $command eq 'get' ? { $key => scalar $client->get($key) } : $client->get_multi($key, @rest);
        print join(' ', map { defined $found->{$_} ? "$_=$found->{$_}" : () } sort keys %$found), "\n";
    }
}
