package statistics

// ofMemory are the settings of memcached's memory, for exporters that ask for them.
var ofMemory = map[string]bool{
	"lru_crawler": true, "lru_crawler_sleep": true, "lru_crawler_tocrawl": true, "lru_maintainer_thread": true, "lru_segmented": true,
	"hot_lru_pct": true, "warm_lru_pct": true, "hot_max_factor": true, "warm_max_factor": true, "temp_lru": true, "temporary_ttl": true,
	"evictions": true, "growth_factor": true, "chunk_size": true, "slab_reassign": true, "slab_automove": true, "slab_automove_ratio": true,
	"slab_automove_window": true, "slab_chunk_max": true,
}

// TellMemory adds to t the settings of memory from a server's answer to stats settings.
func TellMemory(t *Text, settings []byte) {
	for name, value := range statistic(settings) {
		if ofMemory[string(name)] {
			t.Add(string(name), string(value))
		}
	}
}
