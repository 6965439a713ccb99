package excerpt_test

import (
	"strings"
	"testing"

	"github.com/envwrap/envwrap/excerpt"
)

// The best line is the one that says why, and no caret, path of a log, or report
// that something failed.
func TestBest(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"gcc", "main.c: In function 'main':\nmain.c:3:5: error: 'x' undeclared (first use in this function)\n    3 |     x = 1;\n      |     ^\nmain.c:3:5: note: each undeclared identifier is reported only once\n", "main.c:3:5: error: 'x' undeclared (first use in this function)"},
		{"npm", "npm error code E404\nnpm error 404 Not Found - GET https://registry.example.com/foo - Not found\nnpm error 404\nnpm error 404  'foo@*' is not in this registry.\nnpm error A complete log of this run can be found in: /root/.npm/_logs/x-debug-0.log\n", "npm error code E404"},
		{"python", "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n  File \"a.py\", line 2, in f\n    raise ValueError(\"bad\")\nValueError: bad\n", "ValueError: bad"},
		{"npm's banner", "\n> x@1.0.0 lint\n> echo Error: none; echo done; false\n\nError: none\ndone\n", "Error: none"},
		{"npm's banner of a script alone", "\n> check\n> echo fatal error: no; ./check\n\nlease is not found\n", "lease is not found"},
		{"npm's banner and no more", "\n> x@1.0.0 fail\n> exit 3\n\n", ""},
		{"what looks like npm's banner", "\n> Task :a done\n> lease is not found\n", "> lease is not found"},
		{"tar", "tar: x: Cannot open: No such file or directory\ntar: Exiting with failure status due to previous errors\n", "tar: x: Cannot open: No such file or directory"},
		{"make", "cc -o app main.c\nmain.c:1:1: error: unknown type name 'foo'\nmake: *** [Makefile:2: app] Error 1\n", "main.c:1:1: error: unknown type name 'foo'"},
		{"make alone", "make: *** No rule to make target 'x'.  Stop.\n", "make: *** No rule to make target 'x'.  Stop."},
		{"go test", "=== RUN   TestPrune\n    prune_test.go:41: got 3 objects, want 2\n--- FAIL: TestPrune (0.01s)\nFAIL\nFAIL\texample.com/app\t0.4s\nFAIL\n", "prune_test.go:41: got 3 objects, want 2"},
		{"go build", "# example.com/app\n./main.go:4:2: undefined: foo\n", "./main.go:4:2: undefined: foo"},
		{"cargo", "   Compiling app v0.1.0\nerror[E0308]: mismatched types\n --> src/main.rs:2:18\n  |\n2 |     let x: i32 = \"a\";\n  |                  ^^^ expected `i32`, found `&str`\n\nerror: could not compile `app` (bin \"app\") due to 1 previous error\n", "error[E0308]: mismatched types"},
		{"bash", "bash: line 1: gti: command not found\n", "bash: line 1: gti: command not found"},
		{"git", "fatal: not a git repository (or any of the parent directories): .git\n", "fatal: not a git repository (or any of the parent directories): .git"},
		{"curl", "curl: (22) The requested URL returned error: 429\n", "curl: (22) The requested URL returned error: 429"},
		{"pytest", "tests/test_a.py F\n\n    def test_a():\n>       assert f(1) == 2\nE       assert 3 == 2\nE        +  where 3 = f(1)\n\ntests/test_a.py:4: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_a - assert 3 == 2\n=== 1 failed in 0.02s ===\n", "E       assert 3 == 2"},
		{"node", "/app/x.js:1\nfoo();\n^\n\nReferenceError: foo is not defined\n    at Object.<anonymous> (/app/x.js:1:1)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n\nNode.js v22.14.0\n", "ReferenceError: foo is not defined"},
		{"git commit", "On branch main\nnothing to commit, working tree clean\n", "nothing to commit, working tree clean"},
		{"git typo", "git: 'stauts' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tstatus\n", "git: 'stauts' is not a git command. See 'git --help'."},
		{"no archive", "tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n", "tar: This does not look like a tar archive"},
		{"ld", "/usr/bin/ld: /tmp/a.o: in function `main':\nl.c:(.text+0x5): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status\n", "l.c:(.text+0x5): undefined reference to `foo'"},
		{"perl", "Global symbol \"$y\" requires explicit package name at a.pl line 1.\nExecution of a.pl aborted due to compilation errors.\n", "Global symbol \"$y\" requires explicit package name at a.pl line 1."},
		{"HTTP", "HTTP/1.1 429 Too Many Requests\nRetry-After: 1\n", "HTTP/1.1 429 Too Many Requests"},
		{"HTTP without words", "< HTTP/2 403\n< date: today\n< retry-after: 3\n", "< HTTP/2 403"},
		{"the next line", "running 1 test\nthread 't' panicked at src/main.rs:2:17:\nno lease\nstack backtrace:\n", "thread 't' panicked at src/main.rs:2:17: no lease"},
		{"YAML", "not ok 1 - adds\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be equal:\n\n    2 !== 3\n\n  code: 'ERR_ASSERTION'\n", "error: |- Expected values to be equal: 2 !== 3"},
		{"a long line", "error: " + strings.Repeat("x", 300) + ": connection refused\n", "error: " + strings.Repeat("x", 59) + " … " + strings.Repeat("x", 111) + ": connection refused"},
		{"make -k", "make: *** [Makefile:5: b] Error 1\nmake: Target 'all' not remade because of errors.\n", "make: *** [Makefile:5: b] Error 1"},
		{"an exception in a package", "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    json.loads(s)\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n", "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"},
		{"an exception of another name", "Traceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    lease()\n\nstore.NoLease: 5 of 5 are taken\n", "store.NoLease: 5 of 5 are taken"},
		{"a chain", "Exception in thread \"main\" java.lang.RuntimeException: worker stopped\n\tat R.main(R.java:3)\nCaused by: java.io.IOException: no lease\n\tat R.f(R.java:9)\nCaused by: java.lang.IllegalStateException: queue closed\n\t... 1 more\n", "Exception in thread \"main\" java.lang.RuntimeException: worker stopped; Caused by: java.lang.IllegalStateException: queue closed"},
		{"a chain of anyhow", "Error: load settings\n\nCaused by:\n    No such file or directory (os error 2)\n", "Error: load settings; Caused by: No such file or directory (os error 2)"},
		{"node's cause", "TypeError: fetch failed\n    at node:internal/deps/undici/undici:13510:13 {\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:80\n", "TypeError: fetch failed; [cause]: Error: connect ECONNREFUSED 127.0.0.1:80"},
		{"jest", "  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 2\n\n      at Object.toBe (a.test.js:1:36)\n", "Expected: 3 Received: 2"},
		{"webpack", "ERROR in ./src/index.js 1:0-29\nModule not found: Error: Can't resolve './missing.js' in '/src'\nresolve './missing.js' in '/src'\n", "ERROR in ./src/index.js 1:0-29 Module not found: Error: Can't resolve './missing.js' in '/src'"},
		{"git over ssh", "Cloning into 'x'...\ngit@example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n", "git@example.com: Permission denied (publickey)."},
		{"argparse", "ERROR: usage: pytest [options] [file_or_dir]\npytest: error: unrecognized arguments: --nosuch\n", "pytest: error: unrecognized arguments: --nosuch"},
		{"help", "    --fail-fast           stop at the first error\n                          or failure, invalid with --all\nunknown option --nosuch\n", "unknown option --nosuch"},
		{"eslint", "\nOops! Something went wrong! :(\n\nESLint: 10.15.0\n\nESLint couldn't find an eslint.config.* file.\n", "ESLint couldn't find an eslint.config.* file."},
		{"one of many that begin alike", strings.Repeat("    a_test.go:3: opened lease\n", 3000) + "    a_test.go:3: lease 7: holder is \"bo\", want \"ada\"\n" + strings.Repeat("    a_test.go:3: opened lease\n", 3000) + "--- FAIL: TestAll (0.01s)\nFAIL\n", "a_test.go:3: lease 7: holder is \"bo\", want \"ada\""},
		{"ctest", strings.Repeat("1: Test timeout computed to be: 10000000\n1: step 1\n", 99) + "\nThe following tests FAILED:\n\t  1 - t0 (Failed)\nErrors while running CTest\n", "The following tests FAILED: 1 - t0 (Failed)"},
		{"a snapshot", "FAIL js/a.test.js\n  ● report\n\n    expect(received).toEqual(expected) // deep equality\n\n    - Expected  - 1\n    + Received  + 1\n", "● report expect(received).toEqual(expected) // deep equality"},
		{"times", "2026-11-22T10:02:03.1234567Z INFO failed to find a cache\n2026-11-22T10:02:04.1234567Z undefined\n2026-11-22T10:02:05.1234567Z gh: Resource not accessible by integration (HTTP 403)\n", "gh: Resource not accessible by integration (HTTP 403)"},
		{"date and time", "2026/11/22 12:52:03 [emerg] 12#12: unknown directive \"lisen\"\n", "[emerg] 12#12: unknown directive \"lisen\""},
		{"an early failure of a long text", "error: no cache for lease 1\n" + strings.Repeat("step 1 of 2 is done: all is well\n", 4000) + "error: lease 2 is held by ada\n", "error: lease 2 is held by ada"},
		{"what make ran", "building\ngenerator: template lease.tmpl is of 2019\nmake: *** [Makefile:3: all] Error 3\n", "generator: template lease.tmpl is of 2019"},
		{"a list before the end", "yarn cache is not found\n" + strings.Repeat("fetched 1 of 2\n", 300) + "$ node check.js\n\n  All files have a form.\n    Format the files listed below:\n\n\nsrc/lease.js\nsrc/store.js\nerror Command failed with exit code 1.\nPost job cleanup.\n", "Format the files listed below: src/lease.js"},
		{"nothing before the end", "##[group]Run make\n##[error]Process completed with exit code 1.\n", "##[error]Process completed with exit code 1."},
		{"a status of no failure", strings.Repeat("step 1 of 2\n", 300) + "ended with exit code 0\n" + strings.Repeat("step 1 of 2\n", 300) + "lease.c is stale\nexit status 3\n", "lease.c is stale"},
		{"a warning", "##[error]Process completed with exit code 1.\n##[warning]Leases of v1 are deprecated and may not work as expected: use v2\n", "##[error]Process completed with exit code 1."},
		{"a warning of a race", "WARNING: DATA RACE\nRead at 0x00c000 by goroutine 7:\n", "WARNING: DATA RACE"},
		{"a heading", "____ ERROR collecting test_lease.py ____\nImportError: no lease\n==== 1 error in 0.1s ====\n", "ImportError: no lease"},
		{"gzip", "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n", "gzip: stdin: not in gzip format"},
		{"rsync", "rsync: --nosuch: unknown option\nrsync error: syntax or usage error (code 1) at main.c(1804) [client=3.2.7]\n", "rsync: --nosuch: unknown option"},
		{"rsync's code", "rsync: [Receiver] mkdir \"/x/y\" failed: No such file or directory (2)\nrsync error: error in file IO (code 11) at main.c(800) [Receiver=3.2.7]\n", "rsync: [Receiver] mkdir \"/x/y\" failed: No such file or directory (2)"},
		{"unittest", "test_a (test_e.T.test_a) ... ERROR\n\n====\nERROR: test_a (test_e.T.test_a)\n----\nTraceback (most recent call last):\n  File \"test_e.py\", line 4, in setUp\n    raise ConnectionError(\"broker 7 is gone\")\nConnectionError: broker 7 is gone\n\n----\nRan 1 test in 0.001s\n\nFAILED (errors=1)\n", "ConnectionError: broker 7 is gone"},
		{"no files", "\nOops! Something went wrong! :(\n\nESLint: 10.15.0\n\nNo files matching the pattern \"x.js\" were found.\nPlease check for typing mistakes in the pattern.\n", "No files matching the pattern \"x.js\" were found."},
		{"go test's log", "--- FAIL: TestLease (0.00s)\n    --- FAIL: TestLease/of_ada (0.00s)\n        a_test.go:5: owner of 250 is \"bo\"\nFAIL\nFAIL\texample.com/a\t0.003s\nFAIL\n", "a_test.go:5: owner of 250 is \"bo\""},
		{"go test -v", "=== RUN   TestStore\n    b_test.go:7: opened lease\n--- PASS: TestStore (0.00s)\n=== RUN   TestLease\n    a_test.go:5: owner of 250 is \"bo\"\n    a_test.go:6: so be it\n--- FAIL: TestLease (0.00s)\n=== RUN   TestOther\n    c_test.go:7: closed\n--- PASS: TestOther (0.00s)\nFAIL\n", "a_test.go:5: owner of 250 is \"bo\""},
		{"go test's results", "--- FAIL: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- FAIL: TestC (0.00s)\nFAIL\n", "--- FAIL: TestA (0.00s)"},
		{"testify", "--- FAIL: TestLease (0.00s)\n    lease_test.go:77: \n        \tError Trace:\t/src/lease_test.go:77\n        \tError:      \tNot equal: \n        \t            \texpected: 30\n        \t            \tactual  : 29\n        \tTest:       \tTestLease\nFAIL\n", "Error:      \tNot equal: expected: 30"},
		{"lua", "lua: a.lua:1: no lease for nil\nstack traceback:\n\ta.lua:1: in main chunk\n", "lua: a.lua:1: no lease for nil"},
		{"terraform", "Error: Terraform encountered problems during initialisation, including problems\nwith the configuration, described below.\n\nError: Unclosed configuration block\n\n  on a.tf line 1:\n", "Error: Unclosed configuration block"},
		{"a test's code", "    with pytest.raises(TypeError, match=msg):\n>       a / b\nE   DeprecationWarning: lease is deprecated\n", "E   DeprecationWarning: lease is deprecated"},
		{"a line like no other", strings.Repeat("試験 7: 合格\n", 400) + "試験 8: 期待値 30 に対して 29\n" + strings.Repeat("試験 9: 合格\n", 400), "試験 8: 期待値 30 に対して 29"},
		{"nothing", "all is well\n12 passed\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w excerpt.Writer
			_, _ = w.Write([]byte(c.text))
			got, weight := w.Best(200)
			if c.want == "" && weight < 20 {
				return
			}
			if got != c.want {
				t.Errorf("got %q (%d), want %q", got, weight, c.want)
			}
		})
	}
}
