<?php
// php-memcached: php-memcached.php <host:port> [binary [refused]]

const PATIENCE = 20; // seconds, for what is bound to happen

[$host, $port] = explode(':', $argv[1]);
$packets = ($argv[2] ?? '') === 'binary';
$client = new Memcached();
$client->setOptions([
    Memcached::OPT_BINARY_PROTOCOL => $packets, // false by default
    Memcached::OPT_TCP_NODELAY => true,
    // Every call to a proxy is answered within its --timeout, so time-outs (in ms) may be well above that.
    Memcached::OPT_CONNECT_TIMEOUT => PATIENCE * 1000,
    Memcached::OPT_POLL_TIMEOUT => PATIENCE * 1000,
]);
if (getenv('MEMCACHED_USERNAME')) { // which takes the binary protocol
    $client->setSaslAuthData(getenv('MEMCACHED_USERNAME'), getenv('MEMCACHED_PASSWORD'));
    ini_set('memcached.sess_sasl_username', getenv('MEMCACHED_USERNAME'));
    ini_set('memcached.sess_sasl_password', getenv('MEMCACHED_PASSWORD'));
}
$client->addServer($host, (int) $port);

$binary = implode('', array_map('chr', range(0, 255))) . "\r\nEND\r\n";
$large = random_bytes(1024 * 1024 - 512); // such as does not get shorter when compressed
$many = [];
for ($i = 0; $i < 40; $i++) {
    $many["many$i"] = "value $i";
}
$checks = 0;

say('php-memcached ' . phpversion('memcached'));

// say does not use echo, because no session can begin after that.
function say(string $line): void
{
    fwrite(STDOUT, "$line\n");
}

function check(string $operation, $expected, $got): void
{
    global $checks;
    $checks++;
    if ($got !== $expected) {
        $text = fn($value) => substr(var_export($value, true), 0, 200);
        fwrite(STDERR, "php-memcached: $operation: expected {$text($expected)}, got {$text($got)}\n");
        exit(1);
    }
}

// checkFails expects the result that a call has left in the client.
function checkFails(string $operation, int $code, $got): void
{
    global $client;
    check($operation, false, $got);
    check("$operation: result code", $code, $client->getResultCode());
}

// ask has the test freeze or thaw a memcached behind the proxy.
function ask(string $what): string
{
    say($what);
    return trim((string) fgets(STDIN));
}

function storage(string $key): void
{
    global $client, $packets, $binary, $large;
    checkFails('get missing', Memcached::RES_NOTFOUND, $client->get($key));
    checkFails('replace missing', $packets ? Memcached::RES_NOTFOUND : Memcached::RES_NOTSTORED, $client->replace($key, 'x'));
    check('add', true, $client->add($key, 'first'));
    checkFails('add again', $packets ? Memcached::RES_DATA_EXISTS : Memcached::RES_NOTSTORED, $client->add($key, 'second'));
    check('get added', 'first', $client->get($key));
    check('replace', true, $client->replace($key, 'second'));
    $client->setOption(Memcached::OPT_COMPRESSION, false); // or append is refused by the client itself
    check('append', true, $client->append($key, ' third'));
    check('prepend', true, $client->prepend($key, 'zeroth '));
    check('get appended', 'zeroth second third', $client->get($key));
    checkFails('append missing', Memcached::RES_NOTSTORED, $client->append("$key?", 'x'));
    checkFails('prepend missing', Memcached::RES_NOTSTORED, $client->prepend("$key?", 'x'));
    $client->setOption(Memcached::OPT_COMPRESSION, true);
    $array = ['list' => [1, 2.5, null, 'ü']];
    foreach (['', $binary, 'Grüße, 世界', 17, 2.5, true, $array, $large] as $value) {
        check('set', true, $client->set($key, $value));
        check('get', $value, $client->get($key));
    }
    foreach ([Memcached::COMPRESSION_FASTLZ, Memcached::COMPRESSION_ZLIB] as $type) {
        $client->setOption(Memcached::OPT_COMPRESSION_TYPE, $type);
        check('set compressed', true, $client->set($key, str_repeat('x', 4 << 20)));
        check('get compressed', str_repeat('x', 4 << 20), $client->get($key));
    }
    foreach ([Memcached::SERIALIZER_JSON_ARRAY, Memcached::SERIALIZER_IGBINARY, Memcached::SERIALIZER_MSGPACK] as $serializer) {
        $client->setOption(Memcached::OPT_SERIALIZER, $serializer);
        check('set serialised', true, $client->set($key, $array));
        check('get serialised', $array, $client->get($key));
    }
    $client->setOption(Memcached::OPT_SERIALIZER, Memcached::SERIALIZER_PHP);
    check('delete', true, $client->delete($key));
    checkFails('delete missing', Memcached::RES_NOTFOUND, $client->delete($key));
    checkFails('get deleted', Memcached::RES_NOTFOUND, $client->get($key));
}

function cas(string $key): void
{
    global $client;
    check('set', true, $client->set($key, 'one'));
    $item = $client->get($key, null, Memcached::GET_EXTENDED);
    check('get extended', 'one', $item['value']);
    check('cas', true, $client->cas($item['cas'], $key, 'two'));
    checkFails('cas conflict', Memcached::RES_DATA_EXISTS, $client->cas($item['cas'], $key, 'three'));
    check('get swapped', 'two', $client->get($key));
    $client->delete($key);
    checkFails('cas missing', Memcached::RES_NOTFOUND, $client->cas($item['cas'], $key, 'x'));
    check('get with a callback', 'found', $client->get($key, function ($client, $key, &$value) {
        $value = 'found';
        return true;
    }));
    check('get of what the callback found', 'found', $client->get($key));
    $client->delete($key);
}

function numbers(string $key): void
{
    global $client, $packets;
    checkFails('increment missing', Memcached::RES_NOTFOUND, $client->increment($key));
    checkFails('decrement missing', Memcached::RES_NOTFOUND, $client->decrement($key));
    check('set', true, $client->set($key, 10));
    check('increment', 15, $client->increment($key, 5));
    check('decrement', 12, $client->decrement($key, 3));
    check('decrement below 0', 0, $client->decrement($key, 100));
    check('set', true, $client->set($key, '18446744073709551615'));
    check('increment beyond 64 bits', 1, $client->increment($key, 2));
    check('set', true, $client->set($key, 'no number'));
    checkFails('increment of no number', $packets ? Memcached::RES_UNKNOWN_READ_FAILURE : Memcached::RES_CLIENT_ERROR, $client->increment($key));
    check('get after an error', 'no number', $client->get($key));
    $client->delete($key);
}

function expiry(string $key): void
{
    global $client, $packets;
    checkFails('touch missing', Memcached::RES_NOTFOUND, $client->touch($key, 10));
    check('set', true, $client->set($key, 'x', 100));
    check('touch', true, $client->touch($key, 200));
    check('get touched', 'x', $client->get($key));
    // The exptime of a packet has no sign.
    check('touch into the past', true, $client->touch($key, $packets ? 1000000000 : -1));
    checkFails('get expired', Memcached::RES_NOTFOUND, $client->get($key));
    check('set for a second', true, $client->set($key, 'x', 1));
    for ($end = time() + PATIENCE; $client->get($key) !== false && time() < $end;) {
        usleep(50000);
    }
    checkFails('get after a second', Memcached::RES_NOTFOUND, $client->get($key));
}

function many(): void
{
    global $client, $many;
    $keys = array_keys($many);
    check('setMulti', true, $client->setMulti($many));
    check('getMulti', $many, $client->getMulti([...$keys, 'nobody']));
    check('getMulti in order', [...$many, 'nobody' => null],
        $client->getMulti([...$keys, 'nobody'], Memcached::GET_PRESERVE_ORDER));
    check('getDelayed', true, $client->getDelayed($keys, true));
    check('fetchAll', $many, array_column($client->fetchAll(), 'value', 'key'));
    check('deleteMulti', array_fill_keys($keys, true), $client->deleteMulti($keys));
    check('getMulti deleted', [], $client->getMulti($keys));
}

// Methods with a key to choose the server by are of no use with one server, and do no harm.
function byKey(string $group, string $key): void
{
    global $client;
    check('addByKey', true, $client->addByKey($group, $key, 'one'));
    check('replaceByKey', true, $client->replaceByKey($group, $key, 'two'));
    check('touchByKey', true, $client->touchByKey($group, $key, 100));
    check('getMultiByKey', [$key => 'two'], $client->getMultiByKey($group, [$key]));
    $item = $client->getByKey($group, $key, null, Memcached::GET_EXTENDED);
    check('casByKey', true, $client->casByKey($item['cas'], $group, $key, 10));
    check('getByKey', 10, $client->getByKey($group, $key));
    check('deleteByKey', true, $client->deleteByKey($group, $key));
}

function quiet(string $key): void
{
    global $client;
    $client->setOption(Memcached::OPT_NOREPLY, true);
    $client->set($key, 'one');
    $client->add($key, 'no');
    $client->replace($key, 'two');
    $client->setOption(Memcached::OPT_NOREPLY, false);
    check('get after noreply', 'two', $client->get($key));
    $client->setOption(Memcached::OPT_NOREPLY, true);
    $client->delete($key);
    $client->setOption(Memcached::OPT_NOREPLY, false);
    checkFails('get after delete noreply', Memcached::RES_NOTFOUND, $client->get($key));
}

function limits(): void
{
    global $client, $packets, $large;
    foreach ([str_repeat('k', 250), str_repeat('k', 249) . 'l'] as $key) {
        check('set of a key of 250 bytes', true, $client->set($key, 'x'));
        check('get of a key of 250 bytes', 'x', $client->get($key));
    }
    checkFails('a key of 251 bytes', Memcached::RES_BAD_KEY_PROVIDED, $client->get(str_repeat('k', 251)));
    checkFails('a key with a space', $packets ? Memcached::RES_NOTFOUND : Memcached::RES_BAD_KEY_PROVIDED, $client->get('k k'));
    check('set', true, $client->set('large', 'small'));
    checkFails('set of a value too large', Memcached::RES_E2BIG, $client->set('large', $large . $large));
    checkFails('get of a value too large', Memcached::RES_NOTFOUND, $client->get('large'));
    check('get in step', 'x', $client->get(str_repeat('k', 250)));
}

// Sessions take the binary protocol unless told otherwise.
function setUpSessions(string $address): void
{
    global $packets;
    ini_set('session.save_handler', 'memcached');
    ini_set('session.save_path', $address);
    if (!$packets) {
        ini_set('memcached.sess_binary_protocol', '0');
    }
    ini_set('session.use_cookies', '0');
    ini_set('session.cache_limiter', '');
    session_id('session1');
}

function session(): void
{
    check('session_start', true, session_start());
    $_SESSION['user'] = ['name' => 'Zoë'];
    check('session_write_close', true, session_write_close());
    $_SESSION = [];
    check('session_start again', true, session_start());
    check('session', ['user' => ['name' => 'Zoë']], $_SESSION);
    check('session_destroy', true, session_destroy());
    check('session_start anew', true, session_start());
    check('new session', [], $_SESSION);
    check('session_write_close', true, session_write_close());
}

function server(string $address): void
{
    global $client, $many;
    check('getVersion', 1, preg_match('/^1\.6\.\d+$/', $client->getVersion()[$address]));
    $stats = $client->getStats()[$address];
    check('getStats', 1, preg_match('/^1\.6\./', $stats['version']));
    check('getStats', true, $stats['cmd_get'] > 0 && $stats['pid'] > 0);
    check('set', true, $client->setMulti($many));
    check('flush', true, $client->flush());
    check('getMulti flushed', [], $client->getMulti(array_keys($many)));
    check('quit', true, $client->quit());
    checkFails('get after quit', Memcached::RES_NOTFOUND, $client->get('nobody'));
}

// With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, which get() gives as RES_NOTFOUND and, but
// for packets, as the last error message. The others are served.
function freeze(): void
{
    global $client, $packets, $many;
    check('setMulti', true, $client->setMulti($many));
    if (ask('freeze') !== 'frozen') {
        return;
    }
    $served = 0;
    foreach ($many as $key => $value) {
        $got = $client->get($key);
        if ($got !== false) {
            $served++;
            check('get while frozen', $value, $got);
            checkFails('add while frozen', $packets ? Memcached::RES_DATA_EXISTS : Memcached::RES_NOTSTORED, $client->add($key, 'x'));
        } else {
            if (!$packets) { // with packets, get() is a multi-get of one key, in which errors are silent
                check('error while frozen', 1, preg_match('/SERVER ERROR, upstream/', $client->getLastErrorMessage()));
            }
            $code = $packets ? Memcached::RES_UNKNOWN_READ_FAILURE : Memcached::RES_SERVER_ERROR;
            checkFails('add while frozen', $code, $client->add($key, 'x'));
        }
    }
    check('some keys served while frozen', true, 0 < $served && $served < count($many));
    $client->getMulti(array_keys($many));
    check('thaw', 'thawed', ask('thaw'));
    check('getMulti when thawed', $many, $client->getMulti(array_keys($many)));
}

// A wrong password is told by the first call. After that, the server is not asked for a while.
function refused(): void
{
    global $client, $checks;
    checkFails('get with a wrong password', Memcached::RES_AUTH_FAILURE, $client->get('kept'));
    check('error', 1, preg_match('/AUTHENTICATION FAILURE/', $client->getLastErrorMessage()));
    checkFails('set with a wrong password', Memcached::RES_SERVER_TEMPORARILY_DISABLED, $client->set('kept', 'x'));
    checkFails('delete with a wrong password', Memcached::RES_SERVER_TEMPORARILY_DISABLED, $client->delete('kept'));
    check('session_start with a wrong password', false, @session_start());
    say("$checks checks\nok");
    exit;
}

setUpSessions($argv[1]);
if (in_array('refused', $argv)) {
    refused();
}
$client->flush();
foreach (['a', 'b', 'c', 'd'] as $key) { // enough for two memcacheds to get some
    storage($key);
    cas($key);
    numbers($key);
    byKey('group', $key);
    quiet($key);
}
expiry('e');
many();
limits();
session();
server($argv[1]);
freeze();
say("$checks checks\nok");
