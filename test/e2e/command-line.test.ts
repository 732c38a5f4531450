import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Group, isGroup } from "../../src/cli/command.ts";
import { ROOT } from "../../src/cli/registry.ts";
import { runFabula } from "./run-fabula.ts";

function leaves(group: Group, path: readonly string[] = []): string[][] {
  return Object.entries(group.members).flatMap(([name, entry]) =>
    isGroup(entry) ? leaves(entry, [...path, name]) : [[...path, name]],
  );
}

describe("the command line", () => {
  it("lists its commands and exits 0", async () => {
    const { code, stdout } = await runFabula([]);
    expect(code).toBe(0);
    for (const name of Object.keys(ROOT.members)) expect(stdout).toContain(name);
  });

  it.each([
    [["evalute"], /There is no command "evalute"/],
    [["read", "--no-such-flag"], /no-such-flag.*fabula read --help/],
    [["read"], /Give at least one book/],
    [["evaluate", "-"], /^fabula: Standard input is empty/],
  ])("answers %j with one clear sentence and exit 1", async (words, sentence) => {
    const { code, stdout, stderr } = await runFabula(words);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it("starts by its name alone, as npx starts it", () => {
    expect(execFileSync("dist/cli/main.js", ["--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints its version", async () => {
    expect((await runFabula(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("every command", () => {
  it.each(leaves(ROOT).map((words) => [words.join(" "), words] as const))(
    "fabula %s has help with an example",
    async (name, words) => {
      const { code, stdout } = await runFabula([...words, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: fabula ${name}`);
      expect(stdout).toContain("--json");
      expect(stdout).toMatch(/Examples?:\n {2}(\S.*)?fabula /);
    },
  );
});
