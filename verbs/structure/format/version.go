package format

import "github.com/memverbs/memverbs/verbs"

// Version is a version of a head.
type Version struct {
	CAS      uint64
	Epoch    uint32
	Size     int
	Indirect bool // see [verbs.Reply]
}

// VersionOf returns the version that r has read or probed.
func VersionOf(r *verbs.Reply) Version { return Version{r.CAS, r.Epoch, r.Size, r.Indirect} }

// Matches reports whether the head, as r has read or probed it, is of this version.
func (v Version) Matches(r *verbs.Reply) bool { return r.Status == verbs.Hit && VersionOf(r) == v }

// Deletion returns the operation that deletes the head under key if it still has this version.
func (v Version) Deletion(key []byte) verbs.Op {
	return verbs.Op{Kind: verbs.DeleteIf, Key: key, CAS: v.CAS, Epoch: v.Epoch}
}

// Ends reports whether an empty structure ends, given the reply that has read or probed its head.
func Ends(r *verbs.Reply) bool { return r.TTL >= 0 && r.CAS != 0 }
