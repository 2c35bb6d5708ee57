package report

import (
	"time"

	"github.com/memverbs/memverbs/proxy/config"
)

// Process is the state of the whole process, for the answers to stats.
type Process struct {
	Version   string
	Started   time.Time
	Setup     *config.Setup
	Loops     int
	Draining  bool          // it is shutting down
	Memory    int64         // the most for requests and replies in flight and the work of verbs, in bytes
	ReadCache int64         // the most for views of structures, in bytes
	Slow      time.Duration // from which a request is slow; 0 if none ever is
}
