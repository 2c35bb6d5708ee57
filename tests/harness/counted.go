package harness

// Counted are commands of all kinds, with hits and misses.
const Counted = "set a 0 0 1\r\n1\r\nadd a 0 0 1\r\n2\r\nms b 1\r\n5\r\nappend nobody 0 0 1\r\nx\r\n" +
	"get a b nobody\r\ngets nobody\r\nmg a v\r\nmg b\r\nmg nobody v\r\n" +
	"gat 0 a nobody\r\ntouch b 0\r\ntouch nobody 0\r\n" +
	"incr a 1\r\nincr nobody 1\r\ndecr b 1\r\ndecr nobody 1\r\n" +
	"cas a 0 0 1 1\r\nx\r\ncas nobody 0 0 1 1\r\nx\r\n" +
	"delete nobody\r\ndelete a\r\nmd b\r\nmd nobody\r\n" +
	"flush_all\r\nget\r\nmg a v v\r\nmn\r\n"

// CountedNames are memcached's names for what clients and monitors read.
const CountedNames = "cmd_get cmd_set cmd_flush cmd_touch get_hits get_misses cmd_meta delete_hits delete_misses incr_hits incr_misses " +
	"decr_hits decr_misses cas_hits cas_misses cas_badval touch_hits touch_misses"
