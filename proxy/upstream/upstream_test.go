package upstream

import "testing"

// What answers to stats settings say of who gives them.
func TestIsMemcached(t *testing.T) {
	t.Parallel()
	for answer, is := range map[string]bool{
		"STAT maxbytes 67108864\r\nSTAT maxconns 1024\r\nSTAT tcpport 11211\r\nSTAT inter 127.0.0.1\r\nEND\r\n":                                       true,  // 1.6.18
		"STAT maxbytes 67108864\r\nSTAT tcpport 0\r\nSTAT domain_socket /s\r\nSTAT proxy_enabled no\r\nSTAT proxy_uring_enabled no\r\nEND\r\n":        true,  // 1.6.45, by a socket
		"STAT maxbytes 67108864\r\nSTAT tcpport 11211\r\nSTAT proxy_enabled yes\r\nSTAT proxy_uring_enabled no\r\nEND\r\n":                            false, // with proxy_config
		"STAT maxconns 10000\r\nSTAT num_threads 2\r\nSTAT item_size_max 1048576\r\nSTAT binding_protocol ascii\r\nSTAT maxbytes 67108864\r\nEND\r\n": false, // memverbs
		"END\r\n":   false,
		"ERROR\r\n": false,
	} {
		if isMemcached([]byte(answer)) != is {
			t.Errorf("%q: %v", answer, !is)
		}
	}
}
