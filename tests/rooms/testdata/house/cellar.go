package house

// Stone is what walls are made of.
type Stone[T any] struct{ weight T }

func (r *Roof) sink() int {
	tiles := r.tiles
	return tiles + instance.raise()
}
