// Package binary translates memcached's binary protocol, which old clients speak, to the text
// protocol and back.
//
// A packet has a header of 24 bytes, then extras, a key and a value:
//
//	 0 magic      1 opcode     2 key length    4 extras length   5 data type   6 status
//	 8 length of extras, key and value        12 opaque
//	16 CAS
//
// [Parser] reads the packets of a client. It converts each of them to a [protocol.Request], usually
// a meta command, which is processed like every other request. A [Form] keeps what the answer needs
// of the packet: the opcode, the opaque and so on. When the reply has come, in the text protocol,
// the form converts it to a packet:
//
//	client ──▶ Parser ──▶ Request ──▶ upstream
//	client ◀── Form ◀───── reply ◀────────┘
//
//	get getq getk getkq                gets key …
//	gat gatq gatk gatkq                mg key k f v c T
//	touch                              mg key f c T
//	set add replace append prepend …   ms key size T F c C M
//	delete deleteq                     md key C
//	increment decrement …              ma key N J D v c C M (v if the number is wanted)
//	flush noop version stat quit …     flush_all mn version stats quit
//
// Quiet gets that follow each other become one retrieval, whose reply has several forms (bundle.go).
// The k of a gat makes sure that the value is that of the key, which a gets returns anyway. A key
// that the text protocol can't carry is sent in base64, by meta commands only.
//
// The upstream answers every request, as with the text protocol; the form of a quiet request drops
// the replies that its client must not see.
//
// The protocol is described in memcached's doc/protocol-binary.xml, and its constants are in
// protocol_binary.h. Where those are silent, the package does what memcached 1.6 does, in
// proto_bin.c.
//
// # Files, from the top down
//
//	parser.go bundle.go translate.go     reading packets, and what they become
//	form.go status.go                    what answers become
//	opcode.go packet.go                  the parts of a packet
//
// References from a file to one above it: translating and bundling are the Parser's, whose buffers they use.
package binary
