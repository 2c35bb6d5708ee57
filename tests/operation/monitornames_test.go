package operation

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// monitorsRead are the names that tools ask for, by the argument of stats: telegraf's memcached input, Zabbix's
// template "Memcached by Zabbix agent 2", and Prometheus's memcached_exporter with its slab collector. Of stats
// items and slabs it is what follows the number of the class. They also ask for what memcached 1.6.45 does not tell.
var monitorsRead = map[string]string{
	"": `accepting_conns auth_cmds auth_errors bytes bytes_read bytes_written cas_badval cas_hits cas_misses cmd_flush
		cmd_get cmd_set cmd_touch conn_yields connection_structures curr_connections curr_items decr_hits decr_misses
		delete_hits delete_misses evicted_unfetched evictions expired_unfetched get_hits get_misses hash_bytes
		hash_is_expanding hash_power_level incr_hits incr_misses limit_maxbytes listen_disabled_num reclaimed threads
		total_connections total_items touch_hits touch_misses uptime
		max_connections pid rusage_system rusage_user version
		time rejected_connections store_too_large store_no_memory lru_crawler_starts direct_reclaims
		crawler_items_checked crawler_reclaimed moves_to_cold moves_to_warm moves_within_lru
		proxy_conn_requests proxy_conn_errors proxy_conn_oom proxy_req_active proxy_backend_total proxy_backend_failed`,
	"settings": `maxconns lru_crawler lru_crawler_sleep lru_crawler_tocrawl lru_maintainer_thread hot_lru_pct warm_lru_pct
		hot_max_factor warm_max_factor`,
	"items": `number age hits_to_hot hits_to_warm hits_to_cold hits_to_temp crawler_reclaimed evicted evicted_nonzero
		evicted_time evicted_unfetched expired_unfetched outofmemory reclaimed tailrepairs moves_to_cold moves_to_warm
		moves_within_lru mem_requested number_hot number_warm number_cold age_hot age_warm`,
	"slabs": `chunk_size chunks_per_page total_pages total_chunks used_chunks free_chunks free_chunks_end
		get_hits delete_hits incr_hits decr_hits cas_hits cas_badval touch_hits cmd_set total_malloced`,
}

// What monitors of memcached read is told, over one server and over several.
func TestNamesThatMonitorsRead(t *testing.T) {
	t.Parallel()
	one, two := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	for _, upstreams := range []string{one.Addr, one.Addr + "," + two.Addr} {
		m := harness.StartMemverbs(t, "--upstream", upstreams)
		harness.Dial(t, m.Addr).Ask("set a 0 0 1\r\nx\r\nset b 0 0 1\r\nx\r\n", "STORED\r\nSTORED\r\n")
		for what, names := range monitorsRead {
			told := map[string]bool{}
			for _, line := range askStats(t, m.Addr, what) {
				name := strings.Fields(line)[1]
				told[name[strings.LastIndex(name, ":")+1:]] = true
			}
			for name := range strings.FieldsSeq(names) {
				if !told[name] {
					t.Errorf("stats %s over %s does not tell %s", what, upstreams, name)
				}
			}
		}
	}
}
