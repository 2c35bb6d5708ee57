package differential

import "testing"

// variety is what must come up in every run, each of it often, or the
// generator is not what it was.
var variety = map[string][]string{
	"set":           {"STORED", "CLIENT_ERROR bad data chunk", "silence"},
	"add":           {"STORED", "NOT_STORED", "CLIENT_ERROR bad data chunk", "silence"},
	"replace":       {"STORED", "NOT_STORED", "CLIENT_ERROR bad data chunk", "silence"},
	"append":        {"STORED", "NOT_STORED", "CLIENT_ERROR bad data chunk", "silence"},
	"prepend":       {"STORED", "NOT_STORED", "CLIENT_ERROR bad data chunk", "silence"},
	"cas":           {"STORED", "EXISTS", "NOT_FOUND", "CLIENT_ERROR bad data chunk", "silence"},
	"get":           {"VALUE", "END", "CLIENT_ERROR bad command line format"},
	"gets":          {"VALUE", "END", "CLIENT_ERROR bad command line format"},
	"gat":           {"VALUE", "END", "CLIENT_ERROR invalid exptime argument"},
	"gats":          {"VALUE", "END", "CLIENT_ERROR invalid exptime argument"},
	"delete":        {"DELETED", "NOT_FOUND", "CLIENT_ERROR bad command line format", "silence"},
	"incr":          {"number", "NOT_FOUND", "CLIENT_ERROR cannot", "CLIENT_ERROR invalid numeric", "silence"},
	"decr":          {"number", "NOT_FOUND", "CLIENT_ERROR cannot", "CLIENT_ERROR invalid numeric", "silence"},
	"touch":         {"TOUCHED", "NOT_FOUND", "CLIENT_ERROR invalid exptime", "silence"},
	"mg":            {"HD", "VA", "EN", "silence"},
	"ms":            {"HD", "NS", "EX", "NF", "CLIENT_ERROR bad data chunk", "CLIENT_ERROR invalid mode", "silence"},
	"md":            {"HD", "NF", "EX", "silence"},
	"ma":            {"HD", "VA", "NF", "EX", "CLIENT_ERROR cannot", "CLIENT_ERROR invalid mode", "silence"},
	"me":            {"ME", "EN"},
	"mn":            {"MN"},
	"line end":      {"HD", "EN", "VA", "NF", "silence"},
	"mg badly":      {"CLIENT_ERROR duplicate", "CLIENT_ERROR invalid", "CLIENT_ERROR options", "CLIENT_ERROR opaque", "CLIENT_ERROR bad token"},
	"ms badly":      {"CLIENT_ERROR duplicate", "CLIENT_ERROR invalid", "CLIENT_ERROR options", "CLIENT_ERROR opaque", "CLIENT_ERROR bad token"},
	"md badly":      {"CLIENT_ERROR duplicate", "CLIENT_ERROR invalid", "CLIENT_ERROR options", "CLIENT_ERROR opaque"},
	"ma badly":      {"CLIENT_ERROR invalid or duplicate", "CLIENT_ERROR bad command line format"},
	"set badly":     {"CLIENT_ERROR bad command line format", "STORED"},
	"cas badly":     {"CLIENT_ERROR bad command line format", "silence"},
	"set large":     {"STORED", "SERVER_ERROR object too large"},
	"ms large":      {"HD", "SERVER_ERROR object too large", "CLIENT_ERROR invalid flag"},
	"bad line":      {"ERROR", "CLIENT_ERROR", "VALUE", "silence"},
	"flush_all":     {"OK", "silence"},
	"global":        {"VERSION", "OK", "RESET", "MN", "silence"},
	"delete large":  {"DELETED"},
	"append large":  {"NOT_STORED", "SERVER_ERROR object too large"},
	"replace large": {"SERVER_ERROR object too large"},
}

func checkVariety(t *testing.T, all *tally, commands int, variety map[string][]string) {
	t.Helper()
	if all.total < commands {
		t.Errorf("only %d commands were compared", all.total)
	}
	for name, outcomes := range variety {
		for _, what := range outcomes {
			if all.of(name, what) == 0 {
				t.Errorf("%s was never answered by %q", name, what)
			}
		}
	}
}
