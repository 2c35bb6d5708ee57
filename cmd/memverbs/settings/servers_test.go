package settings

import "testing"

// A server's name in messages is its address as it was written, and the name that it was given.
func TestNamesOfUpstreams(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		"127.0.0.1:1":           "127.0.0.1:1",
		"cache:1:5":             "cache:1",
		"cache:1:5 cache-c":     "cache:1 (cache-c)",
		"[::1]:1:1 cache-c":     "[::1]:1 (cache-c)",
		"unix:/run/m:1 cache-c": "unix:/run/m (cache-c)",
		"unix:/run/m":           "unix:/run/m",
	} {
		s, err := Memcached().Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&All{}).upstream(&Pool{}, s.ServerAddr).Name; got != name {
			t.Errorf("%s is called %s, expected %s", text, got, name)
		}
	}
}
