package protocol

// Verb describes a command that memcached lacks, as far as is needed to parse its
// requests. This package defines none: [Parser.Verbs] does.
type Verb struct {
	// Name is the word a client types. Usage describes the arguments for people.
	Name, Usage string
	// Read parses the line after the name into req: key, words and so on, or a refusal.
	// If Block is set it returns the length of the data block, or -1 if that is
	// unknown; otherwise its result is ignored.
	Read func(rest []byte, req *Request) (block int)
	// Block says that the line is followed by a data block.
	Block bool
	// List says that the line ends in a list and may be longer than [MaxLine]: up to
	// [Parser.MaxData].
	List bool
	// Number is the verb's place in the list given to [NewVerbs].
	Number int
}

// String returns how people write the verb: its name, its arguments, and whether data follow.
func (v *Verb) String() string {
	text := v.Name
	if v.Usage != "" {
		text += " " + v.Usage
	}
	if v.Block {
		text += ", then the data"
	}
	return text
}

// Verbs are the verbs that a [Parser] knows, by their names. They do not change after NewVerbs, so parsers may share
// them.
type Verbs map[string]*Verb

// NewVerbs returns the verbs of list and sets their Numbers. Their names must be
// distinct; a command of memcached hides a verb of the same name.
func NewVerbs(list []*Verb) Verbs {
	v := make(Verbs, len(list))
	for i, verb := range list {
		verb.Number = i
		v[verb.Name] = verb
	}
	return v
}
