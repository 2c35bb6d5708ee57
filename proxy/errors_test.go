package proxy

import "testing"

func TestWhatIsAnError(t *testing.T) {
	for text, want := range map[string]errorCounts{
		"ERROR\r\n":                         {client: 1},
		"CLIENT_ERROR k holds no set\r\n":   {client: 1},
		"SERVER_ERROR upstream is down\r\n": {server: 1},
		"STORED\r\n":                        {},
		"END\r\n":                           {},
		"1 0 1\r\n":                         {},
		"VALUE k 0 5\r\nERROR\r\nEND\r\n":   {},
		"":                                  {},
	} {
		var got errorCounts
		if isError([]byte(text)) {
			got.count([]byte(text))
		}
		if got != want {
			t.Errorf("%q counts as %+v, expected %+v", text, got, want)
		}
	}
}
