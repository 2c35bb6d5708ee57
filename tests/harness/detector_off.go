//go:build !race && !checked

package harness

// underDetector says that the programs that tests start have the race detector.
const underDetector = false
