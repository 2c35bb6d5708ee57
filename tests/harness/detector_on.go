//go:build race || checked

package harness

const underDetector = true
