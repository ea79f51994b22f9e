# Strandscope: see README.md. `make help` lists what there is.

GO        ?= go
ADDR      ?= 127.0.0.1:8080
DIR       ?= ../shared/reference
FUZZTIME  ?= 30s
FUZZ      ?= Fuzz
SOAK      ?= 10m
GOTESTSUM  = $(GO) tool -modfile=tools/test/go.mod gotestsum
LINT       = $(GO) tool -modfile=tools/lint/go.mod golangci-lint
SOURCES   := $(shell find cmd sim render web -name '*.go' -not -name '*_test.go') \
             $(shell find sim -name '*.json' -o -path '*/tables/*.csv') go.mod go.sum Makefile
PAGE      := $(shell find web -type f -not -name '*.go' -not -path '*/testdata/*')
SLIM      := $(shell find scripts/slim -type f -not -name '*_test.go' -not -path '*/testdata/*')
# Without a stamp of the commit: the same sources make the same bytes anywhere.
WASM       = GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false
# Functions are put into their callers only where that makes a run faster: in the
# page's download each copy costs, a tenth of the whole without this. Runs of textbook
# policies are short.
HOT        = engine policy/solaris policy/linux22 clock trace sched machine
INLINE     = -gcflags=all=-l $(HOT:%=-gcflags=strandscope/sim/%=)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

.PHONY: run
run: wasm ## build the page and serve it (ADDR=127.0.0.1:8080)
	$(GO) run ./cmd/strandsim serve -addr $(ADDR)

.PHONY: wasm
wasm: wasm_exec.js build/strandscope.wasm.gz build/strandfull.wasm.gz build/strandtool.wasm.gz build/stills/made ## build the programs of the page

# Always looked at: another Go installation brings another wasm_exec.js.
.PHONY: FORCE
wasm_exec.js: FORCE
	@from="$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js"; cmp -s "$$from" $@ || cp "$$from" $@

# Ebitengine without what the page never uses.
build/slim.mod: go.mod go.sum $(SLIM)
	$(GO) run ./scripts/slim

build/strandscope.wasm: build/slim.mod $(SOURCES) $(wildcard scripts/wasmtrim/*.go)
	$(WASM) $(INLINE) -modfile=build/slim.mod -ldflags='-s -w' -o $@.part ./cmd/strandscope
	$(GO) run ./scripts/wasmtrim $@.part
	mv $@.part $@

# The same program with all that the page's has no room for: the kernels after 2.2. It
# is fetched in the other's place when something needs it.
build/strandfull.wasm: build/slim.mod $(SOURCES) $(wildcard scripts/wasmtrim/*.go)
	$(WASM) $(INLINE) -tags full -modfile=build/slim.mod -ldflags='-s -w' -o $@.part ./cmd/strandscope
	$(GO) run ./scripts/wasmtrim $@.part
	mv $@.part $@

# The same with kernels that break, for the test that the page says so.
build/faulty.wasm: build/slim.mod $(SOURCES)
	$(WASM) -tags faulty $(INLINE) -modfile=build/slim.mod -ldflags='-s -w' -o $@ ./cmd/strandscope

# What writes the events of a run as files, fetched when somebody asks for one.
build/strandtool.wasm: $(SOURCES) $(wildcard scripts/wasmtrim/*.go)
	@mkdir -p build
	$(WASM) $(INLINE) -tags full -ldflags='-s -w' -o $@.part ./cmd/strandtool
	$(GO) run ./scripts/wasmtrim $@.part
	mv $@.part $@

build/%.wasm.gz: build/%.wasm
	gzip -9 -n -k -f $<

# What stands in another page until a figure runs there.
build/stills/made: $(SOURCES) $(wildcard scripts/stills/*.go)
	$(GO) run ./scripts/stills build/stills
	@touch $@

.PHONY: site
site: dist/index.html ## write the page to dist, for any host, and as one file

dist/index.html: wasm_exec.js build/strandscope.wasm.gz build/strandfull.wasm.gz build/strandtool.wasm.gz build/stills/made index.html $(PAGE) $(wildcard scripts/site/*.go)
	$(GO) run ./scripts/site
	@touch $@

# Ebitengine wants a C compiler, and on Debian libgl1-mesa-dev and xorg-dev.
.PHONY: desktop
desktop: ## build the picture in a window of its own (build/strandscope)
	$(GO) build -tags desktop -o build/strandscope ./cmd/strandscope

.PHONY: wasm-plain
wasm-plain: ## build it with Ebitengine as published, to compare
	@mkdir -p build
	$(WASM) -ldflags='-s -w' -o build/plain.wasm ./cmd/strandscope
	@echo "as published: $$(wc -c < build/plain.wasm) bytes, $$(gzip -9 -n -c build/plain.wasm | wc -c) under gzip"

.PHONY: size
size: build/slim.mod ## list the packages by the size of their code
	$(WASM) $(INLINE) -modfile=build/slim.mod -o build/named.wasm ./cmd/strandscope
	@GOOS=js GOARCH=wasm $(GO) list -modfile=build/slim.mod -deps ./cmd/strandscope | \
	$(GO) run ./scripts/wasmsize build/named.wasm

.PHONY: test
test: site wasm-plain vet ## run everything: unit, recorded data, properties, browser
	@browser="$$(sh scripts/chromium.sh)" && \
	CHROMIUM="$$browser" $(GOTESTSUM) --format pkgname -- -tags browser -p 1 -timeout 25m ./...

.PHONY: unit
unit: ## run the tests that need no browser
	$(GO) test ./...

.PHONY: e2e
e2e: site ## run the browser tests alone
	@browser="$$(sh scripts/chromium.sh)" && \
	CHROMIUM="$$browser" $(GO) test -tags browser -count=1 -timeout 25m ./web/e2e

# What the README shows, by the names that the browser tests keep it under.
.PHONY: pictures
pictures: site ## make the README's pictures anew, by browser tests
	@browser="$$(sh scripts/chromium.sh)" && E2E_SHARP=1 CHROMIUM="$$browser" $(GO) test -tags browser -count=1 \
	-run '^(TestPictures|TestTwoRunsAreComparedByKeyboard|TestEveryLessonHoldsWhatItClaims|TestAFigureIsWholeFrom320To1200Pixels)$$' ./web/e2e
	cp build/screenshots/t2000-unset-dark.png docs/pictures/page.png
	cp build/screenshots/compare-light.png docs/pictures/compare.png
	cp build/screenshots/lesson-tip.png docs/pictures/lesson.png
	cp build/screenshots/embed-768.png docs/pictures/embed.png

.PHONY: vet
vet: ## vet both builds and check the formatting
	$(GO) vet -tags browser ./...
	GOOS=js GOARCH=wasm $(GO) vet ./cmd/strandscope ./web/bridge
	GOOS=js GOARCH=wasm $(GO) vet -tags full ./cmd/strandscope ./cmd/strandtool ./render/... ./web/bridge ./web/control ./web/proto
	GOOS=js GOARCH=wasm $(GO) vet -tags full ./cmd/strandscope ./cmd/strandtool ./sim/policy
	@out="$$(gofmt -l cmd scripts sim render web)"; test -z "$$out" || { echo "gofmt -w is due: $$out" >&2; exit 1; }

.PHONY: lint
lint: ## run the linters (builds them the first time: minutes)
	$(LINT) run ./...

.PHONY: golden
golden: ## replay the recorded data below DIR (default ../shared/reference)
	$(GO) run ./cmd/strandsim verify $(DIR)

.PHONY: fuzz
fuzz: ## fuzz each target for half a minute (FUZZTIME=10m for longer, FUZZ=Link for one)
	@$(GO) test -list '^Fuzz' ./... | awk '/^Fuzz/ {f[n++]=$$1} /^ok/ {for (i=0;i<n;i++) print $$2, f[i]; n=0}' | \
	grep -- '$(FUZZ)' | \
	while read -r pkg target; do echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $(FUZZFLAGS) "$$pkg" || exit 1; done

.PHONY: soak
soak: site ## random input to the page for SOAK=10m, heap and digests watched
	@browser="$$(sh scripts/chromium.sh)" && \
	SOAK=$(SOAK) CHROMIUM="$$browser" $(GO) test -tags browser -count=1 -timeout 0 -v -run '^TestASoak' ./web/e2e

# The packages in which something runs beside something else; the race detector needs a
# C compiler.
.PHONY: race
race: ## run the tests of what runs concurrently under the race detector
	CGO_ENABLED=1 $(GO) test -race -timeout 60m ./cmd/... ./scripts/... ./web/static ./web/control ./sim/checkpoint ./sim/golden/all

.PHONY: licences
licences: ## write anew what is due to those whose code is in the programs
	$(GO) run ./scripts/licences

.PHONY: audit
audit: ## check the modules, known vulnerabilities, licences, and that the build is reproducible
	sh scripts/audit.sh

.PHONY: bench
bench: site ## measure all that has a budget; one table (build/bench.md, .json); a quarter of an hour
	$(GO) run -tags browser ./scripts/bench -wasmflags='$(INLINE) -tags=full' $(BENCH)

.PHONY: bench-go
bench-go: ## run Go's benchmarks, for benchstat (BENCH=-count=6)
	$(GO) test -run '^$$' -bench . -benchmem -timeout 60m $(BENCH) ./sim/... ./render/...

.PHONY: check
check: lint test ## what a change must pass: lint and test

.PHONY: clean
clean: ## remove what was built
	rm -rf build dist wasm_exec.js
