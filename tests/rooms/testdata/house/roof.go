package house

// Roof has a wall.
type Roof struct {
	Wall
	tiles int
}

var instance Roof

func (r *Roof) raise() int { return r.stones.weight }
