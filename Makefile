# make serve         sets everything up and serves the site; run again, it just starts
# make test          runs all tests but those of test-long, test-clients and test-browser
# make test-long     runs those that take long: extremes, texts by chance, memory, kills, wheels, a web server in front
# make release-check builds what would be released, installs it into an empty environment and tries it
# make viewer        fetches the viewer of /docs anew from the npm registry
# make vendor        makes the modules of others that /admin loads anew from the npm registry; needs Node.js 20 or newer
# make test-browser  runs the tests of /admin in Chromium: /usr/bin/chromium, or the one that CMS_CHROMIUM names
# make audit         looks for known faults of libraries, where the list of them can be reached, and for unsafe code
# make test-postgres runs the recorded conversations and more on a server of PostgreSQL that it starts (Debian's package postgresql)
# make test-postgres-all  runs all tests on such a server, other people's clients too, but those of what only a file has
# make test-hosts    has two hosts with one site fail by turns, in network namespaces; takes root, nginx, PostgreSQL
# make test-buckets  runs the tests of uploads in buckets on moto too, the object storage that they don't run on otherwise
# make mutants       changes the code by chance and tells which changes no test notices; SAMPLE=500 SEED=2 chooses others
# make test-clients  runs clients of the npm registry against a served site; needs Node.js 20 or newer
#
# BIND=127.0.0.1:9000  listens elsewhere     DEMO=0  leaves a new site empty
# WORKER=asgi          waits for clients in an event loop, not in threads
# PYTHON=python3.13    makes .venv with it   VENV=…  puts it elsewhere

PYTHON ?= python3
VENV ?= .venv
BIND ?= 127.0.0.1:8000
DEMO ?= 1

# What fits into CI; test-postgres-all runs the rest of these files, too.
POSTGRES_TESTS ?= tests/test_postgres.py tests/test_postgres_indexes.py tests/test_growth.py \
	tests/conformance/test_recordings.py tests/test_copy.py tests/test_doctor_server.py \
	tests/backup/test_dumps.py tests/admin/test_upkeep.py tests/transfer/test_import_files.py tests/plugins/test_menus.py \
	tests/test_words_on_server.py::test_words_find_the_same_on_both_engines \
	tests/transfer/test_unseen_imports.py::test_others_write_and_see_nothing_until_the_end \
	tests/transfer/test_unseen_imports.py::test_a_text_that_others_change_while_it_is_tied_stays_theirs \
	tests/media/test_bucket.py::test_a_backup_has_the_files_and_brings_them_back

# The browser's library takes each process a second to load.
WITHOUT_BROWSER := --ignore tests/browser

CMS := $(VENV)/bin/cms
PIP := $(VENV)/bin/python -m pip install -qq --disable-pip-version-check --no-input

# What one process compiles is there for all that are started after it.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: serve test test-long test-clients test-browser test-postgres test-postgres-all test-hosts test-buckets release-check audit viewer vendor mutants dev

serve: $(VENV)/installed
	@$(CMS) init $(if $(filter 0 no off,$(DEMO)),--no-demo,--demo)
	@exec $(CMS) serve --bind $(BIND) $(if $(WORKER),--worker $(WORKER))

test: dev
	@$(VENV)/bin/python -m pytest -n auto $(WITHOUT_BROWSER) -m 'not npm and not long and not browser'

test-long: dev
	@$(VENV)/bin/python -m pytest -n auto $(WITHOUT_BROWSER) -m long

test-clients: dev
	@$(VENV)/bin/python -m pytest -n auto -m npm tests/clients

test-browser: dev
	@$(VENV)/bin/python -m pytest -n auto --dist loadfile -m browser tests/browser

test-postgres: dev
	@PYTHONPATH=$(abspath $(VENV))/postgres $(VENV)/bin/python tests/postgres_server.py -- \
		$(VENV)/bin/python -m pytest -n auto -m 'not long' $(POSTGRES_TESTS)

test-postgres-all: dev
	@PYTHONPATH=$(abspath $(VENV))/postgres $(VENV)/bin/python tests/postgres_server.py -- \
		$(VENV)/bin/python -m pytest -n auto $(WITHOUT_BROWSER) -m 'not long and not browser'

test-hosts: dev
	@PYTHONPATH=$(abspath $(VENV))/postgres $(VENV)/bin/python -m pytest -m long tests/test_two_hosts.py

test-buckets: dev $(VENV)/moto
	@CMS_TEST_BUCKETS=$(VENV)/moto $(VENV)/bin/python -m pytest -n auto tests/media/test_bucket.py tests/media/test_bucket_suite.py

release-check: dev
	@$(VENV)/bin/python tests/release_check.py $(if $(KEEP),--keep $(KEEP))

viewer: dev
	@$(VENV)/bin/python tests/fetch_viewer.py

vendor: dev
	@$(VENV)/bin/python tests/fetch_vendor.py

audit: dev
	@$(VENV)/bin/ruff check --select S cms plugins
	@$(PIP) --retries 1 --timeout 10 pip-audit || true
	@$(VENV)/bin/python tests/audit.py

mutants: dev
	@$(PIP) --editable '.[mutation]'
	@nice $(VENV)/bin/python bench/mutants.py --sample $(or $(SAMPLE),120) --seed $(or $(SEED),1)

dev: $(VENV)/installed-dev $(VENV)/postgres

$(VENV)/installed: pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	@echo "Installing into $(VENV), which takes a minute."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --editable .
	@touch $@

# With uv in a third of the time that pip takes; pip knows more ways to an index.
UV := $(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(VENV)/bin/python

$(VENV)/installed-dev: $(VENV)/installed
	@echo "Installing what the tests need."
	@$(PIP) uv
	@$(UV) --editable '.[dev]' || $(PIP) --editable '.[dev]'
	@touch $@

# Apart, since peewee imports the driver wherever it finds it, which would slow each start of all other tests.
EXTRA := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["postgres"])

$(VENV)/postgres: pyproject.toml | $(VENV)/installed
	@$(PIP) --target $@ --upgrade $$($(VENV)/bin/python -c '$(EXTRA)')
	@rm -rf $@/typing_extensions*
	@touch $@

# Apart, since these tests alone need it, and it is large.
$(VENV)/moto: | $(VENV)/installed
	@$(PIP) --target $@ --upgrade 'moto[s3]>=5.2' flask flask-cors
	@touch $@
