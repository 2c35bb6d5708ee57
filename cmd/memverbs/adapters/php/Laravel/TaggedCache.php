<?php

declare(strict_types=1);

namespace Memverbs\Laravel;

use Illuminate\Cache\TaggedCache as Tagged;
use Memverbs\Verbs;

/**
 * Items with one tag are in the namespace of that tag, and found without asking for anything else first. Those with
 * several are stored as Laravel stores them, since a key is in one namespace only.
 */
class TaggedCache extends Tagged
{
    /** Hides the items with any of the tags. */
    public function flush(): bool
    {
        foreach ($this->tags->getNames() as $tag) {
            $this->store->verbs->flush($this->store->getPrefix() . self::space($tag));
        }
        return parent::flush(); // for items with several tags
    }

    /** @param string $key */
    public function taggedItemKey($key): string
    {
        $tags = $this->tags->getNames();
        return count($tags) === 1 ? self::space($tags[0]) . $key : parent::taggedItemKey($key);
    }

    /** What the keys with a tag begin with, after the store's prefix. */
    private static function space(string $tag): string
    {
        return 'tag:' . Verbs::word($tag) . ':';
    }
}
