<?php
// php-memcached: php-memcached.php <host:port> [binary]

[$host, $port] = explode(':', $argv[1]);
$client = new Memcached();
$client->setOptions([
    Memcached::OPT_BINARY_PROTOCOL => ($argv[2] ?? '') === 'binary',
    Memcached::OPT_CONNECT_TIMEOUT => 20000,
    Memcached::OPT_POLL_TIMEOUT => 20000,
]);
$client->addServer($host, (int) $port);

function answer(string $command, string $key, string ...$rest): string
{
    global $client;
    switch ($command) {
        case 'set':
            return $client->set($key, ...$rest) ? 'stored' : 'error ' . $client->getResultMessage();
        case 'get':
            $found = $client->get($key);
            $values = $found === false ? [] : [$key => $found];
            break;
        default:
            $values = $client->getMulti([$key, ...$rest]);
    }
    if (!$values && !in_array($client->getResultCode(), [Memcached::RES_SUCCESS, Memcached::RES_NOTFOUND])) {
        return 'error ' . $client->getResultMessage();
    }
    return implode(' ', array_map(fn($key, $value) => "$key=$value", array_keys($values ?: []), $values ?: []));
}

while (($line = fgets(STDIN)) !== false) {
    fwrite(STDOUT, answer(...explode(' ', trim($line))) . "\n");
}
