<?php
// Stores keys with PECL memcache:
//
//     php pecl-memcache.php <layout> <keys-file> <host:port[:weight]>...

[, $layout, $keysFile] = $argv;

ini_set('memcache.hash_strategy', str_contains($layout, 'consistent') ? 'consistent' : 'standard');
ini_set('memcache.hash_function', str_ends_with($layout, 'fnv') ? 'fnv' : 'crc32');

$client = new Memcache();
foreach (array_slice($argv, 3) as $server) {
    [$host, $port, $weight] = explode(':', $server) + [2 => 1];
    if (!$client->addServer($host, (int) $port, false, (int) $weight)) {
        fwrite(STDERR, "pecl-memcache: $server: not added\n");
        exit(1);
    }
}
foreach (file($keysFile, FILE_IGNORE_NEW_LINES) as $key) {
    if (!$client->set($key, $key)) {
        fwrite(STDERR, "pecl-memcache: $key: not stored\n");
        exit(1);
    }
}
