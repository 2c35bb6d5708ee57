package reply

import (
	"testing"

	"github.com/memverbs/memverbs/proxy/status"
)

func TestWhatIsAnError(t *testing.T) {
	for text, want := range map[string]status.Counts{
		"ERROR\r\n":                         {status.ClientErrors: 1},
		"CLIENT_ERROR k holds no set\r\n":   {status.ClientErrors: 1},
		"SERVER_ERROR upstream is down\r\n": {status.ServerErrors: 1},
		"STORED\r\n":                        {},
		"END\r\n":                           {},
		"1 0 1\r\n":                         {},
		"VALUE k 0 5\r\nERROR\r\nEND\r\n":   {},
		"":                                  {},
	} {
		var got status.Counts
		if IsError([]byte(text)) {
			CountError(&got, []byte(text))
		}
		if got != want {
			t.Errorf("%q counts as %+v, expected %+v", text, got, want)
		}
	}
}
