#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { ENGINE_FLAGS } from "../core/engine-flags.ts";
import { run } from "./run.ts";

hideSecrets(process);
// A user can do nothing about a deprecation warning from a dependency.
process.noDeprecation = !process.env.FABULA_DEBUG;
const [command] = process.argv.slice(2);
// A worker repeats the same work for hours, so for it early compiling pays.
if (command !== "worker" && ENGINE_FLAGS.length > 0) setFlagsFromString(ENGINE_FLAGS.join(" "));
process.exitCode = await run(process.argv.slice(2), process);

/**
 * Removes the database password and the access token from the list of processes, which every user of a machine can
 * read.
 */
function hideSecrets(process: NodeJS.Process): void {
  const words = process.argv.slice(2);
  const hidden = words.map((word, at) => {
    if (words[at - 1] === "--token") return "***";
    return word.replace(/^--token=.*/s, "--token=***").replace(/(:\/\/[^\s:@/]*):[^\s/]*@/g, "$1:***@");
  });
  if (hidden.some((word, at) => word !== words[at])) process.title = ["fabula", ...hidden].join(" ");
}
