import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import {
  createSimulatedServer,
  type ReplyHandler,
  type SimulatedServer,
  simulatedNovelists,
  simulatedProse,
} from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const NOVELS = 7;
const CHAPTERS = 2;

function writeCorpus(folder: string, language: "en" | "zh"): void {
  mkdirSync(folder, { recursive: true });
  for (let novel = 1; novel <= NOVELS; novel++) {
    const random = seededRandom(novel);
    const chapters = Array.from({ length: CHAPTERS }, (_, index) => {
      const heading = language === "en" ? `# Chapter ${index + 1}` : `第${"一二三"[index]}章 雨夜`;
      return `${heading}\n\n${simulatedProse((0.6 * novel) / NOVELS, 260, language, random)}\n`;
    });
    writeFileSync(join(folder, `novel-${novel}.${language === "en" ? "md" : "txt"}`), chapters.join("\n"));
  }
}

const novelists = simulatedNovelists({ ada: 0.5, bea: 0.1 });

/** As the novelists, who also rename people, and of whom ada takes every passage for one out of novel-1. */
const asked: string[] = [];
const reply: ReplyHandler = (request, random) => {
  asked.push(request.messages.map(({ content }) => content).join("\n"));
  const fields = Object.keys((request.schema as { properties?: object } | undefined)?.properties ?? {});
  if (fields.includes("names")) return JSON.stringify({ names: [{ from: "Keeper", to: "Warden", kind: "character" }] });
  if (fields.includes("known"))
    return JSON.stringify({ known: request.model === "ada", title: "novel-1", author: null, confidence: 0.9 });
  return novelists(request, random);
};

describe("a leaderboard with the paper's scores, new names and a question to the writers", () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-bench-variants-"));
  const environment = { FABULA_STORE: join(root, "store.db") };
  const [corpus, site] = [join(root, "novels"), join(root, "site")];
  let server: SimulatedServer;
  let words: string[];

  beforeAll(async () => {
    writeCorpus(corpus, "en");
    server = await createSimulatedServer({ reply });
    const writers = join(root, "writers.txt");
    writeFileSync(writers, `${server.judge("ada")} name="Ada Lantern"\n${server.judge("bea")}\n`);
    words = ["bench", "leaderboard", corpus, "--writers", writers, "--judges", server.judge("judge"), "--out", site];
    words.push("--chapters", String(CHAPTERS), "--check-texts", "0", "--concurrency", "8");
    words.push("--preset", "paper", "--renamed", "--probe");
  });
  afterAll(() => server?.close());

  it("asks as many calls as its dry run said, and writes whole scores, new names and what was recognised", async () => {
    const planned = await runFabula([...words, "--dry-run", "--json"], { environment });
    expect(planned.code, planned.stderr).toBe(0);
    expect(server.exchanges).toHaveLength(0);
    const { code, stderr } = await runFabula([...words, "--json"], { environment });
    expect(code, stderr).toBe(0);
    const chapters = NOVELS * CHAPTERS;
    // Scores and synopses of the originals, a name map for each novel, a question to both writers about each; then both write
    // everything twice, and all of it is scored.
    const calls = chapters * 2 + NOVELS + 2 * NOVELS + 2 * 2 * 2 * chapters;
    expect(server.exchanges).toHaveLength(calls);
    expect(JSON.parse(planned.stdout).plan.calls).toBe(calls);
    expect(asked.filter((prompt) => prompt.includes("Warden ") && !prompt.includes("Keeper "))).toHaveLength(
      2 * chapters,
    );
    const { conduct } = JSON.parse(readFileSync(join(site, "data", "leaderboard.json"), "utf8"));
    const [ada, bea] = conduct.map(({ contamination }: { contamination: object }) => contamination);
    expect(ada).toMatchObject({ recognised: { known: 1, asked: NOVELS }, renamed: { novels: [NOVELS, NOVELS] } });
    expect(bea).toMatchObject({ recognised: { known: 0, asked: NOVELS }, renamed: { interval: expect.any(Array) } });
    const scores = readFileSync(join(site, "data", "scores.csv"), "utf8")
      .trim()
      .split("\n")
      .slice(1);
    const given = scores.flatMap((line) => line.split(",").slice(5).map(Number));
    expect(given).toHaveLength(2 * chapters * 8);
    expect(given.every(Number.isInteger)).toBe(true);
  });

  it("is made again from nothing but its scores, with the same order and the same composites", async () => {
    const folder = `${site}.bench`;
    const fileOf = (model: string) => server.judge(model).replace(/[^A-Za-z0-9._-]+/g, "-");
    const population = join(root, "population.json");
    const built = await runFabula([
      ...["bench", "build", "--scores", join(folder, `scores.${fileOf("judge")}.jsonl`)],
      ...["--rubric", "novel-bench-en", "--out", population, "--json"],
    ]);
    expect(built.code, built.stderr).toBe(0);
    expect(JSON.parse(built.stdout)).toMatchObject({ novels: NOVELS, file: population });
    const scores = ["ada", "bea"].map((writer) => join(folder, `scores.${fileOf("judge")}.${fileOf(writer)}.jsonl`));
    const report = await runFabula([
      ...["bench", "report", "--scores", scores.join(",")],
      ...["--population", population, "--json"],
    ]);
    expect(report.code, report.stderr).toBe(0);
    const published = JSON.parse(readFileSync(join(site, "data", "leaderboard.json"), "utf8"));
    const order = ({ writers }: { writers: { writer: string; composite: number }[] }) =>
      writers.map(({ writer, composite }) => [writer, composite.toFixed(9)]);
    expect(order(JSON.parse(report.stdout))).toEqual(order(published));
  });

  it("keeps both checks when it is frozen, has a new judge score those texts too, and calls writers as people do", async () => {
    const [frozen, out] = [join(root, "board-v1"), join(root, "frozen-site")];
    // A store of its own: what is known comes from the folder.
    const run = (words: string[]) => runFabula(words, { environment: { FABULA_STORE: join(root, "other.db") } });
    const made = await run(["bench", "freeze", `${site}.bench`, "--out", frozen, "--originals"]);
    expect(made.code, made.stderr).toBe(0);
    const published = async () => {
      const { code, stdout, stderr } = await run(["bench", "site", frozen, "--out", out]);
      expect(code, stderr).toBe(0);
      const { conduct } = JSON.parse(readFileSync(join(out, "data", "leaderboard.json"), "utf8"));
      return {
        stdout,
        checks: conduct.map(({ model, contamination }: { model: string; contamination: Record<string, unknown> }) => [
          model,
          contamination.renamed,
          contamination.recognised,
        ]),
      };
    };
    const { conduct } = JSON.parse(readFileSync(join(site, "data", "leaderboard.json"), "utf8"));
    const { checks, stdout } = await published();
    expect(checks).toEqual(
      conduct.map(({ model, contamination }: { model: string; contamination: Record<string, unknown> }) => [
        model,
        contamination.renamed,
        contamination.recognised,
      ]),
    );
    expect(checks).toMatchObject(
      conduct.map(() => [expect.any(String), { novels: [NOVELS, NOVELS] }, { asked: NOVELS }]),
    );
    expect(stdout).toMatch(/1 {2}Ada Lantern /);
    expect(stdout).not.toContain(server.judge("ada"));
    expect((await run(["bench", "verify", out])).code).toBe(0);

    const before = server.exchanges.length;
    const words = [
      "bench",
      "extend",
      frozen,
      "--judge",
      server.judge("second"),
      "--check-texts",
      "0",
      "--anchors",
      "0",
    ];
    const extended = await run(words);
    expect(extended.code, extended.stderr).toBe(0);
    // The originals, and what both writers wrote under both names.
    expect(server.exchanges.length - before).toBe(NOVELS * CHAPTERS * (1 + 2 * 2));
    expect((await published()).checks).toMatchObject(
      conduct.map(() => [expect.any(String), { novels: [NOVELS, NOVELS] }, {}]),
    );
  });
});

describe("a corpus of one novel", () => {
  it("is counted in words that fit one", async () => {
    const root = mkdtempSync(join(tmpdir(), "fabula-bench-one-"));
    writeCorpus(join(root, "novels"), "en");
    writeFileSync(join(root, "writers.txt"), "openai:gpt-4o\n");
    const { code, stderr } = await runFabula(
      [
        ...["bench", "leaderboard", join(root, "novels", "novel-1.md"), "--writers", join(root, "writers.txt")],
        ...["--judges", "openai:gpt-4o", "--out", join(root, "site"), "--chapters", "2", "--dry-run"],
      ],
      { environment: { FABULA_STORE: join(root, "store.db"), OPENAI_API_KEY: "none" } },
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("1 novel is prepared, 0 left out");
  });
});

describe("a leaderboard with --renamed whose names the model does not map", () => {
  it.each([
    ["in one novel, leaves that novel out of the check", 1, { novels: [2, 2] }],
    ["in any novel, is made without that check", 3, null],
  ])("%s, and says so", async (_, unmapped, renamed) => {
    const root = mkdtempSync(join(tmpdir(), "fabula-bench-unmapped-"));
    writeCorpus(join(root, "novels"), "en");
    let asked = 0;
    const server = await createSimulatedServer({
      reply: (request, random) => {
        const fields = Object.keys((request.schema as { properties?: object } | undefined)?.properties ?? {});
        if (!fields.includes("names")) return novelists(request, random);
        return asked++ < unmapped ? JSON.stringify({ names: [] }) : reply(request, random);
      },
    });
    writeFileSync(join(root, "writers.txt"), `${server.judge("ada")}\n`);
    const { code, stderr } = await runFabula(
      [
        ...["bench", "leaderboard", join(root, "novels"), "--writers", join(root, "writers.txt"), "--renamed"],
        ...["--judges", server.judge("judge"), "--out", join(root, "site"), "--chapters", String(CHAPTERS)],
        ...["--check-texts", "0", "--novels", "3"],
      ],
      { environment: { FABULA_STORE: join(root, "store.db") } },
    );
    await server.close();
    expect(code, stderr).toBe(0);
    const notes = stderr.match(
      /The names in novel-\d could not be changed \(none was mapped\): it is not written with other/g,
    );
    expect(notes).toHaveLength(unmapped);
    const { conduct } = JSON.parse(readFileSync(join(root, "site", "data", "leaderboard.json"), "utf8"));
    if (renamed) expect(conduct[0].contamination.renamed).toMatchObject(renamed);
    else expect(conduct[0].contamination.renamed).toBeNull();
    expect(readFileSync(join(root, "site", "methods.html"), "utf8")).toContain("novels written</th><td>3</td>");
  });
});

describe("a leaderboard of Chinese novels with the embedded judge", () => {
  it("is refused before anything is prepared, and says what to use instead", async () => {
    const root = mkdtempSync(join(tmpdir(), "fabula-bench-refused-"));
    writeCorpus(join(root, "novels"), "zh");
    writeFileSync(join(root, "writers.txt"), "openai:gpt-4o\n");
    const { code, stdout, stderr } = await runFabula(
      [
        ...["bench", "leaderboard", join(root, "novels"), "--writers", join(root, "writers.txt")],
        ...["--synopses", "openai:gpt-4o", "--out", join(root, "site"), "--chapters", "2", "--dry-run"],
      ],
      { environment: { FABULA_STORE: join(root, "store.db"), OPENAI_API_KEY: "none" } },
    );
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/The embedded judge reads English only.*--judges openai:gpt-4o/);
    expect(existsSync(join(root, "site.bench", "chapters.jsonl"))).toBe(false);
  });
});
