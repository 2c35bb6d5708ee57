<?php

declare(strict_types=1);

namespace Memverbs;

use InvalidArgumentException;
use Memcached;

/**
 * Queues with workers, leaderboards, limits, locks, sets and namespaces, through php-memcached.
 *
 * The server is a memverbs with --verb-keys verb/. The client may have any serializer and compress what an application
 * caches: only strings pass here, uncompressed. An OPT_PREFIX_KEY has to be a part of the flag.
 */
final class Verbs
{
    public function __construct(public readonly Memcached $client, private readonly string $prefix = 'verb/')
    {
    }

    /** Throws if the server takes verbs for ordinary keys, as memcached does and memverbs without --verb-keys. */
    public function check(): void
    {
        if ($this->get('limit', 'memverbs', 1, 1) === null) {
            $reason = "the server takes this for the beginning of ordinary keys; start memverbs with --verb-keys $this->prefix";
            throw new VerbError($this->prefix, $reason);
        }
    }

    /** Puts a task, to be done after so many seconds, in place of any with the same id. */
    public function putTask(string $queue, string $id, string $data, float $delay = 0): void
    {
        $this->set($data, 'taskput', self::name($queue), self::word($id), self::when($delay));
    }

    /** Puts a task unless there is one with the same id, and returns whether it did. */
    public function addTask(string $queue, string $id, string $data, float $delay = 0): bool
    {
        return $this->add($data, 0, 'taskadd', self::name($queue), self::word($id), self::when($delay));
    }

    /**
     * Takes a task, which nobody else gets for $hold seconds. Waits for one, at most $wait seconds.
     *
     * With $most, only tasks that were taken fewer times than that are given; the others stay in the queue.
     */
    public function takeTask(string $queue, int $hold, ?int $most = null, float $wait = 0): ?Task
    {
        $milliseconds = (int) round($wait * 1000);
        $timeout = $this->client->getOption(Memcached::OPT_POLL_TIMEOUT);
        if ($milliseconds >= $timeout) {
            throw new InvalidArgumentException("a wait of $milliseconds ms needs a greater OPT_POLL_TIMEOUT than $timeout ms");
        }
        $parts = [
            ...($most === null ? [] : ['most', $most]),
            ...($milliseconds === 0 ? [] : ['wait', $milliseconds]),
        ];
        foreach (self::records($this->get('tasktake', self::name($queue), $hold, 1, ...$parts) ?? '') as $record) {
            [$id, , , $stamp, $data] = $record;
            return new Task(self::text($id), $data, $stamp);
        }
        return null;
    }

    /** Ends a task; false if it has become another worker's, or is there no more. */
    public function finishTask(string $queue, Task $task): bool
    {
        return $this->delete('taskdone', self::name($queue), $task->stamp);
    }

    /** Holds a task for so many seconds from now; false likewise. */
    public function keepTask(string $queue, Task $task, int $seconds): bool
    {
        return $this->touch($seconds, 'taskkeep', self::name($queue), $task->stamp);
    }

    /** Gives a task back, to be taken after so many seconds; false likewise. */
    public function retryTask(string $queue, Task $task, float $delay = 0): bool
    {
        return $this->set(self::when($delay), 'taskretry', self::name($queue), $task->stamp);
    }

    /** Ends a task, whoever holds it. */
    public function dropTask(string $queue, string $id): bool
    {
        return $this->delete('taskdrop', self::name($queue), self::word($id));
    }

    /** The number of tasks, with those that are held, are not due, or failed too often. */
    public function countTasks(string $queue): int
    {
        return (int) $this->get('tasklen', self::name($queue));
    }

    /** Sets the score of a member of a leaderboard. */
    public function putScore(string $board, string $member, int $score): void
    {
        $this->set("$score " . self::word($member), 'zadd', self::name($board));
    }

    /**
     * Adds points to a score, for so many seconds if that is given, and returns the new score.
     *
     * memcached knows no negative results: if the score is below zero then, that throws VerbError; it is counted all the same.
     */
    public function addPoints(string $board, string $member, int $points = 1, ?int $seconds = null): int
    {
        $verb = $seconds === null ? 'zincrby' : 'zincrbyp';
        $parts = [self::name($board), self::word($member), ...($seconds === null ? [] : [$seconds])];
        return $this->count($points, $verb, ...$parts);
    }

    /** The score of a member, null if there is none. */
    public function score(string $board, string $member): ?int
    {
        $score = $this->get('zget', self::name($board), self::word($member));
        return $score === null || $score === 'null' ? null : (int) $score;
    }

    /** The place of a member, from 0 for the highest score, null if there is none. */
    public function place(string $board, string $member): ?int
    {
        $place = $this->get('zrevrank', self::name($board), self::word($member));
        return $place === null ? null : (int) $place;
    }

    /**
     * The members with the highest scores, after so many others.
     *
     * @return list<array{string, int}>
     */
    public function top(string $board, int $count, int $offset = 0): array
    {
        return self::scores($this->get('zrevrange', self::name($board), $offset, $count, 'withscores'));
    }

    /**
     * A member with so many before it and after it; none if it is not there.
     *
     * @return list<array{string, int}>
     */
    public function around(string $board, string $member, int $count): array
    {
        return self::scores($this->get('zrevaround', self::name($board), self::word($member), $count, 'withscores'));
    }

    /** Removes a member of a leaderboard. */
    public function removeScore(string $board, string $member): void
    {
        $this->delete('zrem', self::name($board), self::word($member));
    }

    /** Counts $n more if so many are allowed, of $count in any $seconds seconds, and returns whether they are. */
    public function allow(string $limit, int $count, int $seconds, int $n = 1): bool
    {
        return $this->count($n, 'limit', self::name($limit), $count, $seconds) !== 0;
    }

    /**
     * Whether one more is allowed, how many are, and in how many seconds it is worth asking again; counts nothing.
     *
     * @return array{bool, int, float}
     */
    public function left(string $limit, int $count, int $seconds): array
    {
        $said = $this->get('limit', self::name($limit), $count, $seconds);
        [$allowed, $left, $milliseconds] = explode(' ', $said);
        return [$allowed === '1', (int) $left, $milliseconds / 1000];
    }

    /** Takes a lock for so many seconds, or holds it on; false if another token has it. */
    public function lock(string $lock, string $token, int $seconds, int $holders = 1): bool
    {
        $places = $holders === 1 ? [] : ['holders', $holders];
        return $this->add(self::word($token), $seconds, 'lock', self::name($lock), ...$places);
    }

    /** Holds a lock for so many seconds from now; false if the token does not hold it any more. */
    public function relock(string $lock, string $token, int $seconds): bool
    {
        return $this->touch($seconds, 'relock', self::name($lock), self::word($token));
    }

    /** Gives a lock back; false if the token did not hold it any more. */
    public function unlock(string $lock, string $token): bool
    {
        return $this->delete('unlock', self::name($lock), self::word($token));
    }

    /** Adds members to a set. */
    public function addMembers(string $set, string ...$members): void
    {
        $this->set(self::words($members), 'sadd', self::name($set));
    }

    /** Adds members to a set for so many seconds. */
    public function addMembersFor(string $set, int $seconds, string ...$members): void
    {
        $this->set(self::words($members), 'saddp', self::name($set), $seconds);
    }

    /** Adds a member, and returns whether it was not there. */
    public function addNewMember(string $set, string $member): bool
    {
        return $this->add(self::word($member), 0, 'saddnew', self::name($set));
    }

    /** Removes members, such as are there. */
    public function removeMembers(string $set, string ...$members): void
    {
        $this->set(self::words($members), 'srem', self::name($set));
    }

    /** Whether a member is there. */
    public function hasMember(string $set, string $member): bool
    {
        return $this->get('sismember', self::name($set), self::word($member)) === '1';
    }

    /** The number of members. */
    public function countMembers(string $set): int
    {
        return (int) $this->get('scard', self::name($set));
    }

    /**
     * The members of a set, or those that are in all of several sets.
     *
     * @return list<string>
     */
    public function members(string $set, string ...$others): array
    {
        $names = array_map(self::name(...), [$set, ...array_values($others)]);
        return self::texts($this->get(count($names) === 1 ? 'smembers' : 'sinter', ...$names));
    }

    /** Hides all items whose keys begin with the namespace, which the setting `namespaces` of memverbs must name. */
    public function flush(string $namespace): void
    {
        $this->delete('nsflush', $namespace);
    }

    /** Makes one word of any text: memcached's keys have no spaces, and the parts of a verb's key no slashes. */
    public static function word(string $text): string
    {
        return $text === '' ? throw new InvalidArgumentException('a member or an id must not be empty') : rawurlencode($text);
    }

    /** Returns the text of which word() has made a word. */
    public static function text(string $word): string
    {
        return rawurldecode($word);
    }

    /**
     * Reads the items of which a value consists: of each the words of its line, the third of which is the size of the
     * data, and then the data.
     *
     * @return list<list<string>>
     */
    public static function records(string $value): array
    {
        for ($found = [], $at = 0; $at < strlen($value); $at += (int) $words[2] + 1) {
            $end = strpos($value, "\n", $at);
            $words = explode(' ', substr($value, $at, $end - $at));
            $at = $end + 1;
            $found[] = [...$words, substr($value, $at, (int) $words[2])];
        }
        return $found;
    }

    private function get(string $verb, string|int ...$parts): ?string
    {
        $found = $this->call(fn (string $key): string|int|false => $this->client->get($key), $verb, ...$parts);
        return $found === false ? null : (string) $found;
    }

    private function set(string $value, string $verb, string|int ...$parts): bool
    {
        return $this->call(fn (string $key): bool => $this->client->set($key, $value), $verb, ...$parts);
    }

    private function add(string $value, int $seconds, string $verb, string|int ...$parts): bool
    {
        return $this->call(fn (string $key): bool => $this->client->add($key, $value, $seconds), $verb, ...$parts);
    }

    private function touch(int $seconds, string $verb, string|int ...$parts): bool
    {
        return $this->call(fn (string $key): bool => $this->client->touch($key, $seconds), $verb, ...$parts);
    }

    private function delete(string $verb, string|int ...$parts): bool
    {
        return $this->call(fn (string $key): bool => $this->client->delete($key), $verb, ...$parts);
    }

    private function count(int $n, string $verb, string|int ...$parts): int
    {
        return $this->call(
            fn (string $key): int|false => $n < 0 ? $this->client->decrement($key, -$n) : $this->client->increment($key, $n),
            $verb,
            ...$parts,
        );
    }

    /** Has the client do something with a verb's key, and throws if that was refused, which php-memcached does not. */
    private function call(callable $do, string $verb, string|int ...$parts): mixed
    {
        $key = $this->prefix . implode('/', [$verb, ...$parts]);
        $compression = $this->client->getOption(Memcached::OPT_COMPRESSION);
        $this->client->setOption(Memcached::OPT_COMPRESSION, false);
        try {
            $result = $do($key);
        } finally {
            $this->client->setOption(Memcached::OPT_COMPRESSION, $compression);
        }
        $answers = [Memcached::RES_SUCCESS, Memcached::RES_NOTFOUND, Memcached::RES_NOTSTORED, Memcached::RES_DATA_EXISTS];
        // A get that was refused is reported as one that found nothing, but for the last error.
        foreach ([$this->client->getResultCode(), $this->client->getLastErrorCode()] as $code) {
            if (!in_array($code, $answers, true)) {
                throw new VerbError($key, $this->reason($key));
            }
        }
        return $result;
    }

    /** What the server or the client has said, without what libmemcached puts around it. */
    private function reason(string $key): string
    {
        $said = $this->client->getLastErrorMessage();
        $said = preg_replace(['/^\(0x[0-9a-f]+\) /', '/,  host: \S+( -> .*)?$/'], '', $said);
        return str_starts_with($said, "$key: ") ? substr($said, strlen($key) + 2) : $said;
    }

    private static function name(string $name): string
    {
        if ($name === '' || preg_match('~[\s/]~', $name)) {
            $reason = "'$name' can't be a name: it must have neither white space nor a slash; word() makes such a name";
            throw new InvalidArgumentException($reason);
        }
        return $name;
    }

    /** The time of a task that is due after so many seconds. */
    private static function when(float $delay): string
    {
        return $delay > 0 ? '+' . (int) round($delay * 1000) : '0';
    }

    /** @param string[] $texts */
    private static function words(array $texts): string
    {
        return implode(' ', array_map(self::word(...), $texts));
    }

    /** @return list<string> */
    private static function texts(?string $words): array
    {
        return array_map(self::text(...), $words === null || $words === '' ? [] : explode(' ', $words));
    }

    /** @return list<array{string, int}> */
    private static function scores(?string $words): array
    {
        return array_map(fn (array $pair): array => [$pair[0], (int) $pair[1]], array_chunk(self::texts($words), 2));
    }
}
