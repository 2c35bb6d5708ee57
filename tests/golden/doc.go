// Package golden keeps structures as releases have stored them, and has this version read and change them. So what is in
// memcached when a proxy is replaced by a newer one stays what it was.
//
// Each folder is a release. For each kind of structure it has three transcripts (see package transcript), and one for the
// form of keys in namespaces:
//
//	sets.made.txt    what that release was asked
//	sets.items.txt   the items that memcached had then
//	sets.read.txt    what every later version has to answer, asked by every verb, before and after changes
//
// and in the file clock the time at which they were made: later versions read them by a clock that shows that time, as
// events, limits and tasks have times. Items are as small as they may be, so that structures have segments and parts.
//
// What proxies tell each other by items at the servers, of the servers in use and of keys that move, is in moves.stored.txt, for
// what a later version learns from it.
//
// The names of its flags, of the settings in its file and their values, and of its metrics are kept too, in flags.txt, settings.txt and metrics.txt.
//
// A release that stores something new gets a folder of its own, and the folders of earlier ones are never changed:
//
//	mkdir tests/golden/1.1    # and write its *.made.txt, and *.read.txt
//	go test ./tests/golden -run TestWrite -write 1.1
//
// writes the items, the clock and the names.
package golden
