package settings

import (
	"io/fs"
	"math"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/passwords"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// listening is the settings of some listeners.
type listening struct {
	addresses   []listen.Address
	mode        fs.FileMode
	reusePort   bool
	idleTimeout time.Duration
	auth        secret[*passwords.List] // whose users clients have to be; none if it is empty
	tls         listenTLS
	maxClients  int // 0 for no limit besides that of the process
	verbKeys    string
}

func (l *listening) define(f *pflag.FlagSet) {
	setting.DefineList(f, &l.addresses, setting.Kind[listen.Address]{Name: "address", Read: listen.Parse, Show: listen.Address.String}.Sample("127.0.0.1:11311"), nil, "listen", "`address` to listen on: host:port, :port or unix:/path")
	setting.Define(f, &l.mode, 0o700, setting.Permissions(), "socket-mode", "octal permissions of the unix sockets that memverbs creates")
	setting.Define(f, &l.idleTimeout, 0, setting.Duration(0), "idle-timeout", "how long a client may send nothing before it is disconnected; 0 for ever")
	setting.Define(f, &l.auth, secret[*passwords.List]{}, secrets(readUsers).Sample("/etc/memverbs/users"), "auth-file", "`file` with lines user:password, as for memcached's -Y; clients have to authenticate\nas one of these users")
	setting.Define(f, &l.reusePort, false, setting.YesOrNo(), "reuse-port", "share the TCP addresses with other processes that are started with this flag; each gets some of the clients")
	f.Lookup("reuse-port").NoOptDefVal = "true"
	l.tls.define(f)
}

// defineMaxClients defines the setting max-clients of a listener, which only files have. The flag --max-clients is
// about the whole process.
func (l *listening) defineMaxClients(f *pflag.FlagSet) {
	setting.Define(f, &l.maxClients, 0, setting.Count(0, math.MaxInt), "max-clients", "how many clients may be connected at each address; 0 for no limit but that of all together")
}

func (l *listening) defineVerbKeys(f *pflag.FlagSet) {
	setting.Define(f, &l.verbKeys, "", setting.Optional(verbkeys.Check).Sample("verb/"), "verb-keys", "`prefix`, such as verb/, of keys that name verbs: set <prefix>sadd/<set> adds members,\nget <prefix>smembers/<set> returns them. For clients that can't be changed")
}

// defineClients defines all of them, as a file has them.
func (l *listening) defineClients(f *pflag.FlagSet) {
	l.define(f)
	l.defineMaxClients(f)
	l.defineVerbKeys(f)
}

// listener is one listener and where the requests of its clients go.
type listener struct {
	Address listen.Address
	listening
	routes []config.Route

	texts []config.Setting // all of these, if they are those of a file
}

func (l *listening) secretFiles() []secretFile {
	return []secretFile{{"auth-file", l.auth.path}, {"tls-key", l.tls.key}}
}
