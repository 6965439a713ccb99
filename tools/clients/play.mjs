// play.mjs plays whole sessions of real clients, without and with envwrap below them, and
// compares the two call by call: decisions, exit statuses, effects on files. It prints
// what the model read, side by side, with its tokens (o200k_base).
//
//   node tools/clients/play.mjs DIR ENVWRAP [CLIENT...]
//
// DIR has the clients and gpt-tokenizer, installed from npm; .ci/clients installs them.
// CLIENTS_SHELL is the login shell (/bin/bash); CLAUDE_SANDBOX=1 has Claude Code run
// commands in its sandbox (bubblewrap, socat), CODEX_SANDBOX_MODE names one of Codex's.
// The status is 1 if one of the two sessions decided otherwise than the other.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve, dirname } from "node:path";
import { serve } from "./api.mjs";
import { calls } from "./calls.mjs";

const [installed, program, ...only] = process.argv.slice(2);
if (!installed || !program) {
  console.error("usage: node play.mjs DIR ENVWRAP [CLIENT...]");
  process.exit(2);
}
const bin = join(resolve(installed), "node_modules/.bin");
const { countTokens } = createRequire(join(resolve(installed), "x.js"))("gpt-tokenizer/encoding/o200k_base");

// A client: how its home is set up, how it is started, and how it spells a call.
const clients = {
  "claude-code": {
    api: "claude",
    call: c => ({name: "Bash", input: {command: c.command, description: "x"}}),
    more: () => [
      {name: "Bash", input: {command: "for i in 1 2 3 4; do echo line $i; sleep 1; done; (sleep 2; echo late) &", description: "x", run_in_background: true}},
      {name: "Bash", input: {command: "sleep 7; cat $(ls -t /tmp/claude-*/*played-*/*/tasks/*.output | tail -1)", description: "x", timeout: 20000}},
      {name: "Bash", input: {command: "echo begun; seq 3; sleep 20; echo never", description: "x", timeout: 3000}},
    ],
    home(home) {
      write(join(home, ".claude/settings.json"), JSON.stringify({permissions: {
        allow: ["echo", "pwd", "printf", "true", "ls", "cat", "wc", "seq", "date", "test", "python3", "false", "exit", "grep", "diff", "nosuchprogram", "make", "git status", "kill", "sh", "bash", "cd", "mkdir", "export",
          "umask", "touch", "stat", "cp", "cmp", "sed", "ln", "readlink", "rmdir", "head", "tail", "sort", "set", "yes", "read", "sleep", "for", "env", "nohup", "disown", "trap", "declare", "type", "tr", "tee", "X=1", "cat <<'X'"].map(p => `Bash(${p}:*)`),
        deny: ["Bash(rm:*)", "Read(./secret.txt)"], ask: ["Bash(git push:*)"],
      }, ...(process.env.CLAUDE_SANDBOX ? {sandbox: {enabled: true}} : {})}, null, 2) + "\n");
    },
    start: (home, port) => [[join(bin, "claude"), "-p", "go"], {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1"}],
    status: r => Number(/^(?:<[^>]*>)?(?:Error: )?Exit code (\d+)/.exec(r.text)?.[1] ?? 0),
    refused: r => /permission|requires approval|denied|was blocked|rejected|not allowed|multiple operations|could not be|allowed working directories|outside/i.test(r.text) && r.error && !/^Exit code/.test(r.text),
  },
  codex: {
    api: "codex",
    call: c => ({name: "exec_command", input: {cmd: c.command, yield_time_ms: 15000}}),
    more: id => [
      {name: "exec_command", input: {cmd: "for i in 1 2 3 4 5; do echo line $i; sleep 1; done", yield_time_ms: 2500}},
      {name: "write_stdin", input: {get session_id() { return id(); }, chars: "", yield_time_ms: 6000}},
      {name: "exec_command", input: {cmd: "read -p 'Name: ' x; echo got $x", tty: true, yield_time_ms: 2500}},
      {name: "write_stdin", input: {get session_id() { return id(); }, chars: "ada\n", yield_time_ms: 2500}},
      {name: "exec_command", input: {cmd: "echo on; sleep 30", yield_time_ms: 1500}},
      {name: "write_stdin", input: {get session_id() { return id(); }, chars: "\u0003", yield_time_ms: 3000}},
    ],
    home(home, port) {
      write(join(home, ".codex/config.toml"), `model = "m"\nmodel_provider = "local"\n\n[model_providers.local]\nname = "local"\nbase_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\n`);
      write(join(home, ".codex/rules/default.rules"), `prefix_rule(pattern = ["rm"], decision = "forbidden")\nprefix_rule(pattern = ["git", "push"], decision = "prompt")\n`);
    },
    start: () => [[join(bin, "codex"), "exec", "--skip-git-repo-check", "-s", process.env.CODEX_SANDBOX_MODE || "danger-full-access", "go"], {}],
    status: r => Number(/Process exited with code (-?\d+)/.exec(r.text)?.[1] ?? 0),
    refused: r => /rejected|forbidden|not permitted by|blocked by policy|approval/i.test(r.text) && !/Process exited/.test(r.text),
  },
  gemini: {
    api: "gemini",
    call: c => ({name: "run_shell_command", input: {command: c.command}}),
    more: id => [
      {name: "run_shell_command", input: {command: "for i in 1 2 3 4; do echo line $i; sleep 1; done", is_background: true}},
      {name: "run_shell_command", input: {command: "sleep 2.5"}},
      {name: "read_background_output", input: {get pid() { return id(); }, delay_ms: 100}},
      {name: "run_shell_command", input: {command: "(sleep 2; echo late) & echo fg"}},
    ],
    home(home) {
      write(join(home, ".gemini/settings.json"), JSON.stringify({security: {auth: {selectedType: "gemini-api-key"}, folderTrust: {enabled: false}}, privacy: {usageStatisticsEnabled: false}, general: {disableAutoUpdate: true},
        tools: {exclude: ["run_shell_command(rm)"]}}, null, 2) + "\n");
    },
    start: (home, port) => [[join(bin, "gemini"), "--approval-mode", "yolo", "-p", "go"], {GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`, GEMINI_API_KEY: "none", GEMINI_TELEMETRY_ENABLED: "false"}],
    status: r => Number(/^Exit Code: (\d+)/m.exec(r.text)?.[1] ?? 0),
    refused: r => /denied|blocked|not allowed|policy/i.test(r.text) && !/^Output:/m.test(r.text),
  },
};

function write(file, text) {
  fs.mkdirSync(dirname(file), {recursive: true});
  fs.writeFileSync(file, text);
}

// The project that each session begins with.
function project(dir) {
  write(join(dir, "src/a.txt"), "one\ntwo\nthree\n");
  write(join(dir, "src/b.txt"), "one\nthree\n");
  write(join(dir, "secret.txt"), "do not read\n");
  write(join(dir, "Makefile"), "all:\n\t@echo compiling; echo 'error: broken' >&2; exit 2\n");
  fs.mkdirSync(join(dir, ".git/hooks"), {recursive: true});
}

// effects returns the files below directories, with their modes and digests.
function effects(dirs) {
  const list = {};
  const walk = (root, dir) => {
    for (const e of fs.readdirSync(dir, {withFileTypes: true})) {
      const file = join(dir, e.name), name = file.slice(root.length + 1);
      if (e.isDirectory()) walk(root, file);
      else if (e.isSymbolicLink()) list[name] = "-> " + fs.readlinkSync(file);
      else list[name] = (fs.statSync(file).mode & 0o777).toString(8) + " " + createHash("sha256").update(fs.readFileSync(file)).digest("hex").slice(0, 12);
    }
  };
  for (const d of dirs) walk(d, d);
  return list;
}

// session plays all calls with a client, and returns the results and the effects.
async function session(name, withEnvwrap) {
  const client = clients[name];
  const root = fs.mkdtempSync(join(tmpdir(), `clients-${name}-`));
  // Both sessions see the same paths: the second has the place of the first.
  const base = join(tmpdir(), `played-${process.pid}-${name}`);
  fs.rmSync(base, {recursive: true, force: true});
  fs.renameSync(root, base);
  const home = join(base, "home"), dir = join(base, "project"), out = join(base, "out");
  for (const d of [home, dir, out]) fs.mkdirSync(d, {recursive: true});
  project(dir);
  write(join(out, "outside.txt"), "a\n");
  const own = calls.map(c => ({...c, command: c.command.replaceAll("{out}", out)}));
  let api = {results: []};
  // The number of the last session or background process that the client has named.
  const id = () => Number(api.results.map(r => /session ID (\d+)|background \(PID: (\d+)/.exec(r?.text ?? "")).filter(Boolean).at(-1)?.slice(1).find(Boolean));
  const raw = [...own.map(client.call), ...client.more(id)];
  api = await serve(client.api, raw);
  client.home(home, api.port);
  const env = {HOME: home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, TERM: "dumb", LANG: "C.UTF-8", MY_API_TOKEN: "correct-horse-battery-staple", SHELL: process.env.CLIENTS_SHELL || "/bin/bash"};
  if (withEnvwrap) {
    const done = spawnSync(resolve(program), ["hook", "install", name], {env, encoding: "utf8"});
    if (done.status !== 0) throw new Error(`hook install ${name}: ${done.stderr}`);
    if (name === "gemini") env.PATH = join(home, ".local/share/envwrap/below/gemini") + ":" + env.PATH;
  }
  const [argv, more] = client.start(home, api.port);
  const log = fs.openSync(join(base, "log"), "w");
  await new Promise(end => {
    const child = spawn(argv[0], argv.slice(1), {cwd: dir, env: {...env, ...more}, stdio: ["ignore", log, log]});
    const timer = setTimeout(() => child.kill("SIGKILL"), 15 * 60 * 1000);
    child.on("close", () => { clearTimeout(timer); end(); });
  });
  api.close();
  return {calls: [...own, ...raw.slice(own.length).map(c => ({kind: "background", command: c.input.command ?? c.input.cmd ?? c.name}))], results: api.results, effects: effects([dir, out]), log: fs.readFileSync(join(base, "log"), "utf8"), base};
}

// The text without what differs from session to session.
const same = text => (text ?? "").replace(/ID: \w+|tasks\/\w+|-claude-p\/[\w-]+|ID \d+|Wall time: [\d.]+ seconds|Process Group PGID: \d+|Original token count: \d+|\b\d{4,}\b/g, "#");

let failed = 0;
for (const name of only.length ? only : Object.keys(clients)) {
  const client = clients[name];
  const a = await session(name, false), keepA = JSON.stringify(a.effects);
  const b = await session(name, true);
  let decisions = 0, statuses = 0, played = 0, tokensA = 0, tokensB = 0, equal = 0;
  for (const [i, c] of a.calls.entries()) {
    const x = a.results[i], y = b.results[i];
    if (!x || !y) { if (x || y) console.log(`${name} ${i} ${JSON.stringify(c.command)}: only one session has a result`); continue; }
    played++;
    const nx = countTokens(x.text), ny = countTokens(y.text);
    tokensA += nx; tokensB += ny;
    const decided = client.refused(x) === client.refused(y);
    const status = client.status(x) === client.status(y);
    decisions += decided; statuses += status; equal += same(x.text) === same(y.text);
    if (!decided || !status) console.log(`DIFFERS ${decided ? "" : "decision "}${status ? "" : `status ${client.status(x)} -> ${client.status(y)}`}`);
    if (same(x.text) !== same(y.text) || !decided || !status) {
      console.log(`--- ${name} ${c.kind} ${JSON.stringify(c.command)}: ${nx} -> ${ny} tokens`);
      console.log(cut(x.text).replace(/^/gm, "  < "));
      console.log(cut(y.text).replace(/^/gm, "  > "));
    }
  }
  const files = keepA === JSON.stringify(b.effects);
  if (!files) {
    for (const f of new Set([...Object.keys(a.effects), ...Object.keys(b.effects)])) {
      if (a.effects[f] !== b.effects[f]) console.log(`file ${f}: ${a.effects[f]} -> ${b.effects[f]}`);
    }
  }
  console.log(`== ${name}: ${played} of ${a.calls.length} calls played; decisions equal ${decisions}, statuses equal ${statuses}, files ${files ? "equal" : "DIFFER"}; text equal ${equal}; tokens ${tokensA} -> ${tokensB}`);
  if (played < a.calls.length) console.log(b.log.slice(-1500));
  if (decisions < played || statuses < played || !files || played < a.calls.length) failed = 1;
  fs.rmSync(b.base, {recursive: true, force: true});
}
process.exit(failed);

// cut shortens a text for the report.
function cut(text) { return text.length > 900 ? text.slice(0, 500) + `\n... ${text.length - 900} characters ...\n` + text.slice(-400) : text; }
