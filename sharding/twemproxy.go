package sharding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// twemproxyHashes are the values that twemproxy's setting hash can have.
var twemproxyHashes = []struct {
	name string
	hash func(key []byte) uint32
}{
	{"one_at_a_time", oneAtATime},
	{"md5", md5Word},
	{"crc16", crc16},
	{"crc32", crc32Short},
	{"crc32a", crc32Whole},
	{"fnv1_64", fnv1Of64},
	{"fnv1a_64", fnv1aOf64},
	{"fnv1_32", fnv1Of32},
	{"fnv1a_32", fnv1aOf32},
	{"hsieh", hsieh},
	{"murmur", murmur2},
	{"jenkins", jenkins},
}

// twemproxyDistributions are the values of twemproxy's setting distribution that place
// keys by their hash; random does not.
var twemproxyDistributions = []string{"ketama", "modula"}

// NewTwemproxy returns the constructor of twemproxy's layout for the given values of
// its settings distribution (ketama or modula) and hash (one_at_a_time, md5, crc16,
// crc32, crc32a, fnv1_64, fnv1a_64, fnv1_32, fnv1a_32, hsieh, murmur or jenkins); it
// refuses other values. The hashes are as they are on x86, where C's char is signed.
// See [NewHashTag] for the setting hash_tag.
//
// The source is nutcracker 0.5.0: hashkit/nc_ketama.c, hashkit/nc_modula.c and
// conf_add_server in nc_conf.c. A server without a name is named by its host, with the
// port unless that is [DefaultPort]; a unix socket by its path and a colon, since
// twemproxy copies one character too many there. It sorts the servers by the length of
// the name and then by the name, so the order in which they are written does not
// matter.
//
// Under ketama the name is hashed by MD5, whatever hash says about keys, and the
// weights give shares of points as in [newKetama]. Under modula a server takes as
// many slots as its weight.
//
// A server may be in the pool several times under different names: it has the shares of all its names.
//
// The constructor refuses an empty pool, a weight that is not from 1 to [MaxWeight], and two
// servers of one name.
func NewTwemproxy(distribution, hash string) (func([]Server) (Layout, error), error) {
	if !slices.Contains(twemproxyDistributions, distribution) {
		return nil, fmt.Errorf("no distribution %q: expected %s", distribution, strings.Join(twemproxyDistributions, " or "))
	}
	for _, h := range twemproxyHashes {
		if h.name == hash {
			return func(servers []Server) (Layout, error) {
				return newTwemproxy(distribution, servers, h.hash)
			}, nil
		}
	}
	return nil, fmt.Errorf("no hash %q: expected one of %s", hash, twemproxyHashNames())
}

func twemproxyHashNames() string {
	var names []string
	for _, h := range twemproxyHashes {
		names = append(names, h.name)
	}
	return strings.Join(names, ", ")
}

func newTwemproxy(distribution string, servers []Server, hash func([]byte) uint32) (Layout, error) {
	if err := checkPool("twemproxy", servers, hasWeights|hasNames|repeats); err != nil {
		return nil, err
	}
	order, err := twemproxyOrder(servers)
	if err != nil {
		return nil, err
	}
	if distribution == "modula" {
		return newModula(servers, order, hash), nil
	}
	return &hashRing{newRing(ketamaPoints(servers, order, twemproxyName)), hash}, nil
}

// twemproxyOrder returns the indexes of the servers in twemproxy's order.
func twemproxyOrder(servers []Server) ([]int, error) {
	order := asListed(servers)
	slices.SortFunc(order, func(i, j int) int {
		a, b := twemproxyName(servers[i]), twemproxyName(servers[j])
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	for i := 1; i < len(order); i++ {
		a, b := servers[order[i-1]], servers[order[i]]
		if name := twemproxyName(a); name == twemproxyName(b) {
			return nil, fmt.Errorf("servers %v and %v are both named %q: expected each name once", a, b, name)
		}
	}
	return order, nil
}

func twemproxyName(s Server) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.unix():
		return s.Host + ":"
	}
	return libmemcachedLabel(s)
}
