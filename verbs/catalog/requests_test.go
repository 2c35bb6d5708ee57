package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// The refusals that follow from a bad word.
const (
	badKey     = "CLIENT_ERROR bad key: a key is 1 to 250 bytes without white space or control characters"
	badMember  = "CLIENT_ERROR bad member: a member is 1 to 250 bytes without white space or control characters"
	badSign    = "CLIENT_ERROR bad change: a member to add is written after a +, and one to remove after a -"
	badStay    = "CLIENT_ERROR bad time: <seconds> is how long the members stay, 1 to 2147483647"
	badCount   = "CLIENT_ERROR bad count: <count> is how many members, 1 or more"
	badValue   = "CLIENT_ERROR bad value: a value is 1 to 250 bytes without white space or control characters"
	badPlace   = "CLIENT_ERROR bad place: <start> and <stop> are numbers, 0 for the first element, -1 for the last"
	badPop     = "CLIENT_ERROR bad count: <count> is how many elements, 1 or more"
	badRem     = "CLIENT_ERROR bad count: <count> is from 1 to 1000 for the first elements, from -1 to -1000 for the last, or 0 for all"
	badLimit   = "CLIENT_ERROR bad count: <count> is how many are allowed, 1 to 9007199254740992"
	badWindow  = "CLIENT_ERROR bad time: <seconds> is how long the window is, 1 to 31622400"
	badMore    = "CLIENT_ERROR bad number: <n> is how many more there are to be, 0 to <count>, as more are never allowed; 0 only asks"
	badLimited = "CLIENT_ERROR bad key: the key of a limit is 1 to 222 bytes without white space or control characters"
	badToken   = "CLIENT_ERROR bad token: a token is 1 to 250 bytes without white space or control characters"
	badHeld    = "CLIENT_ERROR bad time: <seconds> is how long the lock is held, 1 to 2591000"
	badField   = "CLIENT_ERROR bad field: a field is 1 to 200 bytes without white space or control characters"
	skipped    = "; the data that follows is skipped"
	usageHset  = "CLIENT_ERROR usage: hset <key> <field> <flags> <exptime> <bytes> [noreply], then the data"
	badScore   = "CLIENT_ERROR bad number: a score, or what is added to one, is a whole number from -9223372036854775808 to 9223372036854775807"
	badLife    = "CLIENT_ERROR bad time: <seconds> is how long the increments count, 1 to 2147483647"
	badRange   = "CLIENT_ERROR bad place: <offset> is how many members to skip, 0 or more, and <count> how many to answer with, -1 for all"
	badPage    = "CLIENT_ERROR bad page: <offset> is how many rows to skip, 0 or more, and <count> how many to answer with, -1 for all"
	badOption  = "CLIENT_ERROR bad option: the only one is withscores"
	badBound   = "CLIENT_ERROR bad bound: <min> and <max> are whole numbers from -9223372036854775808 to 9223372036854775807, or - and + for no bound"
	badAround  = "CLIENT_ERROR bad number: <n> is how many members before and after the member, 0 or more"
	badPops    = "CLIENT_ERROR bad count: <count> is how many members, 1 or more"
	badKeep    = "CLIENT_ERROR bad number: <n> is how many of the highest members to keep, or, if it is negative, of the lowest"
	usageZadd  = "CLIENT_ERROR usage: zadd <key> (<score> <member>)+ [noreply]"
	badID      = "CLIENT_ERROR bad id: an id is 1 to 250 bytes without white space or control characters"
	badStamp   = "CLIENT_ERROR bad stamp: the stamp of a task is the last word of its line in the answer of tasktake"
	badDue     = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970, 0 for now, or +<n> for n milliseconds from now"
	badSpan    = "CLIENT_ERROR bad time: <first> and <last> are in milliseconds since 1970, 0 for now, or - and + for no bound"
	dueSecs    = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970, and this is in 1973 or before; multiply seconds by 1000, or give 0 for now, or +<n> for n milliseconds from now"
	spanSecs   = "CLIENT_ERROR bad time: <first> and <last> are in milliseconds since 1970, and this is in 1973 or before; multiply seconds by 1000, or give 0 for now, or - and + for no bound"
	badHold    = "CLIENT_ERROR bad time: <seconds> is how long to hold the task, 1 to 2147483647"
	badWait    = "CLIENT_ERROR bad time: <ms> is how long to wait, in milliseconds, 1 to 60000"
	badTaken   = "CLIENT_ERROR bad count: <count> is how many tasks to take at most, 1 to 1000"
	usagePut   = "CLIENT_ERROR usage: taskput <queue> <id> <when> <flags> <bytes> [noreply], then the data"
	usageFetch = "CLIENT_ERROR usage: logfetch <log> [<first> [<last> | [more <n>] wait <ms>]]"
	badFirst   = "CLIENT_ERROR bad time: a wait needs <first>, the time from which on events count, or 0 for now: logfetch <log> <first> [more <n>] wait <ms>"
	badEvents  = "CLIENT_ERROR bad number: <n> is how many events there may be while the answer waits, 0 to 4294967295"
	usageTake  = "CLIENT_ERROR usage: tasktake <queue> <seconds> [<count>] [most <n>] [wait <ms>]"
	badMost    = "CLIENT_ERROR bad number: <n> is how often a task may have been taken before it is left alone, 1 to 4294967295"
	usageKeep  = "CLIENT_ERROR usage: taskkeep <queue> <stamp> <seconds> [noreply]"
	inSeconds  = "CLIENT_ERROR bad time: <when> is in milliseconds since 1970, and this is in 1973 or before; multiply seconds by 1000, or give a negative number for that long before now"
	fetchSecs  = "CLIENT_ERROR bad time: <first> and <last> are in milliseconds since 1970, and this is in 1973 or before; multiply seconds by 1000, or give a negative number for that long before now"
	badWhen    = "CLIENT_ERROR bad time: a time is in milliseconds since 1970, 0 for now, or negative for that long before now"
)

var key251 = strings.Repeat("k", protocol.MaxKey+1)

// Requests, and how they are read: name, key and words, and of one with a data block
// flags, time and data, or the refusal.
var requests = []struct{ typed, want string }{
	{"help\r\n", `help  ""`},
	{"inspect k\r\n", `inspect k ""`},
	{"inspect k 3 60\r\n", `inspect k "3 60"`},
	{"inspect k 3 60 1\r\n", "refuse CLIENT_ERROR usage: inspect <key> [<count> <seconds>]"},
	{"inspect k 0 60\r\n", "refuse CLIENT_ERROR bad count: <count> is how many are allowed, 1 to 9007199254740992"},
	{"inspect k 3 0\r\n", "refuse CLIENT_ERROR bad time: <seconds> is how long the window is, 1 to 31622400"},
	{"inspect\r\n", "refuse CLIENT_ERROR usage: inspect <key> [<count> <seconds>]"},
	{"inspect k l\r\n", "refuse CLIENT_ERROR usage: inspect <key> [<count> <seconds>]"},
	{"inspect " + key251 + "\r\n", "refuse " + badKey},
	{"sadd k a b\r\n", `sadd k "a b"`},
	{"sadd k a b noreply\r\n", `quiet sadd k "a b"`},
	{"srem k noreply noreply\r\n", `quiet srem k "noreply"`},
	{"sadd k noreply a\r\n", `sadd k "noreply a"`},
	{"sadd k\r\n", "refuse CLIENT_ERROR usage: sadd <key> <member>+ [noreply]"},
	{"sadd noreply\r\n", "quiet refuse CLIENT_ERROR usage: sadd <key> <member>+ [noreply]"},
	{"sadd " + key251 + " a\r\n", "refuse " + badKey},
	{"srem k " + key251 + "\r\n", "refuse " + badMember},
	{"srem k a\tb\r\n", "refuse " + badMember},
	{"saddnew k a b noreply\r\n", `quiet saddnew k "a b"`},
	{"saddnew k\r\n", "refuse CLIENT_ERROR usage: saddnew <key> <member>+ [noreply]"},
	{"saddnew k " + key251 + "\r\n", "refuse " + badMember},
	{"saddp k a b 60\r\n", `saddp k "a b 60"`},
	{"saddp k 5 2147483647 noreply\r\n", `quiet saddp k "5 2147483647"`},
	{"saddp k a\r\n", "refuse CLIENT_ERROR usage: saddp <key> <member>+ <seconds> [noreply]"},
	{"saddp k 60\r\n", "refuse CLIENT_ERROR usage: saddp <key> <member>+ <seconds> [noreply]"},
	{"saddp k\r\n", "refuse CLIENT_ERROR usage: saddp <key> <member>+ <seconds> [noreply]"},
	{"saddp k a 0\r\n", "refuse " + badStay},
	{"saddp k a -5\r\n", "refuse " + badStay},
	{"saddp k a 2147483648\r\n", "refuse " + badStay},
	{"saddp k a b\r\n", "refuse " + badStay},
	{"saddp k " + key251 + " 60\r\n", "refuse " + badMember},
	{"schange k +a -b ++\r\n", `schange k "+a -b ++"`},
	{"schange k -noreply noreply\r\n", `quiet schange k "-noreply"`},
	{"schange k +" + key251[1:] + "\r\n", `schange k "+` + key251[1:] + `"`},
	{"schange k +" + key251 + "\r\n", "refuse " + badMember},
	{"schange k +a\tb\r\n", "refuse " + badMember},
	{"schange k +a b\r\n", "refuse " + badSign},
	{"schange k +a -\r\n", "refuse " + badSign},
	{"schange k\r\n", "refuse CLIENT_ERROR usage: schange <key> (+<member>|-<member>)+ [noreply]"},
	{"schange " + key251 + " +a\r\n", "refuse " + badKey},
	{"smembers a b\r\n", `smembers a "a b"`},
	{"smembers\r\n", "refuse CLIENT_ERROR usage: smembers <key>+"},
	{"smembers a \x7f\r\n", "refuse " + badKey},
	{"sismember k a noreply\r\n", `sismember k "a noreply"`},
	{"sismember k\r\n", "refuse CLIENT_ERROR usage: sismember <key> <member>+"},
	{"scard k\r\n", `scard k ""`},
	{"scard k l\r\n", "refuse CLIENT_ERROR usage: scard <key>"},
	{"scompact k\r\n", `scompact k ""`},
	{"scompact\r\n", "refuse CLIENT_ERROR usage: scompact <key>"},
	{"scompact k l\r\n", "refuse CLIENT_ERROR usage: scompact <key>"},
	{"sinter a b c\r\n", `sinter a "a b c"`},
	{"sunion a a\r\n", `sunion a "a a"`},
	{"sdiff a b noreply\r\n", `sdiff a "a b noreply"`},
	{"sinter a\r\n", "refuse CLIENT_ERROR usage: sinter <key> <key>+"},
	{"sunion\r\n", "refuse CLIENT_ERROR usage: sunion <key> <key>+"},
	{"sdiff a\r\n", "refuse CLIENT_ERROR usage: sdiff <key> <key>+"},
	{"sdiff a " + key251 + "\r\n", "refuse " + badKey},
	{"spop k\r\n", `spop k ""`},
	{"spop k 12\r\n", `spop k "12"`},
	{"srandmember k 18446744073709551615\r\n", `srandmember k "18446744073709551615"`},
	{"spop\r\n", "refuse CLIENT_ERROR usage: spop <key> [<count>]"},
	{"spop k 1 2\r\n", "refuse CLIENT_ERROR usage: spop <key> [<count>]"},
	{"srandmember\r\n", "refuse CLIENT_ERROR usage: srandmember <key> [<count>]"},
	{"spop k 0\r\n", "refuse " + badCount},
	{"spop k -1\r\n", "refuse " + badCount},
	{"srandmember k noreply\r\n", "refuse " + badCount},
	{"srandmember k 18446744073709551616\r\n", "refuse " + badCount},
	{"spop " + key251 + "\r\n", "refuse " + badKey},
	{"rpush k a b a\r\n", `rpush k "a b a"`},
	{"lpush k a noreply\r\n", `quiet lpush k "a"`},
	{"rpush k\r\n", "refuse CLIENT_ERROR usage: rpush <key> <value>+ [noreply]"},
	{"lpush " + key251 + " a\r\n", "refuse " + badKey},
	{"rpush k a " + key251 + "\r\n", "refuse " + badValue},
	{"rput k 7 5\r\nhello\r\n", `rput k "" 7 0 "hello"`},
	{"lput k 4294967295 0 noreply\r\n\r\n", `quiet lput k "" 4294967295 0 ""`},
	{"rput k 7\r\n", "refuse CLIENT_ERROR usage: rput <key> <flags> <bytes> [noreply], then the data"},
	{"rput k 0 4 hello\r\nquit\r\n", "refuse CLIENT_ERROR expected rput <key> <flags> <bytes> [noreply]" + skipped},
	{"lput " + key251 + " 0 4\r\nquit\r\n", "refuse " + badKey + skipped},
	{"lput k 4294967296 4\r\nquit\r\n", "refuse CLIENT_ERROR bad flags: <flags> is a number of 32 bits" + skipped},
	{"rput k -1 4\r\nquit\r\n", "refuse CLIENT_ERROR bad flags: <flags> is a number of 32 bits" + skipped},
	{"rput k 0 many\r\n", "refuse CLIENT_ERROR bad length: <bytes> is the length of the data block"},
	{"lrem k -2 a\r\n", `lrem k "-2 a"`},
	{"lrem k 0 a noreply\r\n", `quiet lrem k "0 a"`},
	{"lrem k 1000 a b\r\n", "refuse CLIENT_ERROR usage: lrem <key> <count> <value> [noreply]"},
	{"lrem k 1001 a\r\n", "refuse " + badRem},
	{"lrem k -1001 a\r\n", "refuse " + badRem},
	{"lrem k a a\r\n", "refuse " + badRem},
	{"lrem k 1 \x01\r\n", "refuse " + badValue},
	{"lrange k\r\n", `lrange k ""`},
	{"lrange k -5 7\r\n", `lrange k "-5 7"`},
	{"lrange k 5\r\n", "refuse CLIENT_ERROR usage: lrange <key> [<start> <stop>]"},
	{"lrange k 5 x\r\n", "refuse " + badPlace},
	{"lrange k 1 9223372036854775808\r\n", "refuse " + badPlace},
	{"lrange " + key251 + "\r\n", "refuse " + badKey},
	{"llen k\r\n", `llen k ""`},
	{"llen k l\r\n", "refuse CLIENT_ERROR usage: llen <key>"},
	{"lpop k\r\n", `lpop k ""`},
	{"rpop k 3\r\n", `rpop k "3"`},
	{"rpop k 0\r\n", "refuse " + badPop},
	{"lpop k -1\r\n", "refuse " + badPop},
	{"lpop\r\n", "refuse CLIENT_ERROR usage: lpop <key> [<count>] [wait <ms>]"},
	{"rpop k 1 2\r\n", "refuse CLIENT_ERROR usage: rpop <key> [<count>] [wait <ms>]"},
	{"lpop k wait 1\r\n", `lpop k "" wait 1`},
	{"rpop k  3 wait  60000 \r\n", `rpop k " 3" wait 60000`},
	{"lpop wait 5\r\n", `lpop wait "5"`},
	{"lpop wait wait 5\r\n", `lpop wait "" wait 5`},
	{"lpop k wait 0\r\n", "refuse " + badWait},
	{"lpop k wait -5\r\n", "refuse " + badWait},
	{"lpop k 2 wait 60001\r\n", "refuse " + badWait},
	{"rpop k wait 99999999999999999999\r\n", "refuse " + badWait},
	{"lpop k wait\r\n", "refuse " + badWait},
	{"lpop wait\r\n", `lpop wait ""`},
	{"rpop k 2 wait \r\n", "refuse " + badWait},
	{"lpop k wait 5 6\r\n", "refuse CLIENT_ERROR usage: lpop <key> [<count>] [wait <ms>]"},
	{"lpop k 0 wait 5\r\n", "refuse " + badPop},
	{"rpush k wait 5\r\n", `rpush k "wait 5"`},
	{"ltrim k 0 -1\r\n", `ltrim k "0 -1"`},
	{"ltrim k 0 -1 noreply\r\n", `quiet ltrim k "0 -1"`},
	{"ltrim k 0\r\n", "refuse CLIENT_ERROR usage: ltrim <key> <start> <stop> [noreply]"},
	{"ltrim k 0 1.5\r\n", "refuse " + badPlace},
	{"hset k f 7 -1 5\r\nhello\r\n", `hset k "f" 7 0 "hello"`},
	{"hset k noreply 0 0 0 noreply\r\n\r\n", `quiet hset k "noreply" 0 0 ""`},
	{"hset k f 0 0\r\n", "refuse " + usageHset},
	{"hset user:1 name 0 0 5 Alice\r\nhello\r\n", "refuse CLIENT_ERROR expected hset <key> <field> <flags> <exptime> <bytes> [noreply]" + skipped},
	{"hset " + key251 + " f 0 0 4\r\nquit\r\n", "refuse " + badKey + skipped},
	{"hset k " + key251[:201] + " 0 0 4\r\nquit\r\n", "refuse " + badField + skipped},
	{"hset k f 4294967296 0 4\r\nquit\r\n", "refuse CLIENT_ERROR bad flags: <flags> is a number of 32 bits" + skipped},
	{"hset k f 0 2147483648 4\r\nquit\r\n", "refuse CLIENT_ERROR bad exptime: <exptime> is a number of seconds, as in set" + skipped},
	{"hset k f 0 0 many\r\n", "refuse CLIENT_ERROR bad length: <bytes> is the length of the data block"},
	{"hadd k " + key251[:200] + " 0 2147483647 2\r\nab\r\n", `hadd k "` + key251[:200] + `" 0 0 "ab"`},
	{"hget k f g\r\n", `hget k "f g"`},
	{"hget k\r\n", "refuse CLIENT_ERROR usage: hget <key> <field>+"},
	{"hexists k f noreply\r\n", `hexists k "f noreply"`},
	{"hexists k f\tg\r\n", "refuse " + badField},
	{"hdel k f g noreply\r\n", `quiet hdel k "f g"`},
	{"hdel k " + key251[:201] + "\r\n", "refuse " + badField},
	{"hincr k f 18446744073709551615\r\n", `hincr k "f 18446744073709551615"`},
	{"hincr k f -1\r\n", "refuse CLIENT_ERROR invalid numeric delta argument"},
	{"hincr k f\r\n", "refuse CLIENT_ERROR usage: hincr <key> <field> <n> [<initial>] [noreply]"},
	{"hincr k f 1 2\r\n", `hincr k "f 1 2"`},
	{"hincr k f 1 noreply\r\n", `quiet hincr k "f 1"`},
	{"hincr k f 1 0 noreply\r\n", `quiet hincr k "f 1 0"`},
	{"hincr k f 1 -2\r\n", "refuse CLIENT_ERROR bad number: <initial> is from 0 to 18446744073709551615"},
	{"hdecr k f 1 18446744073709551616\r\n", "refuse CLIENT_ERROR bad number: <initial> is from 0 to 18446744073709551615"},
	{"hincr k f 1 2 3\r\n", "refuse CLIENT_ERROR usage: hincr <key> <field> <n> [<initial>] [noreply]"},
	{"hdecr k f 1 noreply\r\n", `quiet hdecr k "f 1"`},
	{"hkeys k\r\n", `hkeys k ""`},
	{"hkeys k 0 10\r\n", `hkeys k "0 10"`},
	{"hkeys k l\r\n", "refuse CLIENT_ERROR usage: hkeys <key> [<offset> <count>]"},
	{"hkeys k 0 1 2\r\n", "refuse CLIENT_ERROR usage: hkeys <key> [<offset> <count>]"},
	{"hkeys k l 5\r\n", "refuse " + badPage},
	{"hkeys k -1 5\r\n", "refuse " + badPage},
	{"hgetall k\r\n", `hgetall k ""`},
	{"hgetall k 9223372036854775807 -1\r\n", `hgetall k "9223372036854775807 -1"`},
	{"hgetall k 9223372036854775808 1\r\n", "refuse " + badPage},
	{"hgetall k 0 -2\r\n", "refuse " + badPage},
	{"hgetall k 0\r\n", "refuse CLIENT_ERROR usage: hgetall <key> [<offset> <count>]"},
	{"hgetall " + key251 + "\r\n", "refuse " + badKey},
	{"hlen k\r\n", `hlen k ""`},
	{"zadd k 5 a -3 b\r\n", `zadd k "5 a -3 b"`},
	{"zadd k 5 a 3 noreply\r\n", "quiet refuse " + usageZadd},
	{"zadd k 5 a 3 noreply noreply\r\n", `quiet zadd k "5 a 3 noreply"`},
	{"zadd k 9223372036854775807 a -9223372036854775808 b\r\n", `zadd k "9223372036854775807 a -9223372036854775808 b"`},
	{"zadd k\r\n", "refuse " + usageZadd},
	{"zadd k 5\r\n", "refuse " + usageZadd},
	{"zadd k 5 a 3\r\n", "refuse " + usageZadd},
	{"zadd k 5 a x b\r\n", "refuse " + badScore},
	{"zadd k a 5\r\n", "refuse " + badScore},
	{"zadd k 1.5 a\r\n", "refuse " + badScore},
	{"zadd k 9223372036854775808 a\r\n", "refuse " + badScore},
	{"zadd k -9223372036854775809 a\r\n", "refuse " + badScore},
	{"zadd k 5 " + key251 + "\r\n", "refuse " + badMember},
	{"zadd " + key251 + " 5 a\r\n", "refuse " + badKey},
	{"zsub k 2 a noreply\r\n", `quiet zsub k "2 a"`},
	{"zsub k 2 a\tb\r\n", "refuse " + badMember},
	{"zinc k a b\r\n", `zinc k "a b"`},
	{"zinc k\r\n", "refuse CLIENT_ERROR usage: zinc <key> <member>+ [noreply]"},
	{"zdec k a noreply\r\n", `quiet zdec k "a"`},
	{"zrem k a\r\n", `zrem k "a"`},
	{"zrem k \x7f\r\n", "refuse " + badMember},
	{"zincrby k 1 a 2 b\r\n", `zincrby k "1 a 2 b"`},
	{"zincrby k 1\r\n", "refuse CLIENT_ERROR usage: zincrby <key> (<n> <member>)+ [noreply]"},
	{"zincrby k a 1\r\n", "refuse " + badScore},
	{"zincrbyp k 1 a -2 b 86400 noreply\r\n", `quiet zincrbyp k "1 a -2 b 86400"`},
	{"zincrbyp k 1 a  2147483647 \r\n", `zincrbyp k "1 a  2147483647 "`},
	{"zincrbyp k 5\r\n", "refuse CLIENT_ERROR usage: zincrbyp <key> (<n> <member>)+ <seconds> [noreply]"},
	{"zincrbyp k 1 a\r\n", "refuse CLIENT_ERROR usage: zincrbyp <key> (<n> <member>)+ <seconds> [noreply]"},
	{"zincrbyp k 1 a 0\r\n", "refuse " + badLife},
	{"zincrbyp k 1 a 2147483648\r\n", "refuse " + badLife},
	{"zincrbyp k 1 a soon\r\n", "refuse " + badLife},
	{"zincrbyp k x a 5\r\n", "refuse " + badScore},
	{"zget k a noreply\r\n", `zget k "a noreply"`},
	{"zget k\r\n", "refuse CLIENT_ERROR usage: zget <key> <member>+"},
	{"zrank k a\r\n", `zrank k "a"`},
	{"zrank k a b\r\n", "refuse CLIENT_ERROR usage: zrank <key> <member>"},
	{"zrevrank k a\r\n", `zrevrank k "a"`},
	{"zrevrank k " + key251 + "\r\n", "refuse " + badMember},
	{"zrange k 0 -1\r\n", `zrange k "0 -1"`},
	{"zrange k 0 10 withscores\r\n", `zrange k "0 10 withscores"`},
	{"zrange k 0 10 scores\r\n", "refuse " + badOption},
	{"zrange k 0\r\n", "refuse CLIENT_ERROR usage: zrange <key> <offset> <count> [withscores]"},
	{"zrange k -1 5\r\n", "refuse " + badRange},
	{"zrange k 0 -2\r\n", "refuse " + badRange},
	{"zrange k x 5\r\n", "refuse " + badRange},
	{"zrevrange k 0 9223372036854775808\r\n", "refuse " + badRange},
	{"zrevrange k 9223372036854775807 1\r\n", `zrevrange k "9223372036854775807 1"`},
	{"zcard k\r\n", `zcard k ""`},
	{"zmax k 1 m -2 n\r\n", `zmax k "1 m -2 n"`},
	{"zmin k 1\r\n", "refuse CLIENT_ERROR usage: zmin <key> (<score> <member>)+ [noreply]"},
	{"zmin k 1 m noreply\r\n", `quiet zmin k "1 m"`},
	{"zcount k - +\r\n", `zcount k "- +"`},
	{"zcount k +1 5\r\n", "refuse " + badBound},
	{"zcount k 1 -9223372036854775809\r\n", "refuse " + badBound},
	{"zbyscore k -5 5 0 10 withscores\r\n", `zbyscore k "-5 5 0 10 withscores"`},
	{"zbyscore k -5 5 withscores\r\n", `zbyscore k "-5 5 withscores"`},
	{"zbyscore k -5 5 10\r\n", "refuse CLIENT_ERROR usage: zbyscore <key> <min> <max> [<offset> <count>] [withscores]"},
	{"zrevbyscore k 5 -5 10 \r\n", "refuse CLIENT_ERROR usage: zrevbyscore <key> <max> <min> [<offset> <count>] [withscores]"},
	{"zbyscore k -5 5 scores\r\n", "refuse " + badOption},
	{"zbyscore k -5 5 0 -2\r\n", "refuse " + badRange},
	{"zbyscore k -5 5 0 1 withscores 1\r\n", "refuse CLIENT_ERROR usage: zbyscore <key> <min> <max> [<offset> <count>] [withscores]"},
	{"zrevbyscore k + -\r\n", `zrevbyscore k "+ -"`},
	{"zaround k m 5\r\n", `zaround k "m 5"`},
	{"zaround k m -1\r\n", "refuse " + badAround},
	{"zrevaround k m 5 scores\r\n", "refuse " + badOption},
	{"zrevaround k m 5 withscores\r\n", `zrevaround k "m 5 withscores"`},
	{"zpopmin k\r\n", `zpopmin k ""`},
	{"zpopmax k 10\r\n", `zpopmax k "10"`},
	{"zpopmax k 0\r\n", "refuse " + badPops},
	{"ztrim k -100\r\n", `ztrim k "-100"`},
	{"ztrim k x\r\n", "refuse " + badKeep},
	{"zcard k l\r\n", "refuse CLIENT_ERROR usage: zcard <key>"},
	{"taskput q a 9007199254740992 7 5\r\nhello\r\n", `taskput q "a 9007199254740992" 7 0 "hello"`},
	{"taskput q noreply 0 0 0 noreply\r\n\r\n", `quiet taskput q "noreply 0" 0 0 ""`},
	{"taskput q a 0 0\r\n", "refuse " + usagePut},
	{"taskput q a 0 0 4 data\r\nquit\r\n", "refuse CLIENT_ERROR expected taskput <queue> <id> <when> <flags> <bytes> [noreply]" + skipped},
	{"taskput q a 0 0 -4 data\r\n", "refuse " + usagePut},
	{"taskput q a 9007199254740993 0 4\r\nquit\r\n", "refuse " + badDue + skipped},
	{"taskput q a -1 0 4\r\nquit\r\n", "refuse " + badDue + skipped},
	{"taskput q a 1 0 4\r\nquit\r\n", "refuse " + dueSecs + skipped},
	{"taskput q a 1795733949 0 4\r\nquit\r\n", "refuse " + dueSecs + skipped},
	{"taskput q a 99999999999 0 4 noreply\r\nquit\r\n", "quiet refuse " + dueSecs + skipped},
	{"taskput q a 100000000000 0 5\r\nhello\r\n", `taskput q "a 100000000000" 0 0 "hello"`},
	{"taskput q a +1795733949 0 5\r\nhello\r\n", `taskput q "a +1795733949" 0 0 "hello"`},
	{"taskput q a + 0 4\r\nquit\r\n", "refuse " + badDue + skipped},
	{"taskput q a +9007199254740992 0 4\r\nquit\r\n", "refuse " + badDue + skipped},
	{"taskput q a 0 4294967296 4\r\nquit\r\n", "refuse CLIENT_ERROR bad flags: <flags> is a number of 32 bits" + skipped},
	{"taskput q " + key251 + " 0 0 4\r\nquit\r\n", "refuse " + badID + skipped},
	{"taskput " + key251 + " a 0 0 4\r\nquit\r\n", "refuse " + badKey + skipped},
	{"taskput q a 0 0 many\r\n", "refuse CLIENT_ERROR bad length: <bytes> is the length of the data block"},
	{"tasktake q 2147483647\r\n", `tasktake q "2147483647"`},
	{"tasktake q 1 1000\r\n", `tasktake q "1 1000"`},
	{"tasktake q\r\n", "refuse " + usageTake},
	{"tasktake q 1 2 3\r\n", "refuse " + usageTake},
	{"tasktake q 30 wait 5\r\n", `tasktake q "30" wait 5`},
	{"tasktake q 30 2 most 3 wait 5\r\n", `tasktake q "30 2 most 3" wait 5`},
	{"tasktake q 30 wait 0\r\n", "refuse " + badWait},
	{"tasktake q 30 most 3 wait\r\n", "refuse " + badWait},
	{"tasktake q wait 5\r\n", "refuse " + usageTake},
	{"tasktake q 0\r\n", "refuse " + badHold},
	{"tasktake q 2147483648\r\n", "refuse " + badHold},
	{"tasktake q 1 0\r\n", "refuse " + badTaken},
	{"tasktake q 1 1001\r\n", "refuse " + badTaken},
	{"tasktake q 1 most 3\r\n", `tasktake q "1 most 3"`},
	{"tasktake q 1 1000 most 4294967295\r\n", `tasktake q "1 1000 most 4294967295"`},
	{"tasktake most 1\r\n", `tasktake most "1"`},
	{"tasktake q 1 most\r\n", "refuse " + usageTake},
	{"tasktake q 1 2 most\r\n", "refuse " + usageTake},
	{"tasktake q 1 2 more 3\r\n", "refuse " + usageTake},
	{"tasktake q 1 most 3 2\r\n", "refuse " + usageTake},
	{"tasktake q most 3\r\n", "refuse " + badHold},
	{"tasktake q 1 most 0\r\n", "refuse " + badMost},
	{"tasktake q 1 most 4294967296\r\n", "refuse " + badMost},
	{"tasktake q 1 1001 most 3\r\n", "refuse " + badTaken},
	{"tasktake q 0 most 3\r\n", "refuse " + badHold},
	{"taskadd q a 9007199254740992 7 5\r\nhello\r\n", `taskadd q "a 9007199254740992" 7 0 "hello"`},
	{"taskadd q a +5 7 0 noreply\r\n\r\n", `quiet taskadd q "a +5" 7 0 ""`},
	{"taskadd q a 0 0\r\n", "refuse CLIENT_ERROR usage: taskadd <queue> <id> <when> <flags> <bytes> [noreply], then the data"},
	{"taskadd q a 0 0 4 data\r\nquit\r\n", "refuse CLIENT_ERROR expected taskadd <queue> <id> <when> <flags> <bytes> [noreply]" + skipped},
	{"taskadd q a 1795733949 0 4\r\nquit\r\n", "refuse " + dueSecs + skipped},
	{"taskadd q " + key251 + " 0 0 4\r\nquit\r\n", "refuse " + badID + skipped},
	{"taskmove q a 0\r\n", `taskmove q "a 0"`},
	{"taskmove q a +60000 noreply\r\n", `quiet taskmove q "a +60000"`},
	{"taskmove q a\r\n", "refuse CLIENT_ERROR usage: taskmove <queue> <id> <when> [noreply]"},
	{"taskmove q a 1795733949\r\n", "refuse " + dueSecs},
	{"taskmove q a soon noreply\r\n", "quiet refuse " + badDue},
	{"taskmove q " + key251 + " 0\r\n", "refuse " + badID},
	{"taskpeek q a\r\n", `taskpeek q "a"`},
	{"taskpeek q\r\n", "refuse CLIENT_ERROR usage: taskpeek <queue> <id>"},
	{"taskpeek q " + key251 + "\r\n", "refuse " + badID},
	{"tasktake " + key251 + " 1\r\n", "refuse " + badKey},
	{"taskdone q 0123456789abc-_Z.4294967295\r\n", `taskdone q "0123456789abc-_Z.4294967295"`},
	{"taskdone q 0123456789abc-_Z.1 noreply\r\n", `quiet taskdone q "0123456789abc-_Z.1"`},
	{"taskdone q\r\n", "refuse CLIENT_ERROR usage: taskdone <queue> <stamp> [noreply]"},
	{"taskdone q 0123456789abc-_Z\r\n", "refuse " + badStamp},
	{"taskdone q 0123456789abc-_Z.0\r\n", "refuse " + badStamp},
	{"taskdone q 0123456789abc-_Z.4294967296\r\n", "refuse " + badStamp},
	{"taskdone q 0123456789abc-_Z.1x\r\n", "refuse " + badStamp},
	{"taskdone q 0123456789abc-_+.1\r\n", "refuse " + badStamp},
	{"taskkeep q 0123456789abc-_Z.1 60 noreply\r\n", `quiet taskkeep q "0123456789abc-_Z.1 60"`},
	{"taskkeep q 0123456789abc-_Z.1\r\n", "refuse " + usageKeep},
	{"taskkeep q 0123456789abc-_Z.1 0\r\n", "refuse " + badHold + ", or negative to give it back"},
	{"taskkeep q a 60\r\n", "refuse " + badStamp},
	{"taskretry q 0123456789abc-_Z.1 0\r\n", `taskretry q "0123456789abc-_Z.1 0"`},
	{"taskretry q 0123456789abc-_Z.1 -1\r\n", "refuse " + badDue},
	{"taskretry q 0123456789abc-_Z.1 soon\r\n", "refuse " + badDue},
	{"taskretry q 0123456789abc-_Z.1 1795733949 noreply\r\n", "quiet refuse " + dueSecs},
	{"taskretry q 0123456789abc-_Z.1 99999999999\r\n", "refuse " + dueSecs},
	{"taskretry q 0123456789abc-_Z.1 100000000000\r\n", `taskretry q "0123456789abc-_Z.1 100000000000"`},
	{"taskretry q a 0\r\n", "refuse " + badStamp},
	{"taskdrop q a noreply\r\n", `quiet taskdrop q "a"`},
	{"taskdrop q noreply\r\n", "quiet refuse CLIENT_ERROR usage: taskdrop <queue> <id> [noreply]"},
	{"taskdrop q " + key251 + "\r\n", "refuse " + badID},
	{"tasklist q\r\n", `tasklist q ""`},
	{"tasklist q 0 9007199254740992\r\n", `tasklist q "0 9007199254740992"`},
	{"tasklist q -1\r\n", "refuse " + badSpan},
	{"tasklist q - +\r\n", `tasklist q "- +"`},
	{"tasklist q - 0\r\n", `tasklist q "- 0"`},
	{"tasklist q 100000000000 +\r\n", `tasklist q "100000000000 +"`},
	{"tasklist q 1795733949\r\n", "refuse " + spanSecs},
	{"tasklist q - 1\r\n", "refuse " + spanSecs},
	{"tasklist q 99999999999 +\r\n", "refuse " + spanSecs},
	{"tasklist q +60000\r\n", "refuse " + badSpan},
	{"tasklist q -- +\r\n", "refuse " + badSpan},
	{"tasklist q 0 9007199254740993\r\n", "refuse " + badSpan},
	{"tasklist q 1 2 3\r\n", "refuse CLIENT_ERROR usage: tasklist <queue> [<first> [<last>]]"},
	{"tasklen q\r\n", `tasklen q ""`},
	{"tasklen q r\r\n", "refuse CLIENT_ERROR usage: tasklen <queue>"},
	{"logput l 1 -500 5\r\nhello\r\n", `logput l "" 1 -500 "hello"`},
	{"logput l 1 0 5 noreply\r\nhello\r\n", `quiet logput l "" 1 0 "hello"`},
	{"logput l 0 0\r\n", "refuse CLIENT_ERROR usage: logput <log> <flags> <when> <bytes> [noreply], then the data"},
	{"logput l 0 0 4 data\r\nquit\r\n", "refuse CLIENT_ERROR expected logput <log> <flags> <when> <bytes> [noreply]" + skipped},
	{"logput l 0 soon 4\r\nquit\r\n", "refuse " + badWhen + skipped},
	{"logput l 0 5000 4\r\nquit\r\n", "refuse " + inSeconds + skipped},
	{"logput l 0 99999999999 4\r\nquit\r\n", "refuse " + inSeconds + skipped},
	{"logput l 4294967296 0 4\r\nquit\r\n", "refuse CLIENT_ERROR bad flags: <flags> is a number of 32 bits" + skipped},
	{"logput \x01 0 0 4\r\nquit\r\n", "refuse " + badKey + skipped},
	{"logput l 0 0 many\r\n", "refuse CLIENT_ERROR bad length: <bytes> is the length of the data block"},
	{"logfetch l\r\n", `logfetch l ""`},
	{"logfetch l -500 0\r\n", `logfetch l "-500 0"`},
	{"logfetch\r\n", "refuse " + usageFetch},
	{"logfetch l 1 2 3\r\n", "refuse " + usageFetch},
	{"logfetch l 5 wait 100\r\n", `logfetch l "5" wait 100`},
	{"logfetch l -5 more  3  wait 60000\r\n", `logfetch l "-5 more  3" wait 60000`},
	{"logfetch l 0 more 4294967295 wait 1\r\n", `logfetch l "0 more 4294967295" wait 1`},
	{"logfetch l 0 more 4294967296 wait 1\r\n", "refuse " + badEvents},
	{"logfetch l 0 more x wait 1\r\n", "refuse " + badEvents},
	{"logfetch l 0 more wait 1\r\n", "refuse " + badEvents},
	{"logfetch l x wait 1\r\n", "refuse " + badWhen},
	{"logfetch l 1795733949 wait 1\r\n", "refuse " + fetchSecs},
	{"logfetch l 1 wait 60001\r\n", "refuse " + badWait},
	{"logfetch l wait 5\r\n", "refuse " + badFirst},
	{"logfetch l 1 wait\r\n", "refuse " + badWait},
	{"logfetch l 1 2 wait 5\r\n", "refuse " + usageFetch},
	{"logfetch l 1 2 more 3 wait 5\r\n", "refuse " + usageFetch},
	{"logfetch l 1 more 3\r\n", "refuse " + usageFetch},
	{"logfetch l 1 more\r\n", "refuse " + usageFetch},
	{"logfetch wait wait 5\r\n", "refuse " + badFirst},
	{"logfetch l 1 2\r\n", `logfetch l "1 2"`},
	{"logfetch l 999999999 100000000000\r\n", `logfetch l "999999999 100000000000"`},
	{"logfetch l 1795733949\r\n", "refuse " + fetchSecs},
	{"logfetch l 1 99999999999\r\n", "refuse " + fetchSecs},
	{"logfetch l 1 x\r\n", "refuse " + badWhen},
	{"logfetch " + key251 + "\r\n", "refuse " + badKey},
	{"nsflush user:\r\n", `nsflush user: ""`},
	{"nsflush user: noreply\r\n", `quiet nsflush user: ""`},
	{"nsflush\r\n", "refuse CLIENT_ERROR usage: nsflush <namespace> [noreply]"},
	{"nsflush a b\r\n", "refuse CLIENT_ERROR usage: nsflush <namespace> [noreply]"},
	{"lock l t 30\r\n", `lock l "t 30"`},
	{"lock l t 2591000 noreply\r\n", `quiet lock l "t 2591000"`},
	{"lock l noreply 1\r\n", `lock l "noreply 1"`},
	{"lock l t\r\n", "refuse CLIENT_ERROR usage: lock <name> <token> <seconds> [<holders>] [noreply]"},
	{"lock l t 1 2\r\n", `lock l "t 1 2"`},
	{"lock l t 1 2 noreply\r\n", `quiet lock l "t 1 2"`},
	{"lock l t 1 2 3\r\n", "refuse CLIENT_ERROR usage: lock <name> <token> <seconds> [<holders>] [noreply]"},
	{"lock l t 1 0\r\n", "refuse CLIENT_ERROR bad number of holders: how many tokens may hold the lock at a time, 1 to 100"},
	{"lock l t 0\r\n", "refuse " + badHeld},
	{"lock l t -1\r\n", "refuse " + badHeld},
	{"relock l t 2591001\r\n", "refuse " + badHeld + ", or negative to end it"},
	{"relock l t soon\r\n", "refuse " + badHeld + ", or negative to end it"},
	{"relock l t 30\r\n", `relock l "t 30"`},
	{"relock l \x7f 30\r\n", "refuse " + badToken},
	{"relock " + key251 + " t 30\r\n", "refuse " + badKey},
	{"unlock l t\r\n", `unlock l "t"`},
	{"unlock l noreply noreply\r\n", `quiet unlock l "noreply"`},
	{"unlock l noreply\r\n", "quiet refuse CLIENT_ERROR usage: unlock <name> <token> [noreply]"},
	{"limit k 5 60\r\n", `limit k "5 60"`},
	{"limit k 9007199254740992 31622400 9007199254740992 noreply\r\n", `quiet limit k "9007199254740992 31622400 9007199254740992"`},
	{"limit k 5 60 0\r\n", `limit k "5 60 0"`},
	{"limit k 5\r\n", "refuse CLIENT_ERROR usage: limit <key> <count> <seconds> [<n>] [noreply]"},
	{"limit k 5 60 1 2\r\n", "refuse CLIENT_ERROR usage: limit <key> <count> <seconds> [<n>] [noreply]"},
	{"limit k 0 60\r\n", "refuse " + badLimit},
	{"limit k 9007199254740993 60\r\n", "refuse " + badLimit},
	{"limit k some 60 1\r\n", "refuse " + badLimit},
	{"limit k 5 0\r\n", "refuse " + badWindow},
	{"limit k 5 31622401\r\n", "refuse " + badWindow},
	{"limit k 5 60 6\r\n", "refuse " + badMore},
	{"limit k 5 60 -1 noreply\r\n", "quiet refuse " + badMore},
	{"limit " + key251 + " 5 60\r\n", "refuse " + badLimited},
	{"limit " + key251[:223] + " 5 60\r\n", "refuse " + badLimited},
	{"unlock l " + key251 + "\r\n", "refuse " + badToken},
}

func TestRequests(t *testing.T) {
	seen := map[*verbs.Verb]bool{}
	for _, test := range requests {
		var req protocol.Request
		parser := protocol.Parser{MaxData: 4096, Verbs: Known}
		n, status := parser.Next([]byte(test.typed), &req)
		if status != protocol.Ready || n == 0 {
			t.Fatalf("%q: status %d after %d bytes", test.typed, status, n)
		}
		if got := show(&req); got != test.want {
			t.Errorf("%.80q:\n got %s\nwant %s", test.typed, got, test.want)
		}
		seen[Of(&req)] = true
	}
	for _, v := range All {
		if !seen[v] {
			t.Errorf("no request for %s", v.Name)
		}
	}
}

func show(req *protocol.Request) (text string) {
	if req.Quiet {
		text = "quiet "
	}
	if req.Refusal != "" {
		return text + "refuse " + req.Refusal
	}
	text += fmt.Sprintf("%s %s %q", req.Name(), req.Key, req.Words)
	if req.Wait > 0 {
		text += fmt.Sprintf(" wait %d", req.Wait)
	}
	if req.Verb.Block {
		text += " " + strconv.Itoa(int(req.Flags)) + fmt.Sprintf(" %d %q", req.When, req.Data)
	}
	return text
}
