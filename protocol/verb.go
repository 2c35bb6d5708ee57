package protocol

// Verb is a command that memcached lacks: what has to be known to read requests of it.
// This package knows none; a [Parser] is told which there are.
type Verb struct {
	// Name is the word a client types, and Usage what follows it, for people.
	Name, Usage string
	// Read reads what follows the name on the line into req: key, words and so on, or a
	// refusal. If Block is set it returns the length of the data block, or -1 if that
	// can't be told; otherwise what it returns has no meaning.
	Read func(rest []byte, req *Request) (block int)
	// Block says that a data block follows the line.
	Block bool
	// List says that the line ends in a list and may be longer than [MaxLine]: as long
	// as a data block.
	List bool
	// Number is the verb's place in the list given to [NewVerbs].
	Number int
}

// Verbs are the verbs that a [Parser] knows. It must not be changed once it is in use.
type Verbs struct{ named map[string]*Verb }

// NewVerbs numbers the verbs of a list. Their names must differ from each other and from
// memcached's commands, which come first.
func NewVerbs(list []*Verb) *Verbs {
	v := &Verbs{named: make(map[string]*Verb, len(list))}
	for i, verb := range list {
		verb.Number = i
		v.named[verb.Name] = verb
	}
	return v
}

// Named returns the verb of that name, nil if there is none. v may be nil.
func (v *Verbs) Named(name []byte) *Verb {
	if v == nil {
		return nil
	}
	return v.named[string(name)]
}

// Name returns what a client types for the command of r.
func (r *Request) Name() string {
	if r.Verb != nil {
		return r.Verb.Name
	}
	return r.Command.String()
}
