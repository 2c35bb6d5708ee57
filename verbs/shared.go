package verbs

import "reflect"

// Shared is what the calls of one event loop have in common beyond [Hints]: one value of each type, such as the
// calls of a kind that are carried out together. The zero value is empty. It is not safe for concurrent use.
type Shared struct{ values map[reflect.Type]any }

// SharedOf returns the value of type T that calls have in common, see [Env]. It is the zero value at first.
func SharedOf[T any](s *Shared) *T {
	of := reflect.TypeFor[T]()
	if value, ok := s.values[of]; ok {
		return value.(*T)
	}
	if s.values == nil {
		s.values = map[reflect.Type]any{}
	}
	value := new(T)
	s.values[of] = value
	return value
}
