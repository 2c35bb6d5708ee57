package setting

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// ParseCommandLine parses flags, including --help. It returns all mistakes, each of one line, or
// pflag.ErrHelp.
func ParseCommandLine(f *pflag.FlagSet, args []string) error {
	f.Usage = func() {}
	var wrong []error
	refuse := func(err error) { wrong = append(wrong, fmt.Errorf("%w; see --help", err)) }
	set := func(flag *pflag.Flag, text string) error {
		if err := f.Set(flag.Name, text); err != nil {
			refuse(ofFlag(err))
		}
		return nil
	}
	err := f.ParseAll(args, set)
	for missing := (*pflag.NotExistError)(nil); errors.As(err, &missing); {
		refuse(unknownFlag(f, missing))
		if args = afterUnknown(args, missing); args == nil {
			break
		}
		err = f.ParseAll(args, set)
	}
	if value := (*pflag.ValueRequiredError)(nil); errors.As(err, &value) {
		refuse(fmt.Errorf("--%s needs a value after it", value.GetFlag().Name))
	}
	if help, _ := f.GetBool("help"); help && wrong == nil {
		return pflag.ErrHelp
	}
	return errors.Join(wrong...)
}

// ofFlag returns an error about the value of a flag with the name of the flag before it.
func ofFlag(err error) error {
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("--%s: %w", wrong.GetFlag().Name, errors.Unwrap(wrong))
	}
	return err
}

// unknownFlag returns an error about an unknown flag, with the one that may be meant: the same with
// two dashes, or a similar one.
func unknownFlag(f *pflag.FlagSet, missing *pflag.NotExistError) error {
	if short := missing.GetSpecifiedShortnames(); short != "" {
		name, _, _ := strings.Cut(short, "=")
		if f.Lookup(name) != nil {
			return fmt.Errorf("-%s: write --%s, with two dashes", name, name)
		}
		return fmt.Errorf("-%s: there is no such flag", name)
	}
	var known []string
	f.VisitAll(func(flag *pflag.Flag) { known = append(known, flag.Name) })
	if best := Nearest(missing.GetSpecifiedName(), known); best != "" {
		return fmt.Errorf("--%s: there is no such flag; is --%s meant?", missing.GetSpecifiedName(), best)
	}
	return fmt.Errorf("--%s: there is no such flag", missing.GetSpecifiedName())
}

// afterUnknown returns the arguments after an unknown flag and what seems to be its value, nil if
// there are none.
func afterUnknown(args []string, missing *pflag.NotExistError) []string {
	flag := "-" + missing.GetSpecifiedShortnames()
	if flag == "-" {
		flag = "--" + missing.GetSpecifiedName()
	}
	i := slices.IndexFunc(args, func(arg string) bool { return arg == flag || strings.HasPrefix(arg, flag+"=") })
	if i < 0 {
		return nil
	}
	rest := args[i+1:]
	if len(rest) > 0 && args[i] == flag && !strings.HasPrefix(rest[0], "-") {
		rest = rest[1:]
	}
	return rest
}
