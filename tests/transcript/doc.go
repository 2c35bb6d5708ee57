// Package transcript runs text files that show what clients type and what
// comes back. They are tests, and documentation that is proved to be true.
//
//	# A line that begins with a hash sign is a comment.
//	> set greeting 0 0 5
//	> hello
//	< STORED
//
//	> get greeting
//	< VALUE greeting 0 5
//	< hello
//	< END
//
// Lines sent one after another go out in one write. More than one client has
// names before the arrows: a> and a<, b> and b<; each is connected when it
// first sends something. After the last line every client is asked whether it
// is in step: whether all that came has been expected.
//
// # What can't be typed
//
//	\r \n \t \\ \{ \x00    bytes
//	> +a\x20               a space at the end, which editors like to remove
//	> hel\                 a backslash at the end: without the line end
//	{x*251}                x, 251 times
//	< {close}              the server closes the connection
//
// # What varies
//
//	{int}        a whole number
//	{word}       one or more characters without white space, as few as fit
//	{any}        anything, or nothing
//	{int cas}    a whole number that {cas} stands for from here on
//	{word id}    likewise a word that {id} stands for
//
// # Where stores differ
//
// A comment "# only: NAME ..." anywhere in the file restricts it to stores
// with such names.
package transcript
