import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { COMMON_FLAGS, type Group, isGroup, type Leaf, parseInvocation } from "../src/cli/command.ts";
import { ROOT } from "../src/cli/registry.ts";

const PAGES = ["README.md", "CONTRIBUTING.md", ...globSync(["docs/*.md", "docs/guide/*.md"])].sort();

/** Commands in blocks of code, which a reader may copy: each on one line, however many it was written on. */
function copiedCommands(page: string): string[] {
  const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, block]) =>
    language === "" || language === "sh" ? [block!] : [],
  );
  return blocks
    .flatMap((block) => block.replace(/\\\n\s*/g, " ").split("\n"))
    .flatMap((line) => line.split(/\s\|\s|&&|;/))
    .flatMap((part) => /^\s*(?:[A-Z_]+=\S+\s+)*(?:\$ )?(?:npx )?fabula\s+(.*)$/.exec(part)?.[1] ?? []);
}

/** Commands within a sentence, often with no more than a flag. */
function mentionedCommands(page: string): string[] {
  const prose = page.replace(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/`(?:npx )?fabula ([^`]+)`/g)].flatMap(([, command]) =>
    alternatives(command!.replace(/\s+/g, " ")),
  );
}

/** `runs list|show` stands for two commands. */
function alternatives(command: string): string[] {
  const choice = /[a-z]+(?:\|[a-z]+)+/.exec(command)?.[0];
  return choice === undefined
    ? [command]
    : choice.split("|").flatMap((one) => alternatives(command.replace(choice, one)));
}

/** As a shell would take the line apart, up to a comment or a redirection. */
function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const end = words.findIndex((word) => word.startsWith("#") || /^[0-9]*[<>]/.test(word) || word === "&");
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}

/** The command that these words name, and the words that are left for it. */
function find(words: readonly string[]): { name: string; entry: Leaf | Group; rest: readonly string[] } {
  let entry: Leaf | Group = ROOT;
  let depth = 0;
  while (isGroup(entry) && words[depth] !== undefined) {
    const member: Leaf | Group | undefined = entry.members[words[depth]!];
    if (!member) break;
    entry = member;
    depth += 1;
  }
  return { name: words.slice(0, depth).join(" "), entry, rest: words.slice(depth) };
}

async function complaint(line: string, isWhole: boolean): Promise<string[]> {
  const { name, entry, rest } = find(wordsOf(line));
  if (isGroup(entry)) return rest.every((word) => word.startsWith("-")) ? [] : [`fabula ${line}: no such command`];
  const { flags } = (await entry.load()).default;
  if (isWhole) {
    try {
      parseInvocation(name, flags, rest);
      return [];
    } catch (error) {
      return [`fabula ${line}: ${error instanceof Error ? error.message : error}`];
    }
  }
  const known = { ...flags, ...COMMON_FLAGS };
  return rest
    .flatMap((word) => /^\[?--([a-z][a-z-]*)/.exec(word)?.[1] ?? [])
    .filter((flag) => !(flag in known))
    .map((flag) => `fabula ${line}: no flag --${flag}`);
}

function* leaves(group: Group): Generator<Leaf> {
  for (const member of Object.values(group.members)) {
    if (isGroup(member)) yield* leaves(member);
    else yield member;
  }
}

describe("commands that the documentation shows", () => {
  it.each(PAGES)("are commands that exist, with flags that exist: %s", async (path) => {
    const page = readFileSync(path, "utf8");
    const complaints = await Promise.all([
      ...copiedCommands(page).map((line) => complaint(line, true)),
      ...mentionedCommands(page).map((line) => complaint(line, false)),
    ]);
    expect(complaints.flat()).toEqual([]);
  });

  it("are many: the search for them finds some", () => {
    const all = PAGES.map((path) => readFileSync(path, "utf8"));
    expect(all.flatMap(copiedCommands).length).toBeGreaterThan(30);
    expect(all.flatMap(mentionedCommands).length).toBeGreaterThan(30);
  });

  it("are right in the examples of every --help", async () => {
    for (const leaf of leaves(ROOT)) {
      for (const example of (await leaf.load()).default.examples) {
        expect(example).toMatch(/\bfabula /);
        for (const part of example.split(/\s\|\s|&&/).filter((piece) => piece.trim().startsWith("fabula "))) {
          expect(await complaint(part.trim().slice("fabula ".length), true)).toEqual([]);
        }
      }
    }
  });
});
