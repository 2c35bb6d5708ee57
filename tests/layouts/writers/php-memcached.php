<?php
// Stores keys with php-memcached:
//
//     [KEY_PREFIX=<prefix>] php php-memcached.php <layout> <keys-file> <host:port[:weight]>...
//
// With KEY_PREFIX that is the client's prefix, and values begin with it as well.

function check(bool $done, string $what, Memcached $client): void
{
    if (!$done) {
        fwrite(STDERR, "php-memcached: $what: " . $client->getResultMessage() . "\n");
        exit(1);
    }
}

[, $layout, $keysFile] = $argv;
$servers = array_slice($argv, 3);
$prefix = getenv('KEY_PREFIX') ?: '';

$options = [
    'libmemcached' => [],
    'libmemcached-ketama' => [Memcached::OPT_DISTRIBUTION => Memcached::DISTRIBUTION_CONSISTENT],
    'libmemcached-ketama-weighted' => [Memcached::OPT_LIBKETAMA_COMPATIBLE => true],
][$layout];
$options += [Memcached::OPT_BUFFER_WRITES => true, Memcached::OPT_NOREPLY => true];
if ($prefix !== '') {
    $options[Memcached::OPT_PREFIX_KEY] = $prefix;
}

$client = new Memcached();
foreach ($options as $option => $value) {
    check($client->setOption($option, $value), "option $option", $client);
}
foreach ($servers as $server) {
    [$host, $port, $weight] = explode(':', $server) + [2 => 1];
    check($client->addServer($host, (int) $port, (int) $weight), $server, $client);
}
foreach (file($keysFile, FILE_IGNORE_NEW_LINES) as $key) {
    check($client->set($key, $prefix . $key), "set $key", $client);
}
check($client->flushBuffers(), 'flush', $client);
