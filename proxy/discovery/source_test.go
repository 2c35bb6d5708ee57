package discovery

import (
	"strings"
	"testing"
)

func TestSources(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dns:cache":                        "dns:cache:11211",
		"dns:cache.internal:11300":         "dns:cache.internal:11300",
		"srv:_memcache._tcp.cache.test":    "srv:_memcache._tcp.cache.test",
		"elasticache:a.cfg.example:11211":  "elasticache:a.cfg.example:11211",
		"elasticache:127.0.0.1:1":          "elasticache:127.0.0.1:1",
		"dns:10.0.0.1:11211":               "is an address: list the servers themselves",
		"dns:[::1]:11211":                  "is an address: list the servers themselves",
		"dns:cache:11211:2":                "weights can't be given",
		"dns:cache:11211:1 alpha":          "weights and names can't be given",
		"dns:":                             "is not a name",
		"dns:unix:/run/m":                  "has a character that no name has",
		"dns:cache:0":                      "is not a name, or is followed by no port",
		"srv:_memcache._tcp.cache.test:11": "SRV records have the ports",
		"elasticache:":                     "is not a name",
	} {
		s, err := ParseSource(text)
		if got := s.String(); err == nil && got != want {
			t.Errorf("%s is %s, expected %s", text, got, want)
		} else if err != nil && (!strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "; expected "+Forms)) {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
		if !IsSource(text) {
			t.Errorf("%s is no source", text)
		}
	}
	for _, text := range []string{"dns:11211", "srv:11211:2", "dns", "cache:11211", "unix:/dns:a", "10.0.0.1", "dnsx:a"} {
		if IsSource(text) {
			t.Errorf("%s is a source", text)
		}
	}
}
