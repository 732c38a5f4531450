import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { draftOf } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

let folder: string;
let server: SimulatedServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fabula-flags-"));
  server = await createSimulatedServer();
  writeFileSync(join(folder, "novel.md"), draftOf("The Novel", 2));
  writeFileSync(join(folder, "other.md"), draftOf("The Other", 1));
  writeFileSync(join(folder, "a.jsonl"), `${JSON.stringify({ prediction: "a lamp", answers: ["a lamp"] })}\n`);
  writeFileSync(join(folder, "b.jsonl"), `${JSON.stringify({ prediction: "a boat", answers: ["a lamp"] })}\n`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const fabula = (...words: string[]) =>
  runFabula(words, { folder, environment: { FABULA_STORE: join(folder, "calls.db") } });

async function sentenceFor(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await fabula(...words);
  expect({ code, stdout, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, stdout: "", lines: 1 });
  return stderr;
}

describe("--out", () => {
  it.each(["evaluate", "check", "map"])("of %s never replaces the manuscript that is read", async (command) => {
    const before = readFileSync(join(folder, "novel.md"), "utf8");
    const said = await sentenceFor(command, "novel.md", "--out", join(folder, ".", "novel.md"));
    expect(said).toContain("would overwrite what is read: give another name");
    expect(readFileSync(join(folder, "novel.md"), "utf8")).toBe(before);
  });
});

describe("a dry run with the embedded judge", () => {
  it("judges nothing, says what would be done and that it costs nothing", async () => {
    const { code, stdout } = await fabula("evaluate", "novel.md", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing was judged\. .*“The Novel” \(2 chapters\).*no cost\.\n$/);
    const json = await fabula("evaluate", "novel.md", "other.md", "--dry-run", "--json");
    expect(JSON.parse(json.stdout).plan).toMatchObject({ calls: 0, expectedCost: 0, maximumCost: 0 });
  });

  it("compares nothing", async () => {
    const { code, stdout } = await fabula("compare", "novel.md", "other.md", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing was judged\. .*“The Novel” .*“The Other” .*no cost\.\n$/);
  });

  it("names the book that cannot be read", async () => {
    const { code, stderr } = await fabula("evaluate", "novel.md", "missing.md", "--dry-run");
    expect(code).toBe(3);
    expect(stderr).toContain("missing.md: ");
  });
});

describe("what is given several times", () => {
  it.each([
    ["as a shell expands --in *.jsonl", ["--in", "a.jsonl", "b.jsonl"]],
    ["with --in twice", ["--in", "a.jsonl", "--in", "b.jsonl"]],
  ])("qa score scores every file and says which is which, %s", async (_how, words) => {
    const { code, stdout } = await fabula("qa", "score", ...words, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).files).toMatchObject([
      { file: "a.jsonl", items: 1, metrics: { em: 1 } },
      { file: "b.jsonl", items: 1, metrics: { em: 0 } },
    ]);
    const text = (await fabula("qa", "score", ...words)).stdout;
    expect(text).toMatch(/a\.jsonl: 1 answer\n[\s\S]*b\.jsonl: 1 answer\n/);
  });
});

describe("a panel with an embedded judge", () => {
  it("is refused with a sentence that is true", async () => {
    const sentence = await sentenceFor("evaluate", "novel.md", "--panel", `grader,${server.judge("m")}`);
    expect(sentence).toContain("A panel is made of language models");
    expect(sentence).not.toContain("is not a judge");
  });

  it("stress with an embedded judge has no cap to keep", async () => {
    expect(await sentenceFor("stress", "novel.md", "--max-cost", "1")).toMatch(
      /^fabula: --max-cost is for language models/,
    );
  });

  it("names what to write where a language model is needed", async () => {
    const sentence = await sentenceFor("probe", "novel.md", "--judge", "grader");
    expect(sentence).toContain("name a language model");
    expect(sentence).not.toContain("is not a judge");
  });
});

describe("a new draft against an earlier run", () => {
  it("takes the title that is given for it", async () => {
    const judging = ["--judge", server.judge("m"), "--json"];
    const first = await fabula("evaluate", "novel.md", ...judging, "--method", "one-pass", "--runs", "1");
    const { run } = JSON.parse(first.stdout);
    const next = await fabula(
      "evaluate",
      "novel.md",
      ...judging,
      "--against",
      run,
      "--title",
      "Retitled",
      "--author",
      "A. N.",
    );
    expect(JSON.parse(next.stdout).book).toMatchObject({ title: "Retitled", author: "A. N." });
  });
});

describe("a name with escape sequences", () => {
  it("reaches the terminal with every control character made visible", async () => {
    const hostile = "\u001b]0;owned\u0007\u009b31m.md";
    writeFileSync(
      join(folder, "hostile.md"),
      `---\ntitle: "Red \\e[31m \\u202e title"\n---\n\n${readFileSync(join(folder, "other.md"), "utf8")}`,
    );
    const outputs = [
      await fabula("evaluate", hostile),
      await fabula("evaluate", "hostile.md"),
      await fabula("evaluate", "hostile.md", "--dry-run"),
      await fabula("forecast", hostile),
      await fabula(`evaluate\u001b[2J`),
    ];
    for (const { stdout, stderr } of outputs) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(outputs[0]!.stderr).toContain("\\u001b]0;owned\\u0007");
  });
});
