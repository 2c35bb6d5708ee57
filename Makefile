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
# Tests that wait leave the cores to others, so more of them run side by side than there are cores.
PARALLEL = -parallel $$((2 * $$(nproc)))
# Where the schedules are.
KINDS = ./verbs/sets ./verbs/lists ./verbs/tables ./verbs/rankings ./verbs/tasks ./verbs/locks
# A profile of plain commands, by which the compiler optimizes what is shipped. Its name is not the one that go build
# looks for: all the tests would be compiled by it too.
PGO = cmd/memverbs/packaging/plain.pgo

# One after another, each of them with all cores.
.NOTPARALLEL:

.PHONY: help build run quick style units test soak needs check races programs schedules bugs bench profile pgo microbench fuzz deb source image chart release testpackages clean

help:
	@echo 'make build   build ./memverbs, a static binary'
	@echo 'make run     build it and run it with its embedded store; flags in ARGS'
	@echo 'make quick   what to run after each change: check the form, test all that needs nothing fetched; two minutes at most'
	@echo 'make needs   fetch what the other tests need: memcached of three versions, clients, tools, a C compiler'
	@echo 'make test    quick, needs, then check, test and fuzz everything'
	@echo 'make soak    have everything go wrong with structures of all kinds, locks and logs for DURATION ($(DURATION)), and some minutes more'
	@echo 'make schedules run SCHEDULES ($(SCHEDULES)) random schedules of each kind, others with another SEED ($(SEED)), and all short ones; from a million on, the longer ones too'
	@echo 'make bugs    put known defects into a copy of the sets, and see that the tests find each'
	@echo 'make bench   put memverbs beside other proxies and Valkey, and write tests/bench/report.md; flags in ARGS, see ARGS=-help'
	@echo 'make profile show where memverbs spends its time under one load of that, CELL ($(CELL))'
	@echo 'make pgo     take the profile anew by which the compiler optimizes memverbs, after larger changes'
	@echo 'make microbench run the benchmarks of parsers, layouts, folding and the like'
	@echo 'make fuzz    run each fuzz target for FUZZTIME ($(FUZZTIME))'
	@echo 'make deb     build packages for Debian into dist; the version is that of the git tag, or VERSION'
	@echo 'make source  put a source package for Debian into dist, of which its own tools make the package'
	@echo 'make image   build images for containers into dist'
	@echo 'make chart   put an archive of the chart for Helm into dist'
	@echo 'make release build static binaries for Linux and macOS into dist'
	@echo 'make testpackages install, upgrade and purge the package in a Debian that is booted, build it from source in another, run the image, render the chart, build all twice'
	@echo 'make clean   remove what was built and fetched'

build:
	@echo '== build'
	CGO_ENABLED=0 go build -pgo $(PGO) -o memverbs ./cmd/memverbs

run: build
	@echo '== run'
	./memverbs --verb-keys verb/ $(ARGS)

# A target that two others need is made once. The race detector alone needs cgo: all else does without, as what is
# shipped, so that nothing is compiled in three ways. Compilers and staticcheck that collect garbage less often take a
# fifth less time, and up to 1 GB. Tests, which measure memory, do without.
test: quick needs check races programs schedules fuzz

quick style units check programs schedules fuzz: export CGO_ENABLED = 0
test quick style units check races programs schedules fuzz: export GOGC = 400

# Packages whose tests start the program use the harness, and most of them need what is fetched.
PROGRAMS = $$(go list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... | grep /tests/harness | cut -d' ' -f1)
UNITS = $$(go list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... | grep -v /tests/harness | cut -d' ' -f1)

quick: style units

# No file is left out with the tag.
style:
	@echo '== gofmt'
	@bad=$$(gofmt -l cmd proxy protocol verbs sharding tests); [ -z "$$bad" ] || { echo "gofmt would change:" $$bad; exit 1; }
	@echo '== vet'
	go vet -tags profile ./...

# What has not changed since it was tested is not tested again, but for the program, which tests build themselves.
units:
	@echo '== test what needs nothing fetched'
	@env -u GOGC go test -short -vet off $(PARALLEL) $(UNITS)
	@env -u GOGC go test -count=1 -vet off -run 'TestTranscripts/embedded' ./tests/transcripts

# The race detector finds nothing where there is one goroutine, and takes ten times as long. So of the kinds of
# structures it sees a few schedules, several at a time, and none of the tests that quick has run. Programs that have it, tests among them, sleep for a second before they end
# unless told otherwise.
races:
	@echo '== test with the race detector'
	GORACE=atexit_sleep_ms=10 go test -race -short -exec 'env -u GOGC CGO_ENABLED=0' -vet off -count=1 $(PARALLEL) -timeout $(TESTTIME) $$(go list ./cmd/... ./proxy/... ./verbs ./verbs/structure/... | grep -v /examples)
	GORACE=atexit_sleep_ms=10 go test -race -short -exec 'env -u GOGC CGO_ENABLED=0' -vet off -count=1 -run 'Schedule|Mishap' $(KINDS)

# Here the program has the race detector, and the tests have not. A result that Go has kept may be one of another program.
programs:
	@echo '== test the program'
	go test -tags checked -exec 'env -u GOGC' -vet off -count=1 -p 3 $(PARALLEL) -timeout $(TESTTIME) $(PROGRAMS)

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

# What is built for macOS is only looked at, since it takes a tenth of the time of building it; "make release" does that.
check: style
	@echo '== types on macOS'
	go run ./tests/typecheck darwin ./...
	@echo '== staticcheck'
	go tool staticcheck ./...
	@echo '== known defects can be put back'
	@verbs/testdata/bugs/try.sh --apply

# Without the race detector, since one schedule is one goroutine at a time, and it takes ten times as long. With it,
# the same tests run some schedules of each race, and those that take longest do not run.
schedules:
	@echo '== schedules'
	go test -vet off $(KINDS) ./verbs/eventlogs -count 1 -timeout 2h -args -schedules $(SCHEDULES) -seed $(SEED)

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

# The loads that the bars of plain commands are about.
pgo:
	@for cell in plain pipelined single multiget 10k many; do $(MAKE) --no-print-directory profile CELL=$$cell || exit 1; done
	@echo '== $(PGO)'
	cd .cache/profile && go tool pprof -proto -output $(CURDIR)/$(PGO) plain.prof pipelined.prof single.prof multiget.prof 10k.prof many.prof

microbench:
	@tests/fetch-memcached.sh
	@echo '== micro-benchmarks'
	go test -run '^$$' -bench . -benchmem ./...

# The targets are found rather than listed, so that none is forgotten.
fuzz:
	@echo '== fuzz, $(FUZZTIME) each'
	@tests/fuzz.sh $(FUZZTIME)

deb source image chart release:
	@echo '== $@'
	@cmd/memverbs/packaging/$@.sh

# Takes minutes, and needs root or sudo.
testpackages:
	@echo '== test of packages'
	@cmd/memverbs/packaging/test-deb.sh
	@cmd/memverbs/packaging/test-source.sh
	@cmd/memverbs/packaging/test-image.sh
	@cmd/memverbs/packaging/test-helm.sh
	@cmd/memverbs/packaging/test-release.sh

clean:
	@echo '== clean'
	rm -rf memverbs dist .cache
