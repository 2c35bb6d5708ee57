// Typecheck checks what would be built for another system, in a tenth of the time that building it takes: the
// dependencies, which are known to build, are read only as far as that needs.
//
//	go run ./tests/typecheck darwin ./...
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

// Not that of export data, which would have everything compiled, and the bodies of our own functions only.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedModule |
	packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: typecheck system package...")
		os.Exit(2)
	}
	env := append(os.Environ(), "GOOS="+os.Args[1], "CGO_ENABLED=0")
	all, err := packages.Load(&packages.Config{Mode: mode, Env: env}, os.Args[2:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if packages.PrintErrors(all) > 0 {
		os.Exit(1)
	}
}
