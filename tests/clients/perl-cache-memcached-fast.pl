# Cache::Memcached::Fast: perl-cache-memcached-fast.pl <host:port>
use strict;
use warnings;
use Cache::Memcached::Fast;
use Compress::Zlib ();
use Time::HiRes qw(sleep time);

my $patience = 20;    # seconds, for what is bound to happen
my $client   = Cache::Memcached::Fast->new({
    servers         => [ { address => $ARGV[0], noreply => 1 } ],
    connect_timeout => $patience,
    # Every call to a proxy is answered within its --timeout, so this may be well above that.
    io_timeout => $patience,
    # The proxy stays in step after an error, which is mostly one of a single memcached behind it.
    close_on_error => 0,
    # Leave it to the server to say what is too large, so that this is tried too.
    max_size           => 8 * 1024 * 1024,
    utf8               => 1,
    compress_threshold => 1000,
    compress_methods   => [
        sub { ${ $_[1] } = Compress::Zlib::memGzip(${ $_[0] }) },
        sub { ${ $_[1] } = Compress::Zlib::memGunzip(${ $_[0] }) }
    ],
});
my $binary = join('', map { chr } 0 .. 255) . "\r\nEND\r\n";
my $large  = 'x' x (1024 * 1024 - 512);
my %many   = map { ("many$_" => "value $_") } 0 .. 39;
my @many   = sort keys %many;
my $checks = 0;

$| = 1;
print "Cache::Memcached::Fast $Cache::Memcached::Fast::VERSION\n";

sub text {
    my $value = shift;
    return 'undef' unless defined $value;
    return '[' . join(', ', map { text($_) } @$value) . ']' if ref $value eq 'ARRAY';
    return '{' . join(', ', map { "$_: " . text($value->{$_}) } sort keys %$value) . '}' if ref $value eq 'HASH';
    return "'$value'";
}

sub check {
    my ($operation, $expected, $got) = map { ref || !defined ? text($_) : $_ } @_;
    $checks++;
    return if $got eq $expected;
    binmode STDERR, ':utf8';
    die sprintf("Cache::Memcached::Fast: %s: expected %.200s, got %.200s\n", $operation, $expected, $got);
}

# ask has the test freeze or thaw a memcached behind the proxy.
sub ask {
    print "$_[0]\n";
    my $answer = <STDIN> // '';
    chomp $answer;
    return $answer;
}

# Results are asked for in scalar context: in void context this client sends noreply, in list context a miss is ().
sub storage {
    my $key = shift;
    check 'get missing',     undef, scalar $client->get($key);
    check 'replace missing', '',    scalar $client->replace($key, 'x');
    check 'append missing',  '',    scalar $client->append($key, 'x');
    check 'prepend missing', '',    scalar $client->prepend($key, 'x');
    check 'add',             1,     scalar $client->add($key, 'first');
    check 'add again',       '',    scalar $client->add($key, 'second');
    check 'get added',       'first', scalar $client->get($key);
    check 'replace',         1, scalar $client->replace($key, 'second');
    check 'append',          1, scalar $client->append($key, ' third');
    check 'prepend',         1, scalar $client->prepend($key, 'zeroth ');
    check 'get appended', 'zeroth second third', scalar $client->get($key);
    for my $value ('', $binary, "Gr\x{fc}\x{df}e, \x{4e16}\x{754c}", $large x 4, [ 1, 'two', { three => undef } ]) {
        check 'set', 1, scalar $client->set($key, $value);
        check 'get', $value, scalar $client->get($key);
    }
    $client->enable_compress(0);
    check 'set of a large value', 1,      scalar $client->set($key, $large);
    check 'get of a large value', $large, scalar $client->get($key);
    $client->enable_compress(1);
    check 'delete',         1,     scalar $client->delete($key);
    check 'delete missing', '',    scalar $client->delete($key);
    check 'get deleted',    undef, scalar $client->get($key);
}

sub cas {
    my $key = shift;
    check 'gets missing', undef, scalar $client->gets($key);
    check 'set', 1, scalar $client->set($key, 'one');
    my ($unique, $value) = @{ $client->gets($key) };
    check 'gets', 'one', $value;
    check 'cas',          1,     scalar $client->cas($key, $unique, 'two');
    check 'cas conflict', '',    scalar $client->cas($key, $unique, 'three');
    check 'get swapped',  'two', scalar $client->get($key);
    ($unique, $value) = @{ $client->gats(100, $key) };
    check 'gats',           'two', $value;
    check 'cas after gats', 1,     scalar $client->cas($key, $unique, 'three');
    $client->delete($key);
    check 'cas missing', '', scalar $client->cas($key, $unique, 'four');
}

sub numbers {
    my $key = shift;
    check 'incr missing', '', scalar $client->incr($key);
    check 'decr missing', '', scalar $client->decr($key);
    check 'set', 1, scalar $client->set($key, 10);
    check 'incr',         15,    scalar $client->incr($key, 5);
    check 'decr',         12,    scalar $client->decr($key, 3);
    check 'decr below 0', '0E0', scalar $client->decr($key, 100);
    check 'set', 1, scalar $client->set($key, '18446744073709551615');
    check 'incr beyond 64 bits', 1, scalar $client->incr($key, 2);
    check 'set', 1, scalar $client->set($key, 'no number');
    check 'incr of no number',  undef,       scalar $client->incr($key);
    check 'get after an error', 'no number', scalar $client->get($key);
    $client->delete($key);
}

sub quiet {
    my $key = shift;
    $client->set($key, 10);
    $client->add($key, 'no');
    $client->append($key, '0');
    $client->prepend($key, '1');
    $client->incr($key, 5);
    $client->decr($key, 3);
    $client->touch($key, 100);
    check 'get after noreply', 1102, scalar $client->get($key);
    $client->replace($key, 'no number');
    $client->incr($key);    # an error, which is not to be said
    check 'get after a quiet error', 'no number', scalar $client->get($key);
    $client->delete($key);
    check 'get after delete noreply', undef, scalar $client->get($key);
}

sub expiry {
    my $key = shift;
    check 'touch missing', '',    scalar $client->touch($key, 10);
    check 'gat missing',   undef, scalar $client->gat(10, $key);
    check 'set',   1,   scalar $client->set($key, 'x', 100);
    check 'touch', 1,   scalar $client->touch($key, 200);
    check 'gat',   'x', scalar $client->gat(100, $key);
    check 'touch into the past', 1,     scalar $client->touch($key, -1);
    check 'get expired',         undef, scalar $client->get($key);
    check 'set for a second',    1,     scalar $client->set($key, 'x', 1);
    for (my $end = time + $patience; defined $client->get($key) && time < $end;) { sleep 0.05 }
    check 'get after a second', undef, scalar $client->get($key);
}

sub all { my $result = shift; return { map { ($_ => $result) } @many } }

sub many {
    my @pairs = map { [ $_, $many{$_} ] } @many;
    check 'set_multi', all(1), scalar $client->set_multi(@pairs);
    check 'add_multi again',        all(''), scalar $client->add_multi(@pairs);
    check 'replace_multi',          all(1),  scalar $client->replace_multi(@pairs);
    check 'get_multi',              \%many,  scalar $client->get_multi(@many, 'nobody');
    check 'gat_multi',              \%many,  scalar $client->gat_multi(100, @many, 'nobody');
    check 'touch_multi',            all(1),  scalar $client->touch_multi(map { [ $_, 100 ] } @many);
    check 'append_multi',           all(1),  scalar $client->append_multi(map { [ $_, '!' ] } @many);
    check 'prepend_multi',          all(1),  scalar $client->prepend_multi(map { [ $_, '!' ] } @many);
    my $got = $client->gets_multi(@many);
    check 'gets_multi', { map { ($_ => "!$many{$_}!") } @many }, { map { ($_ => $got->{$_}[1]) } keys %$got };
    check 'cas_multi', all(1), scalar $client->cas_multi(map { [ $_, $got->{$_}[0], 10 ] } @many);
    $got = $client->gats_multi(100, @many);
    check 'gats_multi', all(10), { map { ($_ => $got->{$_}[1]) } keys %$got };
    check 'incr_multi',   all(17), scalar $client->incr_multi(map { [ $_, 7 ] } @many);
    check 'decr_multi',   all(15), scalar $client->decr_multi(map { [ $_, 2 ] } @many);
    check 'delete_multi', all(1),  scalar $client->delete_multi(@many);
    check 'get_multi deleted', {}, scalar $client->get_multi(@many);
}

sub limits {
    for my $key ('k' x 250, 'k' x 249 . 'l', "\x{43a}\x{43b}\x{44e}\x{447}") {
        check 'set of an unusual key', 1,   scalar $client->set($key, 'x');
        check 'get of an unusual key', 'x', scalar $client->get($key);
    }
    check 'set of a key of 251 bytes', undef, scalar $client->set('k' x 251, 'x');
    check 'get of a key of 251 bytes', undef, scalar $client->get('k' x 251);
    $client->enable_compress(0);
    check 'set', 1, scalar $client->set('large', 'small');
    check 'set of a value too large', undef, scalar $client->set('large', $large x 2);
    check 'get of a value too large', undef, scalar $client->get('large');
    $client->set('large', $large x 2);    # in void context, so with noreply
    check 'get in step', 'x', scalar $client->get('k' x 250);
    $client->enable_compress(1);
}

sub server {
    my ($version) = values %{ $client->server_versions };
    check 'server_versions', 1, eval { version->parse($version) >= version->parse('1.6.18') } ? 1 : $version;
    $client->set_multi(map { [ $_, $many{$_} ] } @many);
    $client->nowait_push;
    my ($said) = values %{ $client->flush_all };
    check 'flush_all', 1, $said;
    check 'get_multi flushed', {}, scalar $client->get_multi(@many);
    $client->disconnect_all;
    check 'get after disconnect_all', undef, scalar $client->get('nobody');
}

# With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, which this client takes for a miss on
# reading and for an error on writing. The others are served.
sub freeze {
    check 'set_multi', all(1), scalar $client->set_multi(map { [ $_, $many{$_} ] } @many);
    return unless ask('freeze') eq 'frozen';
    my $served = 0;
    for my $key (@many) {
        my $value = $client->get($key);
        check 'get while frozen', $many{$key}, $value if defined $value;
        check 'add while frozen', defined $value ? '' : undef, scalar $client->add($key, 'x');
        $served++ if defined $value;
    }
    check 'some keys served while frozen', 1, 0 < $served && $served < @many ? 1 : $served;
    $client->get_multi(@many);
    check 'thaw', 'thawed', ask('thaw');
    check 'get_multi when thawed', \%many, scalar $client->get_multi(@many);
}

$client->flush_all;
for my $key (qw(a b c d)) {    # enough for two memcacheds to get some
    storage($key);
    cas($key);
    numbers($key);
    quiet($key);
}
expiry('e');
many();
limits();
server();
freeze();
print "$checks checks\nok\n";
