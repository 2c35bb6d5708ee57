//go:build linux

package waitload

// Scene is how many clients wait for how many lists. If there are two processes, half of the lists have clients of both, and
// each of the processes has a quarter of them for itself: whatever is pushed to these through the other one has to be found
// there.
type Scene struct{ Clients, Lists int }

// list returns the list that a client waits for.
func (s Scene) list(client int) int { return client % s.Lists }

// process returns the process that a client is connected to, of so many.
func (s Scene) process(client, processes int) int {
	list, turn := s.list(client), client/s.Lists
	if list%4 < 2 {
		return list % processes
	}
	return turn % processes
}

// First returns how many clients, counted from the first on, wait at all pairs of a list and a process.
func (s Scene) First(processes int) int { return s.Lists * processes }

// Pairs returns how many pairs of a list and a process there are where clients wait.
func (s Scene) Pairs(processes int) int {
	pairs := map[[2]int]bool{}
	for client := range s.Clients {
		pairs[[2]int{s.list(client), s.process(client, processes)}] = true
	}
	return len(pairs)
}
