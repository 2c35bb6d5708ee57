//go:build race

package verbtest

const underDetector = true
