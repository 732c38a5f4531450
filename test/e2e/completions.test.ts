import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { TASKS } from "../../src/cli/help.ts";
import { ROOT } from "../../src/cli/registry.ts";
import { runFabula } from "./run-fabula.ts";

const run = promisify(execFile);

/** What bash offers after these words. */
async function offered(script: string, ...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(" ");
  const { stdout } = await run("bash", [
    "-c",
    `${script}\nCOMP_WORDS=(fabula ${typed}); COMP_CWORD=${words.length}; _fabula; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  return stdout.split("\n").filter(Boolean);
}

it("bash completes commands, their members, flags and the values of flags", async () => {
  const { code, stdout: script } = await runFabula(["completions", "bash"]);
  expect(code).toBe(0);
  expect(await offered(script, "eval")).toEqual(["evaluate"]);
  expect(await offered(script, "bench", "pl")).toEqual(["place"]);
  expect(await offered(script, "evaluate", "novel.epub", "--max-c")).toEqual(["--max-cost"]);
  expect(await offered(script, "evaluate", "--method", "summ")).toContain("summary");
  expect(await offered(script, "evaluate", "novel")).toEqual([]);
});

it("zsh and fish get a script too, and another shell a sentence", async () => {
  expect((await runFabula(["completions", "zsh"])).stdout).toMatch(/^#compdef fabula\n/);
  expect((await runFabula(["completions", "fish"])).stdout).toMatch(/complete -c fabula -f .* -a 'evaluate'/);
  const unknown = await runFabula(["completions", "tcsh"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(/bash, zsh or fish/);
});

it("`fabula help evaluate` is its help, the first help lists every command once, and lines break between words", async () => {
  const help = await runFabula(["help", "evaluate"]);
  expect(help).toEqual(await runFabula(["evaluate", "--help"]));
  for (const line of help.stdout.split("\n"))
    if (!line.startsWith("  fabula")) expect(line.length).toBeLessThanOrEqual(100);
  expect(Object.values(TASKS).flat().sort()).toEqual(Object.keys(ROOT.members).sort());
  expect((await runFabula(["--help"])).stdout).toMatch(
    /Judge and improve a book:\n {2}evaluate .*\n {2}check .*\n {2}read /,
  );
});
