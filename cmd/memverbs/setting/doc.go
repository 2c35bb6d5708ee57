// Package setting has what settings are made of: kinds of values, and definitions of settings by them.
//
// A setting is defined once, with its name, its kind, its default and its purpose ([Define]). The
// definition serves a command line, a mapping of a file, the manuals, and the comparison of the settings
// before a reload with those after it:
//
//	Define ──▶ pflag.FlagSet ──▶ ParseCommandLine     flags
//	  ▲              ├─────────▶ Section.Read         keys of a file
//	 Kind            ├─────────▶ Describe             manuals, and examples of files
//	                 └─────────▶ Texts, Changed       reloads
//
// The settings themselves are in package settings.
//
// # Files, from the top down
//
//	commandline.go          reading flags
//	section.go              reading a mapping of a file
//	describe.go             what people read about a setting
//	changed.go              comparing settings
//	define.go               defining them
//	size.go permissions.go  kinds of values
//	kinds.go
//	mistakes.go             errors about files and addresses that settings name, and how many errors are shown
//	nearest.go              suggestions for misspelt words
package setting
