<?php
// Stores keys with php-memcached:
//
//     php php-memcached.php <layout> <keys-file> <host:port[:weight]>...

function check(bool $done, string $what, Memcached $client): void
{
    if (!$done) {
        fwrite(STDERR, "php-memcached: $what: " . $client->getResultMessage() . "\n");
        exit(1);
    }
}

[, $layout, $keysFile] = $argv;
$servers = array_slice($argv, 3);

$options = [
    'libmemcached' => [],
    'libmemcached-ketama' => [Memcached::OPT_DISTRIBUTION => Memcached::DISTRIBUTION_CONSISTENT],
    'libmemcached-ketama-weighted' => [Memcached::OPT_LIBKETAMA_COMPATIBLE => true],
][$layout];
$options += [Memcached::OPT_BUFFER_WRITES => true, Memcached::OPT_NOREPLY => true];

$client = new Memcached();
foreach ($options as $option => $value) {
    check($client->setOption($option, $value), "option $option", $client);
}
foreach ($servers as $server) {
    [$host, $port, $weight] = explode(':', $server) + [2 => 1];
    check($client->addServer($host, (int) $port, (int) $weight), $server, $client);
}
foreach (file($keysFile, FILE_IGNORE_NEW_LINES) as $key) {
    check($client->set($key, $key), "set $key", $client);
}
check($client->flushBuffers(), 'flush', $client);
