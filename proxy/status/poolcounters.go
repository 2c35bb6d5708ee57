package status

// PoolCounter is a count of a pool.
type PoolCounter uint8

// The order is that of stats.
const (
	Operations PoolCounter = iota
	CompactionsTried
	CompactionsWon
	CompactionsLost
	Incomplete
	Full
	Foreign
	NearHits
	NearJoined
	NearAsked
	NearAge
	HeldMakers
	HeldWaited
	HeldMissed
	NamespaceFlushes
	NamespaceRepeats
	VerbsUnsettled
	VerbsAtFormerPlace
	NamespaceUnanswered
	CopiesRead
	CopiesFilled
	CopiesPassedBy
	ShadowSent
	ShadowUnsent
	ShadowErrors
	ShadowInBoth
	ShadowOnlyMain
	ShadowOnlyShadow
	ShadowInNeither
	MovingRequests
	MovedItems

	NumPoolCounters = iota
)

// PoolCounters says how each counter of a pool is shown. The metrics have the label pool besides.
var PoolCounters = [NumPoolCounters]Shown{
	Operations:       {Stat: "verb_operations"}, // of memcached, by verbs
	CompactionsTried: {Stat: "compactions_tried"},
	CompactionsWon:   {"compactions_won", "", "compactions_total", result("won"), compactions},
	CompactionsLost:  {"", "", "compactions_total", result("lost"), compactions},
	Incomplete:       {Stat: "structures_incomplete"}, // which the metrics have by kind
	Full:             {"structures_full", "structuresFull", "structures_full_total", Label{}, "How often a structure had no room for what was to be added."},
	Foreign:          {"foreign_tokens_dropped", "", "foreign_tokens_dropped_total", Label{}, "Changes that meant nothing because they were made by a verb for another kind of structure."},
	NearHits:         {"near_hits", "nearHits", "near_gets_total", result("hit"), nearGets},
	NearJoined:       {"near_joined", "nearJoined", "near_gets_total", result("joined"), nearGets},
	NearAsked:        {"near_asked", "nearAsked", "near_gets_total", result("asked"), nearGets},
	NearAge:          {Stat: "near_age_us", Page: "nearAge"}, // which the metrics have in seconds
	HeldMakers:       {"held_makers", "heldMakers", "held_gets_total", result("maker"), heldGets},
	HeldWaited:       {"held_waited", "heldWaited", "held_gets_total", result("waited"), heldGets},
	HeldMissed:       {"held_missed", "heldMissed", "held_missed_total", Label{}, "Gets that have waited until another client stores what they miss, and whose clients got the miss in the end."},

	NamespaceFlushes:    {"namespace_flushes", "namespaceFlushes", "namespace_flushes_total", Label{}, "Flushes of namespaces by clients of this proxy."},
	VerbsUnsettled:      {"verbs_unsettled", "verbsUnsettled", "verbs_unsettled_total", Label{}, "Verbs that were refused because the servers of the pool had changed, or could not be confirmed."},
	VerbsAtFormerPlace:  {"verbs_at_former_place", "verbsAtFormerPlace", "verbs_at_former_place_total", Label{}, "Verbs on structures that have remained on the server where they were before the servers of the pool changed."},
	NamespaceRepeats:    {"namespace_repeats", "namespaceRepeats", "namespace_repeats_total", Label{}, "Requests on keys in namespaces that were outdated, because the namespace had been flushed, and were carried out again or answered with an error."},
	NamespaceUnanswered: {"namespace_unanswered", "namespaceUnanswered", "namespace_unanswered_total", Label{}, "Requests on keys in namespaces that failed because a server did not tell the generation."},

	CopiesRead:     {"copies_read", "copiesRead", "copies_read_total", Label{}, "Values of keys with copies that clients got from this pool."},
	CopiesFilled:   {"copies_filled", "copiesFilled", "copies_filled_total", Label{}, "Values that this pool lacked and that were stored there, as another pool has a copy of them."},
	CopiesPassedBy: {"copies_passed_by", "copiesPassedBy", "copies_passed_by_total", Label{}, "Changes of keys with copies that this pool has missed because its server was down, so that the key is deleted there before the server is used again."},

	ShadowSent:       {"shadow_sent", "shadowSent", "shadow_requests_total", result("sent"), shadowRequests},
	ShadowUnsent:     {"shadow_unsent", "shadowUnsent", "shadow_requests_total", result("unsent"), shadowRequests},
	ShadowErrors:     {"shadow_errors", "shadowErrors", "shadow_errors_total", Label{}, "Requests that were sent to this pool as a shadow, and answered with an error or not at all."},
	ShadowInBoth:     {"shadow_hits_both", "shadowInBoth", "shadow_gets_total", result("both"), shadowGets},
	ShadowOnlyMain:   {"shadow_hits_only_main", "shadowOnlyMain", "shadow_gets_total", result("only-main"), shadowGets},
	ShadowOnlyShadow: {"shadow_hits_only_shadow", "shadowOnlyShadow", "shadow_gets_total", result("only-shadow"), shadowGets},
	ShadowInNeither:  {"shadow_misses_both", "shadowInNeither", "shadow_gets_total", result("neither"), shadowGets},
	MovingRequests:   {"moving_requests", "movingRequests", "moving_requests_total", Label{}, "Requests on keys that were moving to another server because the servers of the pool had changed, by keys."},
	MovedItems:       {"moved_items", "movedItems", "moved_items_total", Label{}, "Items that this proxy has moved to another server because the servers of the pool had changed."},
}

const heldGets = "Gets that have missed keys for which gets wait, by result: a maker got the miss at once, the others waited until another client stores the key."

const nearGets = "Gets of keys whose values are kept in the process, and verbs that only read such structures, by result: a hit was answered by it, a joined one waited for another get, the others asked the server."

const shadowRequests = "Requests for keys of which this pool is a shadow, by whether they were sent there: not if its server was down or behind."

const shadowGets = "Keys that clients got and that this pool was asked for as a shadow, by where they were found: in both pools, only in the main one, whose answer the client got, only in the shadow, or in neither."

const compactions = "Compactions of structures, by result: lost ones were prevented by a concurrent change."

// PoolCounts are the counts of a pool on an event loop, or on several together.
type PoolCounts [NumPoolCounters]uint64

// AddShadowed adds what another pool has counted as a shadow.
func (c *PoolCounts) AddShadowed(other *PoolCounts) {
	Add(c[ShadowSent:ShadowInNeither+1], other[ShadowSent:ShadowInNeither+1])
}
