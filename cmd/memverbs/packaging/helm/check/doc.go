// Package check looks at the chart with Helm's and Kubernetes' own packages. It is a module of its own, since these need
// more modules than memverbs and all its other tests together. "make testpackages" runs its tests.
package check
