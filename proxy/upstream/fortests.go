package upstream

import "time"

// BeLongUp makes u take its connection for one that may be replaced when it is closed. Tests use it.
func (u *Upstream) BeLongUp() { u.upSince = time.Now().Add(-leastIdle) }
