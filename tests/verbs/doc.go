// Package verbs shows what verbs are for, before real memcacheds: many clients of several proxies share sets,
// lists, tables, rankings, queues, logs and locks; what one client asks for in a row happens in that order, in
// long pipelines that are checked against a model; and a server that is gone costs its own structures only.
package verbs
