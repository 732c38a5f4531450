import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";

/** The pages that a user reads. */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "examples/README.md",
  ...globSync(["docs/*.md", "docs/guide/*.md"]).sort(),
];

export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** Command lines that a reader may copy, without their comments. */
export interface DocumentedBlock {
  /** "docs/guide/leaderboard.md, block 2" or "fabula read --help". */
  readonly where: string;
  readonly lines: readonly string[];
}

export function blocksOf(page: string): Block[] {
  return [...readFileSync(page, "utf8").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({
      page,
      language,
      text,
    }),
  );
}

/** The commands that the pages show. */
export function blocksOfPages(): DocumentedBlock[] {
  return PAGES.flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === "" || language === "sh")
      .map(({ text }, at) => ({ where: `${page}, block ${at + 1}`, lines: commandsIn(text) })),
  ).filter(({ lines }) => lines.length > 0);
}

/** The examples of every `--help`. */
export function blocksOfHelp(help: Readonly<Record<string, string>>): DocumentedBlock[] {
  return Object.entries(help).map(([command, text]) => ({
    where: `fabula ${command} --help`,
    lines: commandsIn(/^Examples?:\n([\s\S]*)$/m.exec(text)?.[1] ?? ""),
  }));
}

/** Blocks with the lines that `isWanted` accepts, each line where it comes first. */
export function selectLines(
  blocks: readonly DocumentedBlock[],
  isWanted: (line: string) => boolean,
  seen: Set<string> = new Set(),
): DocumentedBlock[] {
  return blocks
    .map(({ where, lines }) => ({
      where,
      lines: lines.filter((line) => isWanted(line) && !seen.has(line) && seen.add(line)),
    }))
    .filter(({ lines }) => lines.length > 0);
}

/** Of this program, and done when it has printed its result: everything but servers, workers and what needs a database server. */
export function isCommand(line: string): boolean {
  return /(?:^|[|(] ?)fabula /.test(line) && !isService(line);
}

export function isService(line: string): boolean {
  return /\bfabula (?:serve|mcp|worker|limits)\b|postgres:\/\//.test(line);
}

/** Commands within a sentence, often with no more than a flag: "`fabula runs list|show`" is two. */
export function mentionedCommands(page: string): string[] {
  const prose = readFileSync(page, "utf8").replace(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/`(?:npx )?fabula ([^`]+)`/g)].flatMap(([, command]) =>
    alternatives(command!.replace(/\s+/g, " ")),
  );
}

function alternatives(command: string): string[] {
  const choice = /[a-z]+(?:\|[a-z]+)+/.exec(command)?.[0];
  return choice === undefined
    ? [command]
    : choice.split("|").flatMap((one) => alternatives(command.replace(choice, one)));
}

function commandsIn(text: string): string[] {
  return text
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) =>
      line
        .replace(/\s+#\s.*$/, "")
        .replace(/\s{2,}\(.*\)$/, "")
        .trim()
        .replace(/\s+/g, " ")
        .replace(/\bnpx fabula\b/, "fabula"),
    )
    .filter((line) => line !== "" && !line.startsWith("#"));
}
