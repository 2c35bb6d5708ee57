package main

// version is printed by --version, and by stats as memverbs_version, and date by the manual page,
// as 2026-11-23. The linker sets them to those of a package; without it, version is the one that comes next.
var version, date = "1.0.0", ""
