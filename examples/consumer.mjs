#!/usr/bin/env node
// Runs a helper that prints {"priorities": [...]} and shows what it found.
//
//   node consumer.mjs COMMAND [ARG...]
//
// envwrap does what a helper would otherwise do for itself: it says how the
// command ended, in one envelope. What is left is to branch on its status.
import { spawnSync } from "node:child_process";

// A program reads it: nothing has to be kept short for an agent's eyes.
const whole = ["--inline-limit", "8MiB", "--budget", "0"];
const run = spawnSync("envwrap", ["-f", "helper/v1", ...whole, "--", ...process.argv.slice(2)], {
  encoding: "utf8",
  stdio: ["inherit", "pipe", "inherit"],
});
if (run.error) fallBack(`envwrap cannot be run: ${run.error.message}`);

let envelope;
try {
  envelope = JSON.parse(run.stdout);
} catch {
  fallBack("the helper printed no envelope");
}
if (String(envelope.schema_version).split(".")[0] !== "1") fallBack(`unknown version ${envelope.schema_version}`);

switch (envelope.status) {
  case "ok":
    show(envelope);
    break;
  case "partial":
    show(envelope);
    console.log(`Sources skipped: ${envelope.skipped_sources.join(", ")}`);
    break;
  case "tool-missing":
    console.log(`${envelope.error.message}\n${envelope.exec.hint}`);
    break;
  default:
    fallBack(`${envelope.error.code}: ${envelope.error.message}`);
}

function show({ priorities }) {
  if (!Array.isArray(priorities)) return fallBack("the helper printed no priorities");
  for (const p of priorities) console.log(`- ${p}`);
}

function fallBack(why) {
  console.error(why);
  console.log("(please look by hand)");
  process.exit(0);
}
