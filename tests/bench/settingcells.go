//go:build linux

package main

import "github.com/memverbs/memverbs/tests/bench/load"

// inNamespaces is gets of keys in a namespace, beside gets of the same keys where there are none.
func inNamespaces(o *options) *part {
	flags := []string{"--namespaces", "bench:"}
	return &part{
		name: "namespaces", title: "Namespaces", text: namespacesText, apart: true, table: barTable, detail: true,
		cells: []*cell{
			withSetting(o, "namespaces-get", flags, 1, 1.15),
			withSetting(o, "namespaces-pipelined", flags, 16, 1.4),
		},
	}
}

const namespacesText = `Gets through a memverbs where all keys are in a namespace, beside a memverbs without namespaces: the server's answer to one
in a namespace has the generation too.`

// mayBeHeld is gets that would wait for other clients' values if they missed, beside gets that would not.
func mayBeHeld(o *options) *part {
	flags := []string{"--hold-misses", "bench:=1s"}
	return &part{
		name: "held", title: "Gets that may wait for what they miss", text: heldText, apart: true, table: barTable, detail: true,
		cells: []*cell{
			withSetting(o, "held-get", flags, 1, 1.05),
			withSetting(o, "held-pipelined", flags, 16, 1.1),
		},
	}
}

const heldText = `Gets through a memverbs that holds gets of these keys if they miss (hold-misses), beside a memverbs that does not. All of them
find a value, so this is what the setting costs while nothing is missing.`

// withSetting is gets through a memverbs with a setting, beside the same without it. Their processor time must not be more
// times as much.
func withSetting(o *options, name string, flags []string, pipeline int, atMost float64) *cell {
	p := newPlain(o, 50, pipeline, 100)
	value := load.NewPlain(load.Mix{Keys: p.mix.Keys, ValueSize: p.mix.ValueSize, GetKeys: 1})
	get := after(value.Preload, func() load.Source { return value })
	p.mix.Sets = 0
	return manyRounds(verbCell{name: name, what: p.String(), flags: flags, conns: p.shape.Conns, pipeline: pipeline, acts: []act{
		{name: memverbs, ready: get},
		{name: withoutIt, ready: get},
	}}.cell(o, bar{withoutIt, cpu, atMost}))
}
