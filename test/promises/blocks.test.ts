import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { parseYaml } from "../../src/core/parse-yaml.ts";
import { serveFabula } from "../e2e/serve-fabula.ts";
import { type Block, blocksOf, blocksOfPages, isCommand, isService, mentionedCommands, PAGES } from "./documents.ts";
import { type Session, startSession } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await startSession(inject("project"));
});
afterAll(() => session.close());
beforeEach(() => {
  session.begin();
  symlinkSync(join(inject("project"), "node_modules"), join(session.folder, "node_modules"), "junction");
});

const write = (name: string, text: string) => {
  mkdirSync(join(session.folder, name, ".."), { recursive: true });
  writeFileSync(join(session.folder, name), text);
};
const run = async (line: string) => {
  const finished = await session.fabula.run(await session.ready(line));
  expect(finished.code, finished.stderr).toBe(0);
  return finished;
};

/** Code is run as it stands; what a reader has to bring along is there. */
async function runCode({ text }: Block): Promise<string> {
  await session.ready("fabula compare novel.epub one.epub two.docx");
  cpSync(join(session.folder, "one.epub"), join(session.folder, "two.docx"));
  cpSync(join(import.meta.dirname, "files", "novel.docx"), join(session.folder, "two.docx"));
  write(
    "brought.mjs",
    "globalThis.saved = []; globalThis.save = (one) => saved.push(one); globalThis.signal = new AbortController().signal;",
  );
  write(
    "code.mjs",
    `import "./brought.mjs";\n${text}\nconsole.log(JSON.stringify(saved.map(({ book }) => book.title)));`,
  );
  return (await run("node code.mjs")).stdout;
}

/** What each block that is no command line shows, by its page and its first line. */
const SHOWN: Readonly<Record<string, (block: Block) => Promise<void>>> = {
  'README.md: import { writeFile } from "node:fs/promises";': async (block) => {
    await runCode(block);
    expect(readFileSync(join(session.folder, "report.html"), "utf8")).toContain("The Ferry at Low Water");
  },
  "docs/guide/README.md: chapters:                        # numbers as `fabula read` shows them before any correction":
    async ({ text }) => {
      const chapters = Array.from({ length: 9 }, (_, at) => {
        const letter = at === 6 ? "\n\nThe second letter came on a Friday, and nobody opened it until the spring." : "";
        return `# Chapter ${at + 1}\n\nOn day ${at + 1} it rained, and the keeper counted ${at + 3} boats before supper.${letter}\n`;
      });
      write("book/manuscript.md", chapters.join("\n"));
      write("book/book.yaml", text);
      const { stdout } = await run("fabula read book/manuscript.md --json");
      const titles = JSON.parse(stdout).books[0].chapters.map(({ title }: { title: string }) => title);
      expect(titles).toEqual([
        "Chapter 2",
        "Chapter 3",
        "Chapter 5",
        "Chapter 6",
        "Chapter 7",
        "The Second Letter",
        "Chapter 8",
        "The Ferry",
      ]);
    },
  "docs/guide/a-close-reading.md: Elena's stolen neural damper": async ({ text }) => {
    const recorded = readFileSync("test/recorded/close-reading/cargo-unknown.jsonl", "utf8");
    const [title, ...claim] = text.slice(0, text.indexOf("“")).trim().split("\n");
    for (const said of [title!, claim.map((line) => line.trim()).join(" ")]) expect(recorded).toContain(said);
  },
  "docs/guide/a-close-reading.md: story:": async ({ text }) => {
    write("book/manuscript.md", "# One\n\nMara looked at the scar on her right hand, and Bess counted the boats.\n");
    write("book/book.yaml", text);
    const { stdout } = await run("fabula read book/manuscript.md --json");
    expect(JSON.parse(stdout).books[0].chapters).toHaveLength(1);
  },
  'docs/guide/models-and-runs.md: import { ask, openRun } from "fabula";': async (block) => void (await runCode(block)),
  "docs/guide/platform-engineers.md: - uses: actions/checkout@v4": async ({ text }) => {
    const steps = z
      .array(z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()) }))
      .parse(parseYaml(text));
    const action = z
      .object({ inputs: z.record(z.string(), z.unknown()) })
      .parse(parseYaml(readFileSync("action.yml", "utf8")));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(steps[1]!.with)));
  },
  "docs/guide/platform-engineers.md: judge: openai:gpt-4.1": async ({ text }) => {
    write("fabula.config.yaml", text);
    cpSync("assets/prices.yaml", join(session.folder, "prices.yaml"));
    const { stdout } = await run("fabula doctor");
    for (const part of ["fabula.config.yaml", "8", "300"]) expect(stdout).toContain(part);
  },
  "docs/guide/platform-engineers.md: id: our-rubric": async ({ text }) => {
    write("our-rubric.yaml", text);
    expect((await run("fabula rubric check our-rubric.yaml")).stdout).toContain("our-rubric");
  },
  'docs/guide/platform-engineers.md: import { evaluateBooks, FabulaError } from "fabula";': async (block) =>
    expect(JSON.parse(await runCode(block))).toHaveLength(2),
  'docs/guide/platform-engineers.md: { "mcpServers": { "fabula": { "command": "npx", "args": ["fabula", "mcp", "--folder", "/path/to/manuscripts"] } } }':
    async ({ text }) => {
      await session.ready("fabula read manuscripts/novel.md");
      const { command, args } = JSON.parse(text).mcpServers.fabula;
      const client = new Client({ name: "promises", version: "1.0.0" });
      const own = args.map((word: string) => word.replace("/path/to", session.folder));
      await client.connect(
        new StdioClientTransport({
          command,
          args: own,
          cwd: inject("project"),
          env: { ...session.fabula.environment },
        }),
      );
      expect((await client.listTools()).tools).toHaveLength(11);
      await client.close();
    },
  'docs/guide/researchers.md: import { agreement, evaluateBooks, stressJudge } from "fabula";': async (block) =>
    void (await runCode(block)),
  "docs/guide/researchers.md: ---": async ({ text }) => {
    write("published/en/judge-summary.md", text);
    const { stdout } = await run(
      "fabula evaluate novel.epub --judge openai:gpt-4o --method summary --preset paper --prompts published/",
    );
    expect(stdout).toMatch(/Plot and structure .*72/);
  },
  "docs/guide/the-model-you-have.md: judge: careful            # who judges when no --judge is given": async ({
    text,
  }) => {
    const own = join(session.home, ".config", "fabula");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "fabula.config.yaml"), text);
    try {
      const { stdout } = await run("fabula models");
      for (const shown of ["Careful reader", "Our 70B", "command:claude -p"]) expect(stdout).toContain(shown);
    } finally {
      rmSync(own, { recursive: true });
    }
  },
  "docs/guide/the-edit-letter.md: characters:": async ({ text }) => {
    cpSync("assets/examples/the-inspector-of-weights.md", join(session.folder, "story.md"));
    const before = await run("fabula map story.md --json");
    write("book.yaml", text);
    const after = await run("fabula map story.md --json");
    const names = ({ stdout }: { stdout: string }) =>
      z
        .object({ characters: z.object({ characters: z.array(z.object({ name: z.string() })) }) })
        .parse(JSON.parse(stdout))
        .characters.characters.map(({ name }) => name);
    expect(names(before)).toContain("Hester");
    expect(names(after)).toContain("Hester Vane");
    expect(names(after)).not.toContain("Hester");
  },
};

const isShell = (language: string) => language === "" || language === "sh";
const blocks = PAGES.flatMap(blocksOf)
  .filter(({ language }) => !isShell(language))
  .map((block) => ({ ...block, name: `${block.page}: ${block.text.split("\n")[0]}` }));

describe("code and settings that the pages show", () => {
  it("are all tried here", () => {
    expect(blocks.map(({ name }) => name).toSorted()).toEqual(Object.keys(SHOWN).toSorted());
  });

  it.each(blocks)("work as they stand: $name", (block) => SHOWN[block.name]!(block));
});

describe("commands within a sentence", () => {
  const commands = Object.keys(inject("help"));

  it.each(PAGES)("exist, with flags that exist: %s", (page) => {
    const wrong = mentionedCommands(page).flatMap((mention) => {
      const words = mention.split(" ");
      const lengths = [3, 2, 1].filter((length) => length <= words.length);
      const name = lengths.map((length) => words.slice(0, length).join(" ")).find((one) => commands.includes(one));
      if (name === undefined)
        return commands.some((one) => one.startsWith(`${words[0]} `)) ? [] : [`fabula ${mention}`];
      const flags = words.flatMap((word) => /^\[?(--[a-z][a-z-]*)/.exec(word)?.[1] ?? []);
      return flags
        .filter((flag) => !new RegExp(`^ +${flag}\\b`, "m").test(inject("help")[name]!))
        .map((flag) => `fabula ${name} ${flag}`);
    });
    expect(wrong).toEqual([]);
  });

  it("are in blocks of their own where they are to be copied", () => {
    for (const page of PAGES) expect(readFileSync(page, "utf8")).not.toMatch(/^ {4}(?:npx )?fabula /m);
  });
});

describe("lines that start other programs", () => {
  /** Of others, who are not installed by Fabula. */
  const OF_OTHERS = ["docker", "pg_dump", "pg_restore", "psql"];
  const { scripts, name } = z
    .object({ name: z.string(), scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const lines = blocksOfPages().flatMap((block) => block.lines.filter((line) => !isCommand(line) && !isService(line)));

  it.each([...new Set(lines)])("%s", async (line) => {
    const words = line.split(" ");
    if (OF_OTHERS.includes(words[0]!)) return;
    if (words[0] === "npm") {
      if (words[1] === "install") return void expect([undefined, name]).toContain(words[2]);
      return void expect(Object.keys(scripts)).toContain(words[1] === "run" ? words[2] : words[1]);
    }
    if (words[0] === "git" || words[0] === "cd") return;
    if (words[0] === "curl") {
      const token = "curl".repeat(8);
      const served = await serveFabula(session.folder, ["--people", "reader:Ben"], { FABULA_TOKEN: token });
      const headers = { authorization: `Bearer ${token}` };
      const path = new URL(words.at(-1)!).pathname;
      const { ok } = await fetch(served.url + path, { method: words[words.indexOf("-X") + 1]!, headers });
      await served.stop("SIGTERM");
      return void expect(ok).toBe(true);
    }
    const file = words.find((word) => /\.(?:ts|mjs)$/.test(word));
    expect(file, `nobody knows what this does: ${line}`).toBeDefined();
    expect(readFileSync(file!, "utf8")).not.toBe("");
  });
});
