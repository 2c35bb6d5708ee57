<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Illuminate\Container\Container;
use Illuminate\Contracts\Queue\Job as JobContract;
use Illuminate\Queue\Jobs\Job as BaseJob;
use Memverbs\Task;
use Memverbs\Verbs;

/** A job that this worker holds, until it is deleted or released, or its time is over. */
class Job extends BaseJob implements JobContract
{
    public function __construct(
        Container $container,
        private readonly Verbs $verbs,
        private readonly Task $task,
        string $connectionName,
        string $queue,
    ) {
        $this->container = $container;
        $this->connectionName = $connectionName;
        $this->queue = $queue;
    }

    /** @param int $delay */
    public function release($delay = 0): void
    {
        parent::release($delay);
        $this->verbs->retryTask($this->queue, $this->task, $delay);
    }

    public function delete(): void
    {
        parent::delete();
        $this->verbs->finishTask($this->queue, $this->task);
    }

    public function attempts(): int
    {
        return $this->task->attempt();
    }

    public function getJobId(): string
    {
        return $this->task->id;
    }

    public function getRawBody(): string
    {
        return $this->task->data;
    }
}
