<?php
// A session of php-memcached: php session.php HOST PORT [binary]
// Strings go as they are; only the compression of long ones must be off.

function check(string $what, $got, $expected): void
{
    if ($got !== $expected) {
        exit("php-memcached: $what: got " . var_export($got, true) . ', expected ' . var_export($expected, true) . "\n");
    }
    echo "$what -> ", json_encode($got, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}

// Takes the value of a logfetch or hgetall apart: <when or field> <flags> <bytes>, line feed, data, line feed.
function listed(string $value): array
{
    for ($found = []; $value !== ''; $value = substr($value, strlen($line[0]) + (int) $line[3] + 1)) {
        preg_match('/^(\S+) (\d+) (\d+)\n/', $value, $line);
        $found[] = [$line[1], (int) $line[2], substr($value, strlen($line[0]), (int) $line[3])];
    }
    return $found;
}

const LONG_AGO = 1000000000; // a date, which as an exptime means: expired already

// What the client makes of the answers of the binary protocol.
define('PACKETS', in_array('binary', $argv));
define('NOT_ADDED', PACKETS ? Memcached::RES_DATA_EXISTS : Memcached::RES_NOTSTORED);
define('NOT_YOURS', PACKETS ? Memcached::RES_DATA_EXISTS : Memcached::RES_NOTFOUND);
// From any server, the client takes the error of a change without reply for that of its next retrieval.
define('QUIET', !PACKETS);
define('REFUSED', PACKETS ? Memcached::RES_UNKNOWN_READ_FAILURE : Memcached::RES_CLIENT_ERROR);

$m = new Memcached();
$m->setOption(Memcached::OPT_COMPRESSION, false);
$m->setOption(Memcached::OPT_BINARY_PROTOCOL, PACKETS);
$m->addServer($argv[1], (int) $argv[2]);

require 'sets.php';
require 'logs.php';
require 'lists.php';
require 'objects.php';
require 'tables.php';
require 'rankings.php';
require 'locks.php';
require 'limits.php';
require 'tasks.php';
require 'waits.php';
require 'together.php';
require 'noreply.php';
echo "ok\n";
