#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { run } from "./run.ts";

hideSecrets(process);
// A user can do nothing about a deprecation warning from a dependency.
process.noDeprecation = !process.env.FABULA_DEBUG;
// A book passes through hundreds of functions once. V8 would optimise each after a few milliseconds, which takes a fifth of the
// processor time of a letter and saves less: it waits three times as long, and inlines less. Measured with Node 20; a later V8 may not know the flag.
if (process.versions.v8.startsWith("11."))
  setFlagsFromString("--interrupt-budget=400000 --max-inlined-bytecode-size-cumulative=200");
process.exitCode = await run(process.argv.slice(2), process);

/** Takes the password of a database and the access token out of the list of processes, which every user of a machine can read. */
function hideSecrets(process: NodeJS.Process): void {
  const words = process.argv.slice(2);
  const hidden = words.map((word, at) => {
    if (words[at - 1] === "--token") return "***";
    return word.replace(/^--token=.*/s, "--token=***").replace(/(:\/\/[^\s:@/]*):[^\s/]*@/g, "$1:***@");
  });
  if (hidden.some((word, at) => word !== words[at])) process.title = ["fabula", ...hidden].join(" ");
}
