package admin

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
	"github.com/memverbs/memverbs/proxy/status"
)

// severity is how urgent a trouble is. In the order of the alphabet the more urgent one is first.
type severity string

const (
	severityFailure severity = "failure" // clients do not get what they ask for
	severityWarning severity = "warning" // they soon may not
)

// trouble is what an operator should know first.
type trouble struct {
	Severity severity `json:"severity"`
	What     string   `json:"what"`
	Pool     string   `json:"pool,omitempty"`
	Server   string   `json:"server,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Since    float64  `json:"since,omitempty"` // seconds since 1970
	Effect   string   `json:"effect,omitempty"`
	Advice   string   `json:"advice,omitempty"`
}

// certificateNotice is how long before its end a certificate is a trouble, as in the log.
const certificateNotice = 7 * 24 * time.Hour

// troublesOf returns what is wrong, the failures first.
func troublesOf(s *status.Snapshot, h *history.History) []trouble {
	list := []trouble{}
	if s.Unready != "" {
		list = append(list, trouble{Severity: severityFailure, What: "Not ready", Reason: s.Unready, Effect: "Load balancers that ask /readyz send no clients here"})
	}
	for i := range s.Pools {
		list = append(list, poolTroubles(&s.Pools[i], h.Of(s.Pools[i].Name, time.Time{}))...)
	}
	list = append(list, processTroubles(s)...)
	slices.SortStableFunc(list, func(a, b trouble) int { return cmp.Compare(a.Severity, b.Severity) })
	return list
}

// poolTroubles returns what is wrong with the servers of a pool, or that clients get errors although nothing is.
func poolTroubles(p *status.Pool, past []history.Point) (list []trouble) {
	for i := range p.Upstreams {
		if u := &p.Upstreams[i]; !u.Since.IsZero() {
			list = append(list, outage(p, u))
		}
	}
	if t := serversTrouble(p); t.What != "" {
		list = append(list, t)
	}
	if m := &p.Servers.Move; m.Phase != "" {
		list = append(list, moveOf(p, m))
	}
	if len(list) > 0 {
		return list
	}
	if t := errorsTrouble(p, past); t.What != "" {
		list = append(list, t)
	}
	return list
}

// serversTrouble returns what is wrong with the list of a pool's servers; its What is empty if nothing is.
func serversTrouble(p *status.Pool) trouble {
	s := &p.Servers
	switch {
	case s.Refused:
		return trouble{
			Severity: severityFailure, What: "Servers not confirmed", Pool: p.Name, Reason: s.Error, Since: unixSeconds(s.Answered),
			Effect: "The last list is used, and verbs are refused, as the servers may have changed", Advice: "See why " + s.Source + " gives no good answer",
		}
	case s.Error != "":
		return trouble{
			Severity: severityWarning, What: "Servers can't be found", Pool: p.Name, Reason: s.Error, Since: unixSeconds(s.Answered),
			Effect: "The last list is used", Advice: "See why " + s.Source + " gives no good answer",
		}
	case s.Settles > 0:
		return trouble{
			Severity: severityWarning, What: "Servers have changed", Pool: p.Name,
			Effect: fmt.Sprintf("Verbs are refused on keys that have moved, for %.0f s more, until all proxies know", s.Settles.Seconds()),
		}
	}
	return trouble{}
}

// moveOf tells of plain keys that move to other servers.
func moveOf(p *status.Pool, m *status.Move) trouble {
	t := trouble{
		Severity: severityWarning, What: "Keys move to other servers", Pool: p.Name, Since: unixSeconds(m.Began),
		Effect: fmt.Sprintf("%d of %d servers are swept; %d items were moved by this proxy", m.Servers-m.Unswept, m.Servers, p.Counts[status.MovedItems]),
	}
	if m.Waits {
		t.Effect += ". The servers have changed again: that takes effect when the move has ended"
	}
	return t
}

func outage(p *status.Pool, u *status.Upstream) trouble {
	t := trouble{
		Severity: severityFailure, What: "down", Pool: p.Name, Server: u.Name, Reason: u.Reason, Since: unixSeconds(u.Since),
		Effect: fmt.Sprintf("1 of %d servers: %s; %d requests refused so far", len(p.Upstreams), p.OnDown, u.Unserved),
		Advice: "See whether memcached runs there, and whether this machine reaches it",
	}
	if u.State != "down" {
		t.What, t.Advice = "coming back", "It answers again, and is used when outdated keys are deleted there"
	}
	return t
}

// recent are the points of a minute.
const recent = int(time.Minute / history.Step)

// errorsTrouble returns that clients have got errors in the last minute: a failure if these are as many of the answers as the
// alert is for, and a warning if they are fewer, but come again. A single error, or few at once, are in the counts and the log
// alone, and the What is empty.
func errorsTrouble(p *status.Pool, past []history.Point) trouble {
	minute := past[max(0, len(past)-recent):]
	var errors, requests float64
	steps := 0
	for _, point := range minute {
		errors += point.ServerErrors
		requests += point.Requests
		if point.ServerErrors > 0 {
			steps++
		}
	}
	t := trouble{
		Severity: severityFailure, What: "Clients get errors", Pool: p.Name, Since: unixSeconds(errorsSince(past)),
		Effect: fmt.Sprintf("%.2g of %.0f requests/s have failed in the last minute", errors/float64(len(minute)), requests/float64(len(minute))),
		Advice: "The failures of each server are below; stats and the log tell more",
	}
	switch single := 1.5 / history.Step.Seconds(); {
	case errors < single:
		return trouble{}
	case errors > requests/100:
		return t
	case steps > 1:
		t.Severity = severityWarning
		return t
	}
	return trouble{}
}

// errorsSince returns when the errors began that have never stopped for a minute since.
func errorsSince(past []history.Point) time.Time {
	var first time.Time
	for i, free := len(past)-1, 0; i >= 0 && free < recent; i-- {
		free++
		if past[i].ServerErrors > 0 {
			first, free = past[i].At.Add(-history.Step), 0
		}
	}
	return first
}

// processTroubles returns what is wrong with the process as a whole.
func processTroubles(s *status.Snapshot) (list []trouble) {
	for _, c := range s.Certificates {
		if left := c.Ends.Sub(s.Taken); left < 0 {
			list = append(list, trouble{Severity: severityFailure, What: "A certificate has expired", Reason: c.File, Since: unixSeconds(c.Ends), Advice: "Replace the file, and reload"})
		} else if left < certificateNotice {
			list = append(list, trouble{Severity: severityWarning, What: fmt.Sprintf("A certificate expires in %.0f hours", left.Hours()), Reason: c.File, Advice: "Replace the file, and reload"})
		}
	}
	if s.Connections.Limit > 0 && s.Connections.Current >= s.Connections.Limit {
		list = append(list, trouble{Severity: severityFailure, What: "No more clients are accepted", Reason: fmt.Sprintf("%d are connected", s.Connections.Current), Advice: "Raise max-clients, or find out which clients leave connections open"})
	}
	if s.Memory.Limit > 0 && s.Memory.Used > s.Memory.Limit/10*9 {
		list = append(list, trouble{Severity: severityWarning, What: "The memory for buffers is nearly used up", Effect: "Requests wait, and then are refused", Advice: "Raise buffer-memory, or see below which server is slow"})
	}
	if s.Reload.Failed {
		list = append(list, trouble{Severity: severityWarning, What: "The settings could not be reloaded", Reason: "the file is wrong", Effect: "The settings of " + s.Reload.Succeeded.UTC().Format(time.DateTime) + " UTC are in use", Advice: "The log says what is wrong"})
	}
	return list
}
