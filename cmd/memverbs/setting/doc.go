// Package setting has what settings are made of: kinds of values, and definitions of settings by them.
//
// A setting is defined once, by its name, its kind, its default and what it is for ([Define]). The
// definition serves a command line, a mapping of a file, the manuals, and the comparison of the settings
// before a reload with those after it:
//
//	Define ──▶ pflag.FlagSet ──▶ ParseCommandLine     flags
//	  ▲              ├─────────▶ Section.Read         keys of a file
//	 Kind            ├─────────▶ Describe             manuals, and examples of files
//	                 └─────────▶ Texts, Changed       reloads
//
// It does not know which settings there are: package settings does.
//
// # Files, from the top down
//
//	commandline.go               reading flags
//	section.go                   reading a mapping of a file
//	describe.go                  what people read about a setting
//	change.go                    comparing settings
//	define.go                    defining them
//	size.go permissions.go       kinds of values
//	kinds.go
//	mistakes.go                  errors: of what values name, and how many people are told
//	nearest.go                   the word that may be meant by another
package setting
