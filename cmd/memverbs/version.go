package main

// version is printed by --version, and by stats as memverbs_version, and date by the manual page,
// as 2026-11-23. The linker sets them to those of a release.
var version, date = "0.1.0-dev", ""
