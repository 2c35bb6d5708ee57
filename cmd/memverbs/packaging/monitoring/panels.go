package main

// The rows from the top down. What is chosen at the top of the dashboard, proxies and pools, is put into the expressions
// afterwards.
var rows = []row{
	{"Now", []panel{
		{number, "proxies ready", "short", []query{{"sum(memverbs_ready)", "ready"}, {"count(memverbs_ready)", "all"}}, ""},
		{number, "servers down", "short", []query{{"count(memverbs_upstream_up == 0) or vector(0)", "connections of proxies to servers"}}, "Each proxy that misses a server counts."},
		{number, "requests", "reqps", []query{{"sum(rate(memverbs_commands_total[$__rate_interval]))", "requests"}}, ""},
		{number, "clients", "short", []query{{"sum(memverbs_connections)", "clients"}, {"sum(memverbs_connections_limit)", "limit"}}, ""},
		{number, "first certificate to end", "s", []query{{"min by (file) (memverbs_certificate_expires_seconds)", "{{file}}"}}, ""},
		{number, "settings of a pool", "short", []query{{"count by (pool) (count by (pool, fingerprint) (memverbs_config_info))", "{{pool}}"}}, "More than one: proxies disagree on where keys are."},
	}},
	{"Clients", []panel{
		{chart, "requests", "reqps", []query{{"sum by (command) (rate(memverbs_commands_total[$__rate_interval]))", "{{command}}"}}, ""},
		{chart, "requests that are not answered well", "percentunit", []query{{`sum by (pool, result) (rate(memverbs_commands_total{result!~"ok|no_reply"}[$__rate_interval])) / ignoring (result) group_left () sum by (pool) (rate(memverbs_commands_total[$__rate_interval]))`, "{{pool}} {{result}}"}}, "The share of all requests."},
		{chart, "duration, 99 of 100 take less", "s", []query{{`histogram_quantile(0.99, sum by (le, command) (rate(memverbs_command_duration_seconds_bucket{result="ok"}[$__rate_interval])))`, "{{command}}"}}, ""},
		{chart, "duration, half take less", "s", []query{{`histogram_quantile(0.5, sum by (le, command) (rate(memverbs_command_duration_seconds_bucket{result="ok"}[$__rate_interval])))`, "{{command}}"}}, ""},
		{chart, "keys found", "percentunit", []query{{`sum by (pool, operation) (rate(memverbs_keys_total{result="hit"}[$__rate_interval])) / sum by (pool, operation) (rate(memverbs_keys_total[$__rate_interval]))`, "{{pool}} {{operation}}"}}, ""},
		{chart, "slow requests", "reqps", []query{{"rate(memverbs_slow_requests_total[$__rate_interval])", "{{instance}}"}}, ""},
		{chart, "clients connected", "short", []query{{"memverbs_connections", "{{instance}}"}, {"memverbs_connections_limit", "{{instance}} limit"}}, ""},
		{chart, "clients that come and go", "cps", []query{
			{"sum(rate(memverbs_connections_accepted_total[$__rate_interval]))", "accepted"},
			{"sum(rate(memverbs_connections_rejected_total[$__rate_interval]))", "rejected"},
			{"sum(rate(memverbs_connections_cut_off_total[$__rate_interval]))", "cut off"},
		}, ""},
		{chart, "passwords and TLS", "cps", []query{
			{"sum(rate(memverbs_authentications_total[$__rate_interval]))", "authentications"},
			{"sum(rate(memverbs_authentication_failures_total[$__rate_interval]))", "refused passwords"},
			{"sum by (result) (rate(memverbs_tls_handshakes_total[$__rate_interval]))", "handshakes {{result}}"},
		}, ""},
		{chart, "bytes from and to clients", "Bps", []query{
			{"sum(rate(memverbs_received_bytes_total[$__rate_interval]))", "received"},
			{"sum(rate(memverbs_sent_bytes_total[$__rate_interval]))", "sent"},
		}, ""},
	}},
	{"Servers", []panel{
		{chart, "servers up", "short", []query{{"min by (pool, upstream) (memverbs_upstream_up)", "{{pool}} {{upstream}}"}}, "Zero if any of the proxies misses it."},
		{chart, "outages", "short", []query{{"sum by (pool, upstream) (increase(memverbs_upstream_outages_total[$__rate_interval]))", "{{pool}} {{upstream}}"}}, ""},
		{chart, "requests to servers", "reqps", []query{{"sum by (pool, upstream) (rate(memverbs_upstream_requests_total[$__rate_interval]))", "{{pool}} {{upstream}}"}}, ""},
		{chart, "round trips, 99 of 100 take less", "s", []query{{"histogram_quantile(0.99, sum by (le, pool, upstream) (rate(memverbs_upstream_round_trip_seconds_bucket[$__rate_interval])))", "{{pool}} {{upstream}}"}}, ""},
		{chart, "failures", "reqps", []query{{"sum by (pool, upstream, reason) (rate(memverbs_upstream_failures_total[$__rate_interval]))", "{{pool}} {{upstream}} {{reason}}"}}, ""},
		{chart, "requests that wait for a reply", "short", []query{{"sum by (pool, upstream) (memverbs_upstream_pending_requests)", "{{pool}} {{upstream}}"}}, ""},
		{chart, "keys changed while a server was away", "short", []query{
			{"max by (instance, upstream) (memverbs_upstream_outdated_keys)", "{{instance}} {{upstream}} remembered"},
			{"max by (instance, upstream, result) (increase(memverbs_upstream_outdated_keys_total[$__rate_interval]))", "{{instance}} {{upstream}} {{result}}"},
		}, ""},
	}},
	{"Verbs", []panel{
		{chart, "calls", "reqps", []query{{"sum by (verb) (rate(memverbs_verb_calls_total[$__rate_interval]))", "{{verb}}"}}, ""},
		{chart, "round trips of a call", "short", []query{{"sum by (verb) (rate(memverbs_verb_round_trips_total[$__rate_interval])) / sum by (verb) (rate(memverbs_verb_calls_total[$__rate_interval]))", "{{verb}}"}}, ""},
		{chart, "calls that wait", "short", []query{{"sum by (pool) (memverbs_verbs_waiting)", "{{pool}}"}}, ""},
		{chart, "what goes wrong with structures", "short", []query{
			{"sum by (pool, kind) (increase(memverbs_structures_lost_total[$__rate_interval]))", "{{pool}} {{kind}} lost"},
			{"sum by (pool) (increase(memverbs_structures_full_total[$__rate_interval]))", "{{pool}} full"},
			{"sum by (pool) (increase(memverbs_foreign_tokens_dropped_total[$__rate_interval]))", "{{pool}} foreign"},
			{"sum(increase(memverbs_verb_keys_refused_total[$__rate_interval]))", "keys that name verbs, refused"},
		}, ""},
		{chart, "compactions", "ops", []query{{"sum by (pool, result) (rate(memverbs_compactions_total[$__rate_interval]))", "{{pool}} {{result}}"}}, ""},
		{chart, "uses of cached structures", "ops", []query{
			{"sum by (result) (rate(memverbs_read_cache_lookups_total[$__rate_interval]))", "{{result}}"},
			{"sum(rate(memverbs_read_cache_too_large_total[$__rate_interval]))", "too large"},
		}, ""},
		{chart, "cached structures", "short", []query{{"memverbs_read_cache_structures", "{{instance}}"}}, ""},
		{chart, "memory of cached structures", "bytes", []query{{"memverbs_read_cache_bytes", "{{instance}}"}, {"memverbs_read_cache_limit_bytes", "{{instance}} limit"}}, ""},
	}},
	{"Values kept in the process (near)", []panel{
		{chart, "gets", "reqps", []query{{"sum by (pool, result) (rate(memverbs_near_gets_total[$__rate_interval]))", "{{pool}} {{result}}"}}, ""},
		{chart, "mean age of what is answered", "s", []query{{`sum by (pool) (rate(memverbs_near_age_seconds_total[$__rate_interval])) / sum by (pool) (rate(memverbs_near_gets_total{result="hit"}[$__rate_interval]))`, "{{pool}}"}}, ""},
		{chart, "values", "short", []query{{"sum by (pool) (memverbs_near_values)", "{{pool}}"}}, ""},
		{chart, "memory of values", "bytes", []query{{"sum by (pool) (memverbs_near_bytes)", "{{pool}}"}}, ""},
	}},
	{"Gets that wait until another client stores the key (hold-misses)", []panel{
		{chart, "gets that miss", "reqps", []query{
			{"sum by (pool, result) (rate(memverbs_held_gets_total[$__rate_interval]))", "{{pool}} {{result}}"},
			{"sum by (pool) (rate(memverbs_held_missed_total[$__rate_interval]))", "{{pool}} waited in vain"},
		}, ""},
		{chart, "gets that wait now", "short", []query{{"sum by (pool) (memverbs_held_now)", "{{pool}}"}}, ""},
	}},
	{"Namespaces", []panel{
		{chart, "flushes", "ops", []query{{"sum by (pool) (rate(memverbs_namespace_flushes_total[$__rate_interval]))", "{{pool}}"}}, ""},
		{chart, "requests after a flush", "reqps", []query{
			{"sum by (pool) (rate(memverbs_namespace_repeats_total[$__rate_interval]))", "{{pool}} outdated"},
			{"sum by (pool) (rate(memverbs_namespace_unanswered_total[$__rate_interval]))", "{{pool}} unanswered"},
		}, ""},
	}},
	{"Copies", []panel{
		{chart, "values from", "reqps", []query{{"sum by (pool) (rate(memverbs_copies_read_total[$__rate_interval]))", "{{pool}}"}}, "If a pool that is not the first answers while all servers are up, the first one is cold or too small."},
		{chart, "values filled, changes missed", "ops", []query{
			{"sum by (pool) (rate(memverbs_copies_filled_total[$__rate_interval]))", "{{pool}} filled"},
			{"sum by (pool) (rate(memverbs_copies_passed_by_total[$__rate_interval]))", "{{pool}} missed"},
		}, ""},
	}},
	{"Shadows", []panel{
		{chart, "requests", "reqps", []query{
			{"sum by (pool, result) (rate(memverbs_shadow_requests_total[$__rate_interval]))", "{{pool}} {{result}}"},
			{"sum by (pool) (rate(memverbs_shadow_errors_total[$__rate_interval]))", "{{pool}} errors"},
		}, "Requests that are not sent were for a server that was down, or that did not keep up."},
		{chart, "keys found", "reqps", []query{{"sum by (pool, result) (rate(memverbs_shadow_gets_total[$__rate_interval]))", "{{pool}} {{result}}"}}, "If many are only in the main pool, the shadow is still cold, too small, or was not sent everything."},
	}},
	{"Changes of servers", []panel{
		{chart, "verbs", "reqps", []query{
			{"sum by (pool) (rate(memverbs_verbs_unsettled_total[$__rate_interval]))", "{{pool}} refused until all proxies know"},
			{"sum by (pool) (rate(memverbs_verbs_at_former_place_total[$__rate_interval]))", "{{pool}} at former servers"},
		}, ""},
		{chart, "time until a change is settled", "s", []query{{"memverbs_settle_remaining_seconds", "{{instance}} {{pool}}"}}, ""},
		{chart, "keys that move", "ops", []query{
			{"sum by (pool) (rate(memverbs_moving_requests_total[$__rate_interval]))", "{{pool}} asked for"},
			{"sum by (pool) (rate(memverbs_moved_items_total[$__rate_interval]))", "{{pool}} moved"},
		}, ""},
		{chart, "servers that are not swept yet", "short", []query{{"memverbs_move_unswept_servers", "{{instance}} {{pool}}"}}, "While keys move; 0 if none do."},
		{chart, "age of the list of servers", "s", []query{{"memverbs_servers_answer_age_seconds", "{{instance}} {{pool}}"}}, ""},
	}},
	{"The process", []panel{
		{chart, "memory for what is in flight", "bytes", []query{{"memverbs_memory_used_bytes", "{{instance}}"}, {"memverbs_memory_limit_bytes", "{{instance}} limit"}}, ""},
		{chart, "requests refused for lack of memory", "reqps", []query{{"rate(memverbs_requests_given_up_total[$__rate_interval])", "{{instance}}"}}, ""},
		{chart, "memory of the process", "bytes", []query{{"process_resident_memory_bytes", "{{instance}}"}}, "What the process has in the machine's memory, all of it."},
		{chart, "cores in use", "short", []query{{"rate(process_cpu_seconds_total[$__rate_interval])", "{{instance}}"}}, "If it comes near to the number of event loops (`loops`), these are busy all the time."},
		{chart, "open files", "short", []query{{"process_open_fds", "{{instance}}"}, {"process_max_fds", "{{instance}} limit"}}, "Each client takes one, and each connection to a server."},
		{chart, "lines of the log lost", "short", []query{{"increase(memverbs_log_lines_lost_total[$__rate_interval])", "{{instance}}"}}, ""},
		{chart, "versions", "short", []query{{"count by (version, goversion) (memverbs_build_info)", "{{version}} by {{goversion}}"}}, "How many proxies have which."},
		{chart, "settings read", "short", []query{{"memverbs_config_last_reload_successful", "{{instance}}"}}, ""},
		{chart, "age of the settings", "s", []query{{"time() - memverbs_config_last_reload_success_timestamp_seconds", "{{instance}}"}}, ""},
	}},
}
