package protocol

// AppendMiss appends to dst the reply to r, a retrieval or mg, for a key that is missing. key is the key as the client knows it.
func (r *Request) AppendMiss(dst, key []byte) []byte {
	return appendMiss(dst, r.Command, r.flags, key)
}

// AppendEchoes appends to dst the flags of a meta command that a reply has in any case, if the command has them: the opaque, and the
// key, which is given as the client knows it and not in base64.
func (r *Request) AppendEchoes(dst, key []byte) []byte { return appendEchoes(dst, r.flags, key) }

// AppendMissOf is [Request.AppendMiss] for a request of which only its command is known and what [Request.Asked] has returned.
func AppendMissOf(dst []byte, command Command, asked []byte) []byte {
	key, flags := NextWord(asked)
	return appendMiss(dst, command, flags, key)
}

func appendMiss(dst []byte, command Command, flags, key []byte) []byte {
	if command != MetaGet {
		return append(dst, "END\r\n"...)
	}
	return append(appendEchoes(append(dst, "EN"...), flags, key), "\r\n"...)
}

func appendEchoes(dst, flags, key []byte) []byte {
	for flag := range Words(flags) {
		switch flag[0] {
		case 'O':
			dst = append(append(dst, ' '), flag...)
		case 'k':
			dst = append(append(dst, " k"...), key...)
		case 'b':
			dst = append(dst, " b"...)
		}
	}
	return dst
}
