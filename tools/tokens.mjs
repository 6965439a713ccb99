// tokens.mjs counts what envelopes cost a model, in tokens of o200k_base.
//
//   npm install --prefix DIR gpt-tokenizer
//   node tools/tokens.mjs DIR ENVWRAP [-v]
//
// It runs commands in the working directory, a clone of envwrap, and prints the
// table of docs/excerpts.md: what an envelope has beyond the tokens of the output
// itself, and how much brief/v1 saves of long output. -v has a line a command.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [dir, envwrap, verbose] = process.argv.slice(2);
if (!dir || !envwrap) {
  console.error("usage: node tokens.mjs DIR ENVWRAP [-v]");
  process.exit(2);
}
const { countTokens } = createRequire(join(resolve(dir), "x.js"))("gpt-tokenizer/encoding/o200k_base");

// Commands that are well and short.
const short = `
true
echo hi
pwd
date
whoami
uname
uname -a
hostname
id
id -u
git status --short
git status
git branch
git branch -a
git log -1
git log -3 --oneline
git log -5 --oneline
git log -5
git rev-parse HEAD
git rev-parse --show-toplevel
git remote
git tag
git diff --stat
git show --stat HEAD
git ls-files excerpt
git config --get core.bare
go version
go env GOOS GOARCH
go list ./excerpt
go list -f {{.Imports}} ./excerpt
go vet ./excerpt
gofmt -l excerpt
wc -l README.md
head -5 README.md
tail -5 README.md
sed -n 1,8p go.mod
cat go.mod
grep -n module go.mod
grep -c func excerpt/choose.go
ls
ls excerpt
ls -l excerpt
find excerpt -name *_test.go
du -s excerpt
stat go.mod
file go.mod
seq 1 20
printf %s\\n one two three
env -i A=1 env
sh -c echo$IFS'"a"\\tb'
`.trim().split("\n").map((line) => line.split(" "));

// Commands with much output, of which some fail: as shell text.
const long = `
git log --stat -150
git log -p -8
git log --oneline; git log --stat -60
git log --format=fuller -200
git ls-files -s
git grep -n func -- '*.go'
git grep -n return -- '*.go' | head -3000
git blame CHANGELOG.md
git diff HEAD~5
git show --stat HEAD~3; git log -p -4
find . -name '*.go' -exec wc -l {} +
ls -lR . | head -3000
find . -type f | sort
cat excerpt/*.go
cat CHANGELOG.md docs/*.md
grep -rn error envelope | head -1500
go doc -all net/http
go list -deps -json ./excerpt
go list -deps -f '{{.ImportPath}} {{.Dir}}' ./... | sort
go test -v -count=1 ./excerpt -short
go test -json -count=1 -short ./excerpt ./detect
go vet ./... ; go build -n ./... 2>&1 | head -2000
for i in $(seq 3000); do echo "$i: compiled src/part$i.c"; done; echo "src/lease.c:12:3: error: unknown type name 'lease_t'"; exit 1
for i in $(seq 4000); do echo "2026-11-20T10:00:00Z INFO request $i done in $((i % 90)) ms"; done; echo 'ERROR: connection to the store was lost'; exit 1
for i in $(seq 900); do echo "src/a.c:$i:5: warning: unused variable 'x$i' [-Wunused-variable]"; done >&2; exit 1
for i in $(seq 2000); do echo "=== RUN   TestCase$i"; echo "--- PASS: TestCase$i (0.00s)"; done; echo '    x_test.go:41: got 3, want 2'; echo 'FAIL'; exit 1
yes 'waiting for the lease' | head -3000; echo timed out; exit 1
seq 1 20000
od -x go.sum | head -3000
cat go.sum go.sum go.sum go.sum; cat internal/app/cli/*/*.go | head -1500
`.trim().split("\n").map((line) => ["bash", "-c", line]);

const store = mkdtempSync(join(tmpdir(), "tokens-"));
const env = { ...process.env, XDG_STATE_HOME: store, ENVWRAP_AGENT: "none", CLAUDECODE: "", CODEX_CI: "" };
const run = (program, args) => spawnSync(program, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
const tokens = (text) => countTokens(text, { allowedSpecial: "all" });

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const row = (name, list, unit = "") => console.log(`| ${name} | ${median(list)}${unit} | ${Math.min(...list)}${unit} | ${Math.max(...list)}${unit} |`);

const forms = { "brief/v1": ["-f", "brief"], "protocol/v1, lean": ["--detail", "lean"], "protocol/v1": ["--detail", "full"] };

function measure(command, options) {
  const raw = run(command[0], command.slice(1));
  const output = raw.stdout + raw.stderr;
  const shown = Object.fromEntries(Object.entries(options).map(([name, args]) => [name, tokens(run(envwrap, [...args, "--", ...command]).stdout)]));
  const tail = tokens(output.split("\n").slice(-201).join("\n"));
  if (verbose) console.log(command.join(" ").slice(0, 60), tokens(output), JSON.stringify(shown), tail);
  return { output: tokens(output), tail, status: raw.status, bytes: output.length, ...shown };
}

try {
  const few = short.map((c) => measure(c, forms)).filter((m) => m.status === 0);
  console.log(`\n| Tokens over the output, ${few.length} short successes | median | least | most |\n|---|---|---|---|`);
  for (const name of Object.keys(forms)) row(name, few.map((m) => m[name] - m.output));

  const lean = few.filter((m) => m["protocol/v1, lean"] - m.output <= 62).length;
  console.log(`\nLean protocol/v1 is at most 62 tokens over in ${lean} of ${few.length}.`);

  const much = long.map((c) => measure(c, { "brief/v1": forms["brief/v1"], "protocol/v1, lean": forms["protocol/v1, lean"] }));
  console.log(`\n| Tokens saved, ${much.length} long outputs | median | least | most |\n|---|---|---|---|`);
  const saved = (of, name) => much.map((m) => Math.round(100 * (1 - m[name] / m[of])));
  row("brief/v1 against the output", saved("output", "brief/v1"), " %");
  row("brief/v1 against its last 200 lines", saved("tail", "brief/v1"), " %");
  row("protocol/v1, lean, against the output", saved("output", "protocol/v1, lean"), " %");
} finally {
  rmSync(store, { recursive: true, force: true });
}
