//go:build linux

package main

// The names of contestants to which clients speak TLS, beside memverbs, and of those that speak TLS to
// servers.
const (
	stunnelMemverbs  = "stunnel + memverbs"
	stunnelMemcached = "stunnel + memcached"
	memcachedTLS     = "memcached -Z"
	memverbsStunnel  = "memverbs + stunnel"
	withoutTLS       = "without TLS" // memverbs
)

// tlsLoads is what TLS costs: memverbs compared with memcached, and with stunnel, which adds TLS to any server.
func tlsLoads(o *options) *part {
	return &part{
		name: "tls", title: "TLS", text: tlsText, apart: true, table: tlsTable, detail: true, drawn: []column{cpu}, unit: memverbs,
		cells: []*cell{
			withTLS(newPlain(o, 50, 1, 100)).cell(o, "tls-plain"),
			withTLS(newPlain(o, 50, 16, 100)).cell(o, "tls-pipelined"),
			withTLS(newPlain(o, 50, 1, 10_000)).cell(o, "tls-10k"),
			visits(o, "tls-connect", false),
			visits(o, "tls-resume", true),
			towardsServers(o, "tls-servers", newPlain(o, 50, 1, 100)),
			towardsServers(o, "tls-servers-pipelined", newPlain(o, 50, 16, 100)),
		},
	}
}

const tlsText = `The figures of each, and memverbs' divided by them: median of the rounds' ratios, their spread, and the bar, if there is
one. All speak TLS 1.3 with the same certificate (ECDSA, P-256), and agree on TLS_AES_128_GCM_SHA256 and X25519MLKEM768.

- cpu: what a request takes of memverbs, of stunnel, or of both if both are named; of memcached -Z, the whole of it.
- all: the same with the memcacheds behind.
- stunnel + memverbs: stunnel in front of a memverbs without TLS.
- stunnel + memcached, memcached -Z: one memcached, without a proxy. The others have two.
- without TLS: memverbs and clients that do not speak it.
- memverbs + stunnel: stunnel in client mode between memverbs and two memcached -Z.
- new connections: each makes a handshake and one get of 100 B, which counts as a request, and is closed. 16 clients do so.`

// tlsTable has a row for each contestant of each cell.
func tlsTable(cells []*cell) *table {
	told := []column{requests, cpu, whole, p99}
	t := &table{head: []string{"load", "contestant"}}
	for _, column := range told {
		t.head = append(t.head, titles[column], "ratio")
	}
	for _, c := range cells {
		for i, name := range c.names {
			row := []string{c.rowTitle(i), name}
			for _, column := range told {
				ratio := ""
				if name != c.subject {
					ratio = c.verdict(name, column)
				}
				row = append(row, c.figure(name, column), ratio)
			}
			t.add(row...)
		}
	}
	return t
}
