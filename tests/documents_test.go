package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/catalog"
)

// The documents tell of every verb as it tells of itself.
func TestDocumentsTellOfEveryVerb(t *testing.T) {
	table, names, carried := document(t, "../verbs/README.md"), document(t, "../README.md"), document(t, "../proxy/verbkeys/README.md")
	commands := document(t, "../protocol/README.md")
	for _, v := range catalog.All {
		if row := "\n| `" + strings.ReplaceAll(strings.TrimSpace(v.Name+" "+v.Usage), "|", `\|`) + "`"; !strings.Contains(table, row) {
			t.Errorf("verbs/README.md has no row that begins %q", row[1:])
		}
		if !strings.Contains(names, "`"+v.Name+"`") {
			t.Errorf("README.md does not name %s", v.Name)
		}
		if !strings.Contains(commands, "`"+v.Name+"`") {
			t.Errorf("protocol/README.md does not name %s", v.Name)
		}
		if v.Carry == nil {
			continue
		}
		if row := "\n| `" + v.Carry.By.String() + " verb/" + v.Name + "/" + v.Carry.Shape + "`"; !strings.Contains(carried, row) {
			t.Errorf("proxy/verbkeys/README.md has no row that begins %q", row[1:])
		}
	}
}

// Whoever knows Redis finds each of its commands on lists, sets, hashes and sorted sets in the table, also those
// that have no counterpart.
func TestDocumentsNameEveryCommandOfRedis(t *testing.T) {
	text := document(t, "../verbs/README.md")
	_, section, _ := strings.Cut(text, "\n## If you know Redis\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := map[string]bool{}
	for _, word := range strings.FieldsFunc(section, func(c rune) bool { return c != '_' && (c < 'A' || c > 'Z') }) {
		named[word] = true
	}
	for _, command := range strings.Fields(commandsOfRedis) {
		if !named[command] {
			t.Errorf("verbs/README.md does not name %s", command)
		}
	}
}

// commandsOfRedis are those of Redis 8 on lists, sets, hashes and sorted sets.
const commandsOfRedis = `
	BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH LINDEX LINSERT LLEN LMOVE LMPOP LPOP LPOS LPUSH LPUSHX LRANGE LREM LSET LTRIM
	RPOP RPOPLPUSH RPUSH RPUSHX
	SADD SCARD SDIFF SDIFFSTORE SINTER SINTERCARD SINTERSTORE SISMEMBER SMEMBERS SMISMEMBER SMOVE SPOP SRANDMEMBER SREM
	SSCAN SUNION SUNIONSTORE
	HDEL HEXISTS HEXPIRE HEXPIREAT HEXPIRETIME HGET HGETALL HGETDEL HGETEX HINCRBY HINCRBYFLOAT HKEYS HLEN HMGET HMSET
	HPERSIST HPEXPIRE HPEXPIREAT HPEXPIRETIME HPTTL HRANDFIELD HSCAN HSET HSETEX HSETNX HSTRLEN HTTL HVALS
	BZMPOP BZPOPMAX BZPOPMIN ZADD ZCARD ZCOUNT ZDIFF ZDIFFSTORE ZINCRBY ZINTER ZINTERCARD ZINTERSTORE ZLEXCOUNT ZMPOP
	ZMSCORE ZPOPMAX ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANGESTORE ZRANK ZREM ZREMRANGEBYLEX
	ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE ZUNION ZUNIONSTORE`

func document(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The examples at the beginning of the README need verb keys, and "make run" is its first command.
func TestMakeRunHasVerbKeys(t *testing.T) {
	t.Parallel()
	run := exec.CommandContext(t.Context(), "make", "-n", "run")
	run.Dir = ".."
	said, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "./memverbs --verb-keys verb/") {
		t.Errorf("make run: %v\n%s", err, said)
	}
}
