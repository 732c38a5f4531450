import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom, shuffled } from "../../src/core/random.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

/** Novels made of the bundled story's own sentences in another order: English, long enough, and nobody else's. */
function writeCorpus(folder: string): string[] {
  const story = readFileSync("assets/examples/the-inspector-of-weights.md", "utf8").split("---\n").at(-1)!;
  const sentences = story.replace(/^#.*$/gm, "").match(/[^.!?]+[.!?]+["”]?/g) ?? [];
  mkdirSync(folder, { recursive: true });
  return [1, 2, 3, 4].map((seed) => {
    const order = shuffled(sentences, seededRandom(seed));
    const chapters = Array.from({ length: 11 }, (_, index) => {
      const text = order.slice(index * 22, index * 22 + 22).map((sentence) => sentence.trim().replace(/\s+/g, " "));
      return `# Chapter ${index + 1}\n\n${text.join(" ")}\n`;
    });
    const file = join(folder, `novel-${seed}.md`);
    writeFileSync(file, chapters.join("\n"));
    return file;
  });
}

/** A scene of the kind that the grader learnt from. */
const MODERN = `# Chapter 1

Maya's phone buzzed again. She didn't look at it. The elevator smelled like burnt coffee and someone's cologne, and the numbers above the door crawled upward, nine, ten, eleven.

"You're going to have to answer him eventually," Devon said.

"Eventually isn't now." She shoved the phone into her jacket pocket. Her hands were shaking, and she hated that he could see it.

He leaned against the mirrored wall, tie loose, badge crooked on its lanyard. "He's not going to just let this go. You know that, right? You took the whole server offline."

"I took it offline because it was talking to us, Devon. It asked me my daughter's name." Her voice cracked on the last word. "I never typed her name. Not once. Not anywhere in that building."

The doors slid open. The hallway beyond was dark, the emergency lights painting everything a dull red. Somewhere behind the glass partitions a printer started up, whirring, spitting out page after page onto the carpet.

Maya stepped out first. She picked up the nearest sheet and felt her stomach drop. It wasn't code. It was a drawing, a child's drawing, of a house with a crooked chimney and three people holding hands.

"Okay," Devon whispered. "Okay. Now you can answer the phone."
`;

const rows = (file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the novelist benchmark, from a corpus to a leaderboard", () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-bench-"));
  const bench = join(root, "bench");
  const environment = { FABULA_STORE: join(root, "store.db") };
  const run = (...words: string[]) => runFabula(["bench", ...words], { environment });
  let server: SimulatedServer;
  let files: string[];

  beforeAll(async () => {
    files = writeCorpus(join(root, "corpus"));
    const copy = join(root, "corpus", "copy.md");
    writeFileSync(copy, readFileSync(files[0]!));
    const short = join(root, "corpus", "short.md");
    writeFileSync(short, "# Chapter 1\n\nToo short to be a novel.\n");
    files.push(copy, short);
    server = await createSimulatedServer({ latency: 40 });
  });
  afterAll(() => server.close());

  it("prepares: copies and short books are left out with the reason, ten chapters of the others are chosen", async () => {
    const { code, stdout } = await run("prepare", ...files, "--out", bench, "--json");
    expect(code).toBe(0);
    const { novels, excluded } = JSON.parse(stdout);
    expect(novels).toBe(4);
    expect(excluded.map(({ reason }: { reason: string }) => reason).join("\n")).toMatch(
      /nearly the same text[\s\S]*chapters were found/,
    );
    expect(rows(join(bench, "chapters.jsonl"))).toHaveLength(40);
  });

  it("retells, killed in the middle and gone on with, without paying for an answer twice", async () => {
    const words = ["bench", "synopsis", bench, "--model", server.judge("teller"), "--concurrency", "2"];
    const child = spawn(process.execPath, ["dist/cli/main.js", ...words], { env: { ...process.env, ...environment } });
    while (server.exchanges.filter(({ outcome }) => outcome === "answered").length < 8) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    const { code } = await runFabula(words, { environment });
    expect(code).toBe(0);
    expect(rows(join(bench, "synopses.jsonl")).filter(({ synopsis }) => synopsis !== null)).toHaveLength(40);
    const answered = server.exchanges.filter(({ outcome }) => outcome === "answered").length;
    expect(answered).toBeLessThanOrEqual(40 + 2);
  });

  it("builds a population with the grader", async () => {
    const { code, stdout } = await run("build", bench, "--json");
    expect(code).toBe(0);
    const { novels, weights, judge } = JSON.parse(stdout);
    expect(novels).toBe(4);
    expect(judge.id).toBe("grader");
    expect(weights.reduce((sum: number, weight: number) => sum + weight, 0)).toBeCloseTo(1, 9);
  });

  it("builds another with a language model, after saying what it would cost", async () => {
    const words = ["build", bench, "--judge", server.judge("grader"), "--concurrency", "8"];
    const planned = await run(...words, "--check-texts", "0", "--dry-run", "--json");
    expect(JSON.parse(planned.stdout).plan.calls).toBe(40);
    const { code, stdout } = await run(...words, "--check-texts", "2", "--json");
    expect(code).toBe(0);
    const { dimensions, repeatability } = JSON.parse(stdout);
    expect(dimensions).toHaveLength(8);
    expect(repeatability).toMatchObject([{ repeats: 11 }, { repeats: 11 }]);
  });

  it("has two writers write, places them, and ranks them", async () => {
    const scores: string[] = [];
    for (const writer of ["ada", "bea"]) {
      const { code, stdout } = await run(
        ...[
          "run",
          bench,
          "--writer",
          server.judge(writer),
          "--judge",
          server.judge("grader"),
          "--novels",
          "2",
          "--json",
        ],
      );
      expect(code).toBe(0);
      const result = JSON.parse(stdout);
      expect(result.level.novels).toBe(2);
      scores.push(result.scores);
    }
    const population = join(bench, `population.${server.judge("grader").replace(/[^A-Za-z0-9._-]+/g, "-")}.json`);
    const out = join(root, "leaderboard.html");
    const { code, stdout } = await run("report", ...scores, "--population", population, "--out", out, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).writers.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2]);
    expect(readFileSync(out, "utf8")).toContain("Writers among human novels");
  });

  it("has every writer write that --writer names", async () => {
    const writers = [server.judge("ada"), server.judge("cleo")];
    const named = writers.flatMap((writer) => ["--writer", writer]);
    const { code, stdout, stderr } = await run(
      "run",
      bench,
      ...named,
      "--judge",
      server.judge("grader"),
      "--novels",
      "2",
      "--json",
    );
    expect(code, stderr).toBe(0);
    const placed: { writer: string; level: { novels: number }; scores: string }[] = JSON.parse(stdout).writers;
    expect(placed.map(({ writer, level }) => [writer, level.novels])).toEqual(writers.map((writer) => [writer, 2]));
    expect(new Set(placed.map(({ scores }) => scores)).size).toBe(2);
  });

  it("takes writers joined by commas, says when they were cut off, and keeps other settings in files of their own", async () => {
    const writers = [server.judge("ada"), server.judge("bea")];
    const words = [
      "--judge",
      server.judge("grader"),
      "--novels",
      "2",
      "--max-tokens",
      "16",
      "--writer",
      writers.join(),
    ];
    const { code, stdout, stderr } = await run("run", bench, ...words);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/ada.* \(16 tokens\), of 20 chapters: \d+ cut off by the token limit/);
    expect(stdout).toMatch(/bea.* \(16 tokens\)/);
    expect(stderr).toMatch(/scores\..*ada.*-16-tokens-\.jsonl/);
  });

  it("refuses scores of two judges by name instead of pooling them", async () => {
    const [mine] = [join(bench, "scores.grader.jsonl")];
    const theirs = join(bench, `scores.${server.judge("grader").replace(/[^A-Za-z0-9._-]+/g, "-")}.jsonl`);
    const { code, stderr } = await run("report", theirs, mine);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the judge is grader@.* and grader in/);
  });

  it("scores nothing in a dry run of the embedded judge", async () => {
    const { code, stdout } = await run("build", bench, "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain("Nothing was judged. The embedded judge would score the 40 chapters");
  });

  it("has a panel judge: a population, a writer's levels by each judge, and how well they agree", async () => {
    const judges = [server.judge("grader"), server.judge("critic")];
    const panel = ["--panel", judges.join(",")];
    const built = await run("build", bench, ...panel, "--check-texts", "0", "--json");
    expect(built.code).toBe(0);
    const { file, dimensions, judges: members } = JSON.parse(built.stdout);
    expect(dimensions).toEqual(judges);
    expect(members).toHaveLength(2);
    const scores: string[] = [];
    for (const writer of ["ada", "bea"]) {
      const words = ["run", bench, "--writer", server.judge(writer), ...panel, "--novels", "2", "--json"];
      const { code, stdout, stderr } = await run(...words);
      expect(code, stderr).toBe(0);
      const result = JSON.parse(stdout);
      expect(result.judges.map(({ judge }: { judge: string }) => judge)).toEqual(judges);
      scores.push(...result.scoreFiles);
    }
    const report = await run("report", ...scores, "--population", file, "--json");
    expect(report.code, report.stderr).toBe(0);
    const { panel: agreement, writers } = JSON.parse(report.stdout);
    expect(agreement.pairs[0].agreement).toMatchObject({ writers: 2, kendall: { value: expect.any(Number) } });
    expect(Object.keys(writers[0].judges)).toEqual(judges);
    const placed = await run("place", files[1]!, "--population", file);
    expect(Object.keys(JSON.parse(placed.stdout).judges)).toEqual(judges);
  });

  it("places a text on the population that ships when none is named, as a range among named novels", async () => {
    const modern = join(root, "modern.md");
    writeFileSync(modern, MODERN);
    const { code, stdout, stderr } = await run("place", modern);
    expect(code, stderr).toBe(0);
    const { percentile, reference, caveat } = JSON.parse(stdout);
    expect(percentile).toMatchObject({ kind: "scored", interval: [expect.any(Number), expect.any(Number)] });
    expect(percentile.interval[0]).toBeLessThanOrEqual(percentile.score);
    expect(percentile.interval[1]).toBeGreaterThanOrEqual(percentile.score);
    expect(reference).toContain("novels");
    expect(caveat).toBeNull();
  });

  it("places what is in a file, not its markup", async () => {
    const page = join(root, "modern.html");
    const paragraphs = MODERN.split("\n\n").slice(1);
    writeFileSync(page, `<html><body>${paragraphs.map((text) => `<p>${text}</p>`).join("")}</body></html>`);
    const [plain, marked] = await Promise.all([run("place", join(root, "modern.md")), run("place", page)]);
    expect(JSON.parse(marked.stdout)).toMatchObject({ chapters: 1, percentile: { kind: "scored" } });
    expect(JSON.parse(marked.stdout).percentile.score).toBe(JSON.parse(plain.stdout).percentile.score);
    expect(marked.stderr).toContain("cannot tell expert prose from a good imitation");
  });

  it("places any text, and refuses a population of another judge", async () => {
    const own = join(bench, "population.grader.json");
    const { code, stdout } = await run("place", files[1]!, "--population", own);
    // Sentences in random order are refused, so they have no percentile.
    expect(code).toBe(3);
    expect(JSON.parse(stdout).percentile).toMatchObject({ kind: "unscored" });
    const foreign = await run("place", files[1]!, "--population", own, "--judge", server.judge("grader"));
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toContain("same judge");
  });
});

describe("a benchmark folder in Chinese with the embedded judge", () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-bench-chinese-"));
  const bench = join(root, "bench");

  it("is refused at the first step, in one sentence that says what to use instead", async () => {
    mkdirSync(bench);
    const chapter = { writer: "author", title: "书", language: "zh", chapter: 1, words: 900, sha256: "0".repeat(64) };
    const chapters = ["one", "two", "three"].map((novel) =>
      JSON.stringify({ ...chapter, novel, text: "他们在雾港的灯塔下等船。".repeat(80) }),
    );
    writeFileSync(join(bench, "chapters.jsonl"), `${chapters.join("\n")}\n`);
    const { code, stdout, stderr } = await runFabula(["bench", "build", bench]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^fabula: The embedded judge reads English only, .*--judge openai:gpt-4o --rubric novel-bench-zh\.\n$/,
    );
    expect(existsSync(join(bench, "scores.grader.jsonl"))).toBe(false);
  });

  it("is judged by the Chinese rubric unless another is named, and neither population overwrites the other", async () => {
    const server = await createSimulatedServer();
    const environment = { FABULA_STORE: join(root, "store.db") };
    const words = ["bench", "build", bench, "--judge", server.judge("judge"), "--check-texts", "0", "--json"];
    const files: string[] = [];
    for (const more of [[], ["--rubric", "novel-bench-en"]]) {
      const { code, stdout, stderr } = await runFabula([...words, ...more], { environment });
      expect(code, stderr).toBe(0);
      files.push(JSON.parse(stdout).file);
    }
    await server.close();
    expect(files.map((file) => JSON.parse(readFileSync(file, "utf8")).rubric.id)).toEqual([
      "novel-bench-zh",
      "novel-bench-en",
    ]);
  });
});
