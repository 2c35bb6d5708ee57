// Package transcripts plays the transcripts in its folders, which say what is typed and what comes back, over each
// kind of store:
//
//	plain    plain commands. These also run against memcached itself, of all versions, so what they show is
//	         what memcached answers.
//	newest   plain commands that older memcacheds answer otherwise; the proxy answers as the newest does.
//	proxy    plain commands where a proxy is not, or can't be, as memcached.
//	verbs    what memcached lacks.
//	verbkeys verbs that are carried by plain commands.
//	namespaces keys in namespaces.
//	stripped keys of a route that strips its prefix.
package transcripts
