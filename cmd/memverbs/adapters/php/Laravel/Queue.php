<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Illuminate\Contracts\Queue\Queue as QueueContract;
use Illuminate\Queue\Queue as BaseQueue;
use Memverbs\Verbs;

/** A queue of tasks as a connection of Laravel's queues. */
class Queue extends BaseQueue implements QueueContract
{
    public function __construct(
        private readonly Verbs $verbs,
        private readonly string $default,
        private readonly int $retryAfter = 60,
        private readonly int $blockFor = 0,
        bool $dispatchAfterCommit = false,
    ) {
        $this->dispatchAfterCommit = $dispatchAfterCommit;
    }

    /** @param string|null $queue */
    public function size($queue = null): int
    {
        return $this->verbs->countTasks($this->getQueue($queue));
    }

    /**
     * @param string|object $job
     * @param mixed         $data
     * @param string|null   $queue
     */
    public function push($job, $data = '', $queue = null): mixed
    {
        return $this->later(0, $job, $data, $queue);
    }

    /**
     * @param string      $payload
     * @param string|null $queue
     */
    public function pushRaw($payload, $queue = null, array $options = []): string
    {
        return $this->put($payload, $queue, 0);
    }

    /**
     * @param \DateTimeInterface|\DateInterval|int $delay
     * @param string|object                        $job
     * @param mixed                                $data
     * @param string|null                          $queue
     */
    public function later($delay, $job, $data = '', $queue = null): mixed
    {
        return $this->enqueueUsing(
            $job,
            $this->createPayload($job, $this->getQueue($queue), $data),
            $queue,
            $delay,
            fn ($payload, $queue, $delay) => $this->put($payload, $queue, $this->secondsUntil($delay)),
        );
    }

    /** @param string|null $queue */
    public function pop($queue = null): ?Job
    {
        $queue = $this->getQueue($queue);
        $task = $this->verbs->takeTask($queue, $this->retryAfter, wait: $this->blockFor);
        return $task === null ? null : new Job($this->container, $this->verbs, $task, $this->connectionName, $queue);
    }

    /** Puts a payload under a new id, which it returns. */
    private function put(string $payload, ?string $queue, int $delay): string
    {
        $id = bin2hex(random_bytes(16));
        $this->verbs->putTask($this->getQueue($queue), $id, $payload, $delay);
        return $id;
    }

    private function getQueue(?string $queue): string
    {
        return $queue ?: $this->default;
    }
}
