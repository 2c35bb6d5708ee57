<?php

/* Proves Verbs and the classes for Laravel: php test.php MEMVERBS MEMCACHED, both as HOST:PORT; it says each scenario that holds. */

declare(strict_types=1);

use Illuminate\Cache\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Events\Dispatcher;
use Illuminate\Queue\Capsule\Manager;
use Illuminate\Queue\Worker;
use Illuminate\Queue\WorkerOptions;
use Memverbs\Laravel\Connector;
use Memverbs\Laravel\RateLimiter;
use Memverbs\Laravel\Store;
use Memverbs\VerbError;
use Memverbs\Verbs;

spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Memverbs\\')) {
        require __DIR__ . '/' . strtr(substr($class, 9), '\\', '/') . '.php';
    }
});
set_error_handler(fn ($level, $text, $file, $line) => throw new ErrorException($text, 0, $level, $file, $line));

const ODD = "Ä b/c%2F+&é\n日😀"; // a text that is neither a word nor ASCII
const LONG = 3600; // seconds: longer than any test

function connect(string $address): Memcached
{
    [$host, $port] = explode(':', $address);
    $client = new Memcached();
    $client->setOption(Memcached::OPT_POLL_TIMEOUT, 60000);
    $client->addServer($host, (int) $port);
    return $client;
}

/** Says the scenario if it throws nothing. */
function scenario(string $text, callable $do): void
{
    $do();
    echo "$text\n";
}

/** Ends the test if two values differ. */
function equal(mixed $got, mixed $expected): void
{
    if ($got !== $expected) {
        throw new Exception('got ' . var_export($got, true) . ', expected ' . var_export($expected, true));
    }
}

/** Expects an exception whose message has these parts. */
function throws(string $class, callable $do, string ...$parts): void
{
    try {
        $do();
    } catch (Exception $e) {
        equal($e instanceof $class, true);
        foreach ($parts as $part) {
            equal([$e->getMessage(), str_contains($e->getMessage(), $part)], [$e->getMessage(), true]);
        }
        return;
    }
    throw new Exception("no $class");
}

/** Has whoever runs this test take a step of an outage. */
function ask(string $step): void
{
    echo "! $step\n";
    fgets(STDIN);
}

/** Does something until it succeeds, for a minute at most. */
function again(callable $do): void
{
    for ($end = time() + 60; ; usleep(100000)) {
        try {
            equal($do(), true);
            return;
        } catch (Exception $e) {
            if (time() > $end) {
                throw $e;
            }
        }
    }
}

$client = connect($argv[1]);
$v = new Verbs($client);
$v->check();

scenario('words: any text comes back as it was, of a member and of an id', function () use ($v) {
    $v->addMembers('words', ODD, 'noreply');
    equal([$v->members('words'), $v->hasMember('words', ODD), $v->hasMember('words', 'b')], [[ODD, 'noreply'], true, false]);
    $v->putTask('words-tasks', ODD, 'x');
    equal($v->takeTask('words-tasks', LONG)->id, ODD);
});

scenario("words: what can't be a name is refused before it is sent", function () use ($v) {
    foreach (['', 'a b', 'a/b'] as $name) {
        throws(InvalidArgumentException::class, fn () => $v->members($name), "can't be a name");
    }
});

scenario('records: data of any bytes is read as it was put', function () use ($v) {
    $every = str_repeat(implode('', array_map(chr(...), range(0, 255))) . "\n\r\n", 100); // long enough to be compressed
    $v->putTask('records', 'a', $every);
    $v->putTask('records', 'b', '');
    equal([$v->takeTask('records', LONG)->data, $v->takeTask('records', LONG)->data], [$every, '']);
    equal(Verbs::records("a 0 3\nx\ny\nb 7 0 s.1\n\n"), [['a', '0', '3', "x\ny"], ['b', '7', '0', 's.1', '']]);
});

scenario('errors: a refusal tells the key, and the reason or where it is', function () use ($v) {
    throws(VerbError::class, fn () => $v->allow('errors', 5, 0), 'verb/limit/errors/5/0: bad time', 'seconds');
    throws(VerbError::class, fn () => $v->left('errors', 5, 0), 'verb/limit/errors/5/0: bad time', 'seconds');
});

scenario('errors: a server that takes verbs for keys is found out', function () use ($argv) {
    throws(VerbError::class, fn () => (new Verbs(connect($argv[2])))->check(), '--verb-keys verb/');
});

scenario('queue: a task is given to one worker until it is done', function () use ($v) {
    $v->putTask('mails', 'welcome:7', 'Alice');
    $task = $v->takeTask('mails', LONG);
    equal([$task->id, $task->data, $task->attempt()], ['welcome:7', 'Alice', 1]);
    equal([$v->takeTask('mails', LONG), $v->countTasks('mails')], [null, 1]);
    equal([$v->keepTask('mails', $task, LONG), $v->finishTask('mails', $task), $v->finishTask('mails', $task)], [true, true, false]);
    equal($v->countTasks('mails'), 0);
});

scenario('queue: a task that is there is not added again', function () use ($v) {
    equal([$v->addTask('mails', 'report', 'first'), $v->addTask('mails', 'report', 'second')], [true, false]);
    equal($v->takeTask('mails', LONG)->data, 'first');
    equal([$v->dropTask('mails', 'report'), $v->dropTask('mails', 'report')], [true, false]);
});

scenario('queue: a task for later is not given now', function () use ($v) {
    $v->putTask('mails', 'later', 'x', LONG);
    equal([$v->takeTask('mails', LONG), $v->dropTask('mails', 'later')], [null, true]);
});

scenario('queue: a worker tries again what fails, and leaves alone what fails too often', function () use ($v) {
    $v->putTask('mails', 'bad', 'x');
    for ($attempts = []; $task = $v->takeTask('mails', LONG, most: 3); $v->retryTask('mails', $task)) {
        $attempts[] = $task->attempt();
    }
    equal([$attempts, $v->countTasks('mails'), $v->dropTask('mails', 'bad')], [[1, 2, 3], 1, true]);
});

scenario('queue: a worker that waits gets a task that is put meanwhile', function () use ($v) {
    $v->putTask('mails', 'new', 'x', 0.05); // which is due when the worker waits
    equal($v->takeTask('mails', LONG, wait: 30)->id, 'new');
    throws(InvalidArgumentException::class, fn () => $v->takeTask('mails', LONG, wait: 60), 'OPT_POLL_TIMEOUT');
});

scenario('leaderboard: points add up, and the highest scores come first', function () use ($v) {
    $v->putScore('points', 'ann', 120);
    equal([$v->addPoints('points', 'bob', 90), $v->addPoints('points', 'bob', 5, LONG)], [90, 95]);
    equal([$v->addPoints('points', ODD), $v->addPoints('points', 'ann', -20)], [1, 100]);
    equal([$v->top('points', 2), $v->top('points', 5, 2)], [[['ann', 100], ['bob', 95]], [[ODD, 1]]]);
});

scenario("leaderboard: a member's score, place and neighbours", function () use ($v) {
    equal([$v->score('points', 'bob'), $v->place('points', 'bob')], [95, 1]);
    equal($v->around('points', 'bob', 1), [['ann', 100], ['bob', 95], [ODD, 1]]);
    equal([$v->score('points', 'cid'), $v->place('points', 'cid'), $v->around('points', 'cid', 1)], [null, null, []]);
    $v->removeScore('points', 'bob');
    equal($v->top('points', -1), [['ann', 100], [ODD, 1]]);
});

scenario('leaderboard: a score below zero is an error, and counted all the same', function () use ($v) {
    throws(VerbError::class, fn () => $v->addPoints('points', 'dan', -7), 'zincrby/points/dan', 'counted');
    equal($v->score('points', 'dan'), -7);
});

scenario('limit: so many are allowed, and no more', function () use ($v) {
    equal(array_slice($v->left('login:ann', 3, LONG), 0, 2), [true, 3]);
    equal(array_map(fn ($n) => $v->allow('login:ann', 3, LONG, $n), [2, 2, 1, 1]), [true, false, true, false]);
});

scenario('limit: who is refused is told when to ask again', function () use ($v) {
    [$allowed, $left, $wait] = $v->left('login:ann', 3, LONG);
    equal([$allowed, $left, $wait > 0 && $wait <= 2 * LONG], [false, 0, true]);
});

scenario('lock: one has it at a time', function () use ($v) {
    equal([$v->lock('report', 'mine', LONG), $v->lock('report', 'mine', LONG), $v->lock('report', 'other', LONG)], [true, true, false]);
    equal([$v->relock('report', 'mine', LONG), $v->unlock('report', 'other'), $v->unlock('report', 'mine')], [true, false, true]);
    equal(array_map(fn ($token) => $v->lock('crawl', $token, LONG, 2), ['a', 'b', 'c']), [true, true, false]);
});

scenario('lock: who has lost it is told so', function () use ($v) {
    equal([$v->lock('page', 'mine', LONG), $v->relock('page', 'mine', -1), $v->unlock('page', 'mine')], [true, true, false]);
});

scenario('set: members are added and removed', function () use ($v) {
    equal([$v->countMembers('fruits'), $v->hasMember('fruits', 'apple'), $v->members('fruits')], [0, false, []]);
    $v->addMembers('fruits', 'apple', 'pear', 'apple');
    $v->addMembersFor('fruits', LONG, 'plum');
    $v->removeMembers('fruits', 'pear', 'fig');
    equal([$v->members('fruits'), $v->countMembers('fruits'), $v->hasMember('fruits', 'pear')], [['apple', 'plum'], 2, false]);
});

scenario('set: a member that is new is told from one that was there', function () use ($v) {
    equal([$v->addNewMember('fruits', 'fig'), $v->addNewMember('fruits', 'fig')], [true, false]);
});

scenario('set: the members that several sets have', function () use ($v) {
    $v->addMembers('red', 'apple', 'cherry');
    equal($v->members('fruits', 'red'), ['apple']);
});

scenario('namespaces: a flush hides the keys of the namespace, and no others', function () use ($v, $client) {
    $client->set('pages:1', ['x']);
    $client->set('other:1', ['x']);
    $v->flush('pages:');
    equal([$client->get('pages:1'), $client->get('other:1')], [false, ['x']]);
    throws(VerbError::class, fn () => $v->flush('other:'), 'nsflush/other:');
});

scenario('outage: a verb is an error while its server is down, and works again', function () use ($v) {
    ask('stop the memcacheds');
    throws(VerbError::class, fn () => $v->addMembers('fruits', 'kiwi'), 'verb/sadd/fruits');
    ask('start the memcacheds');
    again(fn () => $v->addNewMember('fruits', 'kiwi'));
});

scenario('outage: a verb is an error while memverbs is down, and works again', function () use ($v) {
    ask('stop memverbs');
    throws(VerbError::class, fn () => $v->addMembers('fruits', 'lime'), 'verb/sadd/fruits');
    ask('start memverbs');
    again(fn () => $v->addNewMember('fruits', 'lime'));
});

scenario('outage: what a plain get is, and when the client tries again', function () use ($client) {
    $client->set('kept', 1);
    ask('stop the memcacheds');
    equal([$client->get('kept'), $client->set('kept', 2)], [false, false]);
    ask('start the memcacheds');
    equal($client->set('kept', 3), true);
    ask('stop memverbs');
    again(fn () => $client->get('kept') === false && $client->getResultCode() === Memcached::RES_SERVER_TEMPORARILY_DISABLED);
    equal($client->getOption(Memcached::OPT_RETRY_TIMEOUT), 2);
    ask('start memverbs');
    again(fn () => $client->set('kept', 4));
});

// Debian has Laravel's components.
foreach (['Cache', 'Container', 'Events', 'Queue'] as $component) {
    require_once "Illuminate/$component/autoload.php";
}
$cache = new Repository(new Store($client, 'shop'));

scenario('Laravel: flushing a tag hides what has it, and nothing else', function () use ($cache, $client) {
    $cache->put('Anne', 'plain', LONG);
    $cache->tags('people')->put('Anne', ['name' => 'Anne'], LONG);
    $cache->tags(['people', 'authors'])->put('Anne', 'both', LONG);
    $cache->tags('a b:c')->put('Anne', 'odd', LONG);
    equal([$cache->tags('people')->get('Anne'), $cache->tags(['people', 'authors'])->get('Anne')], [['name' => 'Anne'], 'both']);
    equal($client->get('shop:tag:people:Anne'), ['name' => 'Anne']);
    $cache->tags('people')->flush();
    equal([$cache->tags('people')->get('Anne'), $cache->tags(['people', 'authors'])->get('Anne')], [null, null]);
    equal([$cache->tags('a b:c')->get('Anne'), $cache->get('Anne')], ['odd', 'plain']);
    $cache->tags('a b:c')->flush();
    equal($cache->tags('a b:c')->get('Anne'), null);
});

scenario('Laravel: the cache works as ever, with tags and without', function () use ($cache) {
    foreach ([$cache, $cache->tags('sums'), $cache->tags(['sums', 'more'])] as $repository) {
        equal([$repository->remember('k', LONG, fn () => [1]), $repository->remember('k', LONG, fn () => [2])], [[1], [1]]);
        equal([$repository->add('n', 5, LONG), $repository->add('n', 6, LONG)], [true, false]);
        equal([$repository->increment('n'), $repository->decrement('n', 2), $repository->get('n')], [6, 4, 4]);
        equal([$repository->putMany(['a' => 1, 'b' => 2], LONG), $repository->many(['a', 'b', 'c'])], [true, ['a' => 1, 'b' => 2, 'c' => null]]);
        equal([$repository->forget('a'), $repository->has('a'), $repository->pull('b'), $repository->has('b')], [true, false, 2, false]);
    }
});

scenario('Laravel: a lock is given back by its owner only', function () use ($cache) {
    $lock = $cache->lock('my report/1', LONG);
    $other = $cache->lock('my report/1', LONG);
    equal([$lock->get(), $other->get(), $other->release(), $lock->refresh()], [true, false, false, true]);
    equal($cache->restoreLock('my report/1', $lock->owner())->release(), true);
    equal([$other->get(fn () => 'done'), $lock->get()], ['done', true]);
    $other->forceRelease();
    equal([$lock->release(), $cache->lock('for ever')->get()], [false, true]);
});

scenario('Laravel: a limiter allows so many attempts', function () use ($cache) {
    $limiter = new RateLimiter($cache->getStore()->verbs);
    $attempt = fn () => $limiter->attempt('send to:ann/bob', 2, fn () => 'sent', LONG);
    equal([$limiter->remaining('send to:ann/bob', 2, LONG), $attempt(), $attempt(), $attempt()], [2, 'sent', 'sent', false]);
    equal([$limiter->remaining('send to:ann/bob', 2, LONG), $limiter->availableIn('send to:ann/bob', 2, LONG) > 0], [0, true]);
});

/** A job that fails the first time. */
final class SendMail
{
    public static array $said = [];

    public function fire(Illuminate\Contracts\Queue\Job $job, array $data): void
    {
        self::$said[] = [$data['to'], $job->attempts()];
        if ($job->attempts() === 1 && $data['to'] === 'bob') {
            throw new Exception('no connection');
        }
        $job->delete();
    }
}

scenario("Laravel: its worker does what is pushed, and again what fails", function () use ($argv) {
    $handler = new class implements ExceptionHandler {
        public function report(Throwable $e): void
        {
        }

        public function shouldReport(Throwable $e): bool
        {
            return false;
        }

        public function render($request, Throwable $e): mixed
        {
            throw $e;
        }

        public function renderForConsole($output, Throwable $e): void
        {
        }
    };
    [$host, $port] = explode(':', $argv[1]);
    $capsule = new Manager();
    $manager = $capsule->getQueueManager();
    $manager->addConnector('memverbs', fn () => new Connector());
    $capsule->addConnection(
        ['driver' => 'memverbs', 'host' => $host, 'port' => (int) $port, 'queue' => 'jobs', 'retry_after' => LONG, 'block_for' => 1],
        'mv',
    );
    $queue = $manager->connection('mv');
    $queue->push('SendMail', ['to' => 'ann']);
    $queue->push('SendMail', ['to' => 'bob']);
    $queue->later(LONG, 'SendMail', ['to' => 'cid']);
    equal($queue->size(), 3);
    $worker = new Worker($manager, new Dispatcher(), $handler, fn () => false);
    foreach (range(1, 3) as $_) {
        $worker->runNextJob('mv', 'jobs', new WorkerOptions(maxTries: 3, sleep: 0));
    }
    equal([SendMail::$said, $queue->size(), $queue->pop()], [[['ann', 1], ['bob', 1], ['bob', 2]], 1, null]);
});

scenario('Laravel: during an outage a get is a miss, and a lock an error', function () use ($cache) {
    foreach (['the memcacheds', 'memverbs'] as $name) {
        $cache->put('kept', 1, LONG);
        ask("stop $name");
        equal([$cache->get('kept'), $cache->put('kept', 2, LONG), $cache->remember('kept', LONG, fn () => 3)], [null, false, 3]);
        throws(VerbError::class, fn () => $cache->lock('outage', LONG)->get(), 'verb/lock/shop:outage');
        throws(VerbError::class, fn () => $cache->tags('people')->flush(), 'verb/nsflush/');
        ask("start $name");
        again(fn () => $cache->put('kept', 4, LONG));
        equal($cache->get('kept'), 4);
    }
});
