package carried

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// recipe is a function that the README of verb keys has, with what makes a program of it that gets one argument.
type recipe struct {
	begins        string // the comment with which its block begins
	before, after string
	command       []string
	file          string
}

var words = []recipe{
	{"// PHP", "<?php\n", "echo word($argv[1]);", []string{"/usr/bin/php"}, "a.php"},
	{"# Python", "", "import sys\nsys.stdout.write(word(sys.argv[1]))", []string{"/usr/bin/python3"}, "a.py"},
	{"// JavaScript", "", "process.stdout.write(word(process.argv[2]));", []string{"node"}, "a.js"},
	{"# Ruby", "# encoding: utf-8\n", "print word(ARGV[0].dup.force_encoding('UTF-8'))", []string{"ruby"}, "a.rb"},
	{"// Go", "package main\nimport (\"net/url\"; \"os\"; \"strings\")\n", "func main() { os.Stdout.WriteString(word(os.Args[1])) }", []string{"go", "run"}, "a.go"},
}

var readers = []recipe{
	{"// PHP: records", "<?php\n", "foreach (records($argv[1]) as $r) echo implode(',', $r), '|';", []string{"/usr/bin/php"}, "a.php"},
	{"# Python: records", "", "import sys\nfor r in records(sys.argv[1].encode()): sys.stdout.write(','.join(r[:-1]) + ',' + r[-1].decode() + '|')", []string{"/usr/bin/python3"}, "a.py"},
	{"// JavaScript: records", "", "for (const r of records(process.argv[2])) process.stdout.write(r.map(String).join(',') + '|');", []string{"node"}, "a.js"},
	{"# Ruby: records", "", "records(ARGV[0]).each { |r| print r.join(',').b, '|' }", []string{"ruby"}, "a.rb"},
}

// The recipes of all languages write the same bytes.
func TestRecipesForWords(t *testing.T) {
	t.Parallel()
	text, want := "", ""
	for c := byte(' '); c < 0x7f; c++ {
		text += string(c)
		if strings.IndexByte("-_.~", c) >= 0 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			want += string(c)
		} else {
			want += "%" + strings.ToUpper(string("0123456789abcdef"[c>>4])+string("0123456789abcdef"[c&15]))
		}
	}
	try(t, words, text+"Ä 日😀\n", want+"%C3%84%20%E6%97%A5%F0%9F%98%80%0A")
}

// The recipes of all languages read the same records, whose data may have line feeds, and letters of several bytes.
func TestRecipesForRecords(t *testing.T) {
	t.Parallel()
	try(t, readers, "a 7 6 stamp.1\nh\nÄlo\nb 0 0 stamp.2\n\n", "a,7,6,stamp.1,h\nÄlo|b,0,0,stamp.2,|")
}

// try runs recipes, as they stand in the README, with an argument.
func try(t *testing.T, recipes []recipe, argument, want string) {
	readme, err := os.ReadFile("../../proxy/verbkeys/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recipes {
		t.Run(r.begins, func(t *testing.T) {
			t.Parallel()
			_, block, found := strings.Cut(string(readme), "\n    "+r.begins+"\n")
			if !found {
				t.Fatalf("the README has no block that begins with %q", r.begins)
			}
			var code strings.Builder
			for line := range strings.Lines(block) {
				if !strings.HasPrefix(line, "    ") {
					break
				}
				code.WriteString(line)
			}
			file := filepath.Join(t.TempDir(), r.file)
			if err := os.WriteFile(file, []byte(r.before+dedented(code.String())+r.after+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), r.command[0], append(r.command[1:], file, argument)...)
			if said, err := run.CombinedOutput(); err != nil || string(said) != want {
				t.Errorf("%v\n%s\nexpected\n%s", err, said, want)
			}
		})
	}
}

// dedented removes the indentation that makes lines a block.
func dedented(code string) string {
	return strings.ReplaceAll("\n"+code, "\n    ", "\n")
}
