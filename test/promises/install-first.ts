import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { installedFabula } from "./installed.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder that the packed package was installed in. */
    project: string;
    /** What `--help` of each command says. */
    help: Record<string, string>;
  }
}

/** Optional packages that the documents tell a user to install for what they go on to show. */
const OPTIONAL = ["@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/google", "pg", "pg-copy-streams"];

/** Packs the built package and installs it once for all test files of this folder. */
export default async function installFirst(tests: TestProject): Promise<() => void> {
  const project = mkdtempSync(join(tmpdir(), "fabula-promises-"));
  execFileSync(process.execPath, ["scripts/install-packed.mjs", project], { stdio: ["ignore", "ignore", "inherit"] });
  const modules = join(project, "node_modules");
  for (const name of OPTIONAL) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name), "junction");
  }
  mkdirSync(join(modules, ".bin"), { recursive: true });
  symlinkSync(join("..", "fabula", "dist", "cli", "main.js"), join(modules, ".bin", "fabula"));
  // A browser that says which address it was given.
  mkdirSync(join(project, "bin"));
  writeFileSync(join(project, "bin", "xdg-open"), '#!/bin/sh\necho "$1" > "$HOME/opened"\n');
  chmodSync(join(project, "bin", "xdg-open"), 0o755);

  tests.provide("project", project);
  tests.provide("help", await readHelp(project));
  return () => rmSync(project, { recursive: true, force: true });
}

async function readHelp(project: string): Promise<Record<string, string>> {
  const fabula = await installedFabula({ project, home: join(project, "home"), folder: join(project, "home") });
  const help: Record<string, string> = {};
  const visit = async (command: string) => {
    const { stdout } = await fabula.run(`fabula ${command} --help`);
    const isGroup = /^Usage: fabula (?:.* )?COMMAND/m.test(stdout);
    if (!isGroup)
      help[command] = stdout.includes("--help all")
        ? (await fabula.run(`fabula ${command} --help all`)).stdout
        : stdout;
    else {
      for (const [, member] of stdout.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm))
        await visit(`${command} ${member}`.trim());
    }
  };
  await visit("");
  fabula.close();
  return help;
}
