# Writes cache-memcached-fast.golden: where Perl's Cache::Memcached::Fast puts keys.
#
#     perl cache-memcached-fast.pl > cache-memcached-fast.golden
#
# The servers are made up by a second process, which tells the first which of
# them got a key. They listen on addresses of the loopback network.

use v5.36;
use Cache::Memcached::Fast;
use IO::Select;
use IO::Socket::INET;

my ($keys, $keys_per_line) = (300, 50);
my $tail = 'abcdefghij-éàü€-KLMNOPQRSTUVWXYZ-0123456789-klmnopqrstuvwxyz'; # bytes: no "use utf8"

# serve takes what is sent to the listeners, and prints the index of the one
# that got a key for every key.
sub serve ($report, @listeners) {
    my $select = IO::Select->new(@listeners);
    my (%index, %buffer);
    @index{@listeners} = 0 .. $#listeners;
    while (my @ready = $select->can_read) {
        for my $socket (@ready) {
            if (grep { $_ == $socket } @listeners) {
                my $client = $socket->accept;
                $index{$client} = $index{$socket};
                $select->add($client);
            } elsif (!sysread $socket, $buffer{$socket}, 4096, length($buffer{$socket} // '')) {
                $select->remove($socket);
            } elsif ($buffer{$socket} =~ s/\Aset [^ ]+ .*\r\n.*\r\n//) {
                syswrite $report, chr $index{$socket};
                syswrite $socket, "STORED\r\n";
            }
        }
    }
}

my $child;
END { kill 'TERM', $child if $child }

sub pool ($name, @servers) {
    my @weights = map { /(.*):(\d+)$/; { address => $1, weight => $2 } } @servers;
    my @listeners = map {
        IO::Socket::INET->new(LocalAddr => $_->{address}, Listen => 5, ReuseAddr => 1) or die "$_->{address}: $!";
    } @weights;
    pipe my $told, my $report or die $!;
    $child = fork // die $!;
    if (!$child) {
        serve($report, @listeners);
        exit;
    }
    my $memd = Cache::Memcached::Fast->new({ servers => \@weights });
    print "\npool $name\nlayout cache-memcached-fast\ntail $tail\n", map { "server $_\n" } @servers;
    for my $i (0 .. $keys - 1) {
        $memd->set("key:$i" . substr($tail, 0, $i % (length($tail) + 1)), 'x') or die "key $i";
        sysread $told, my $index, 1;
        print $i % $keys_per_line ? '' : 'keys ', unpack('H2', $index), $i % $keys_per_line == $keys_per_line - 1 ? "\n" : '';
    }
    kill 'TERM', $child;
    waitpid $child, 0;
    undef $child;
}

$| = 1;
say "# Made with Cache::Memcached::Fast $Cache::Memcached::Fast::VERSION by cache-memcached-fast.pl, which lies beside this file.";
pool('seven equals', map { "127.77.0.$_:11211:1" } 1 .. 7);
pool('weights 1 to 5', map { "127.77.0.$_:11211:$_" } 1 .. 5);
pool('uneven weights', '127.77.0.1:11211:1', '127.77.0.2:22122:100', '127.77.0.3:11211:1000');
