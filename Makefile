# make test is the whole truth about the project. It needs nothing done first on a Debian machine with Go.

# In runs rather than seconds: when its time is up, go test now and then takes the deadline for a failure.
FUZZTIME ?= 10000x
TESTTIME ?= 20m
DURATION ?= 10m
# A million, for each kind, takes an hour.
SCHEDULES ?= 2000
SEED ?= 1
CELL ?= plain
ARGS ?=

.PHONY: help build run test soak needs check schedules bugs bench profile microbench fuzz deb image release testpackages clean

help:
	@echo 'make build   build ./memverbs, a static binary'
	@echo 'make run     build it and run it with its embedded store; flags in ARGS'
	@echo 'make test    fetch what the tests need, then check, test and fuzz everything'
	@echo 'make soak    have everything go wrong with structures of all kinds, locks and logs for DURATION ($(DURATION)), and some minutes more'
	@echo 'make schedules run SCHEDULES ($(SCHEDULES)) random schedules of each kind, others with another SEED ($(SEED)), and all short ones; from a million on, the longer ones too'
	@echo 'make bugs    put known defects into a copy of the sets, and see that the tests find each'
	@echo 'make bench   put memverbs beside other proxies and Valkey, and write tests/bench/report.md; flags in ARGS, see ARGS=-help'
	@echo 'make profile show where memverbs spends its time under one load of that, CELL ($(CELL))'
	@echo 'make microbench run the benchmarks of parsers, layouts, folding and the like'
	@echo 'make fuzz    run each fuzz target for FUZZTIME ($(FUZZTIME))'
	@echo 'make deb     build packages for Debian into dist; the version is that of the git tag, or VERSION'
	@echo 'make image   build images for containers into dist'
	@echo 'make release build static binaries for Linux and macOS into dist'
	@echo 'make testpackages install, upgrade and purge the package in a Debian that is booted, run the image, build all twice'
	@echo 'make clean   remove what was built and fetched'

build:
	@echo '== build'
	CGO_ENABLED=0 go build -o memverbs ./cmd/memverbs

run: build
	@echo '== run'
	./memverbs --verb-keys verb/ $(ARGS)

# Tests that run the program build it themselves, so a result that Go has kept may be one of another program.
# Programs with the race detector, tests among them, sleep for a second before they end unless told otherwise.
# All is vetted by then, so the tests are built without doing that again. Only the race detector needs cgo: programs that
# tests build do without, as when they are shipped, so that nothing is compiled in three ways.
test: needs check
	@echo '== test'
	GORACE=atexit_sleep_ms=10 go test -race -exec 'env -u GOGC CGO_ENABLED=0' -vet off -count=1 -timeout $(TESTTIME) ./...
	@$(MAKE) --no-print-directory schedules
	@$(MAKE) --no-print-directory fuzz

soak: needs
	@echo '== soak, $(DURATION)'
	go test -race -count=1 -timeout 0 -v ./tests/structures -soak $(DURATION)
	go test -run '^$$' -bench . ./tests/structures

# The race detector needs a C compiler. Servers are not installed, so that no service of theirs is started.
needs:
	@echo '== what the tests need'
	@command -v gcc >/dev/null || { \
		sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
		$$sudo apt-get update && $$sudo apt-get install -y --no-install-recommends gcc libc6-dev; }
	@tests/fetch-memcached.sh
	@tests/fetch-nutcracker.sh
	@tests/fetch-valkey.sh
	@tests/fetch-clients.sh
	@tests/fetch-monitors.sh
	@tests/fetch-prometheus.sh
	@tests/fetch-chromium.sh

# Compiled once for all of these, and for the programs that tests build.
check schedules fuzz: export CGO_ENABLED = 0

# Compilers and staticcheck that collect garbage less often take a fifth less time, and up to 1 GB. Tests under the race
# detector, which measure memory, do without.
test check schedules fuzz: export GOGC = 400

# No file is left out with the tag. What is built for macOS is only looked at, since it takes a tenth of the time of
# building it; "make release" does that.
check:
	@echo '== gofmt'
	@bad=$$(gofmt -l .); [ -z "$$bad" ] || { echo "gofmt would change:" $$bad; exit 1; }
	@echo '== vet'
	go vet -tags profile ./...
	go run ./tests/typecheck darwin ./...
	@echo '== staticcheck'
	go tool staticcheck ./...
	@echo '== known defects can be put back'
	@verbs/testdata/bugs/try.sh --apply

# Without the race detector, since one schedule is one goroutine at a time, and it takes ten times as long. With it,
# the same tests run some schedules of each race, and those that take longest do not run.
schedules:
	@echo '== schedules'
	go test -vet off ./verbs/sets ./verbs/lists ./verbs/tables ./verbs/rankings ./verbs/tasks ./verbs/locks ./verbs/eventlogs -count 1 -timeout 2h -args -schedules $(SCHEDULES) -seed $(SEED)

bugs:
	@echo '== bugs'
	@verbs/testdata/bugs/try.sh

# nutcracker is twemproxy's program.
bench:
	@tests/fetch-memcached.sh
	@tests/fetch-nutcracker.sh
	@tests/fetch-valkey.sh
	@tests/fetch-beanstalkd.sh
	@tests/fetch-stunnel.sh
	@tests/fetch-old.sh
	@echo '== bench'
	go run ./tests/bench $(ARGS)

profile:
	@tests/fetch-memcached.sh
	@tests/fetch-nutcracker.sh
	@tests/fetch-valkey.sh
	@tests/fetch-beanstalkd.sh
	@tests/fetch-stunnel.sh
	@echo '== profile of $(CELL)'
	go run ./tests/bench -profile -cell $(CELL) -seconds 5 $(ARGS)

microbench:
	@tests/fetch-memcached.sh
	@echo '== micro-benchmarks'
	go test -run '^$$' -bench . -benchmem ./...

# The targets are found rather than listed, so that none is forgotten. One runs at a time, since the first compiles what
# the others need too.
fuzz:
	@echo '== fuzz, $(FUZZTIME) each'
	@grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' . | sort | while IFS=: read -r file target; do \
		go test -vet off -run '^$$' -fuzz "^$${target#func }\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$(dirname "$$file")" || exit 1; done

deb image release:
	@echo '== $@'
	@cmd/memverbs/packaging/$@.sh

# Takes minutes, and needs root or sudo.
testpackages:
	@echo '== test of packages'
	@cmd/memverbs/packaging/test-deb.sh
	@cmd/memverbs/packaging/test-image.sh
	@cmd/memverbs/packaging/test-release.sh

clean:
	@echo '== clean'
	rm -rf memverbs dist .cache
