import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { runFabula } from "./run-fabula.ts";

const DIMENSIONS = [
  ...["literary-devices", "sensory-detail", "character-presence", "dialogue-distinctiveness"],
  ...["characterisation-consistency", "atmosphere", "contextual-appropriateness", "scene-coherence"],
];
const NOVELS = 10;

interface Made {
  readonly level: (writer: string, novel: number) => number;
  readonly words?: (writer: string, novel: number) => number;
  readonly seed: number;
}

/** Scores as others publish them: a line for each novel of each writer. */
function writeScores(file: string, judge: string, writers: readonly string[], { level, words, seed }: Made): string {
  const random = seededRandom(seed);
  const rows = writers.flatMap((writer) =>
    Array.from({ length: NOVELS }, (_, novel) => ({
      ...{ novel: `novel-${novel}`, writer, chapter: 1, judge, words: words?.(writer, novel) ?? 1000 },
      scores: Object.fromEntries(
        DIMENSIONS.map((id) => [id, { kind: "scored", score: level(writer, novel) + 0.4 * (random() - 0.5) }]),
      ),
    })),
  );
  writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  return file;
}

describe("the report of a leaderboard", () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-bench-report-"));
  const report = (...words: string[]) => runFabula(["bench", "report", ...words]);

  it("does not correct levels for length: texts of nearly one length would turn the order around", async () => {
    const scores = writeScores(join(root, "lengths.jsonl"), "judge", ["ada", "bea", "cleo"], {
      level: (writer, novel) => ({ ada: 2, bea: 3, cleo: 4 })[writer]! + 0.05 * novel,
      // Half a per cent between the shortest and the longest, and longer texts score higher.
      words: (writer, novel) => 1000 + novel / 2 + (writer === "ada" ? 0 : writer === "bea" ? 200 : 400),
      seed: 1,
    });
    const { code, stdout, stderr } = await report(scores);
    expect(code, stderr).toBe(0);
    expect(stdout).not.toContain("adjusted");
    expect(stdout).not.toContain("Brought to one length");
    expect(stdout).toContain("Length: the texts of each writer are too similar in length");
    const { length, writers } = JSON.parse((await report(scores, "--json")).stdout);
    expect(length).toMatchObject({ perDoubling: null, perDoublingInterval: null });
    expect(Object.keys(writers[0])).not.toContain("adjusted");
  });

  it("says in one sentence what length is worth, with its interval", async () => {
    const scores = writeScores(join(root, "doubling.jsonl"), "judge", ["ada", "bea"], {
      level: (_, novel) => 2 + 0.3 * (novel % 4),
      words: (_, novel) => 500 * 2 ** (novel % 4),
      seed: 2,
    });
    const { stdout } = await report(scores);
    expect(stdout).toMatch(
      /Length: within a writer, a text twice as long moves the composite by \+\d\.\d\d \(95 % interval \+\d\.\d\d … \+\d\.\d\d\)\./,
    );
  });

  it("does not accuse a fair judge because the second one favours its own family", async () => {
    const writers = ["gpt-4o", "gpt-5", "claude-3", "qwen-2", "llama-3", "glm-4"];
    const levels: Readonly<Record<string, number>> = { "gpt-4o": 3, "gpt-5": 2.6, "claude-3": 2.8, "qwen-2": 2.5 };
    const level = (writer: string) => levels[writer] ?? 2.3;
    const fair = writeScores(join(root, "fair.jsonl"), "openai:gpt-4.1", writers, { level, seed: 3 });
    const biased = writeScores(join(root, "biased.jsonl"), "anthropic:claude-opus-4", writers, {
      level: (writer) => level(writer) + (writer.startsWith("claude") ? 1 : 0),
      seed: 4,
    });
    const authors = Array.from({ length: 6 }, (_, at) => `author-${at}`);
    const human = { level: (_: string, novel: number) => 2 + 0.1 * novel, seed: 5 };
    const populations = await Promise.all(
      ["openai:gpt-4.1", "anthropic:claude-opus-4"].map(async (judge, at) => {
        const scores = writeScores(join(root, `human-${at}.jsonl`), judge, authors, human);
        const out = join(root, `population-${at}.json`);
        const built = await runFabula([
          ...["bench", "build", "--scores", scores, "--rubric", "novel-bench-en", "--out", out],
        ]);
        expect(built.code, built.stderr).toBe(0);
        return out;
      }),
    );
    const words = [fair, "--population", populations[0]!, "--second", biased, "--second-population", populations[1]!];
    const { selfPreference } = JSON.parse((await report(...words, "--json")).stdout);
    expect(Math.abs(selfPreference.advantage)).toBeLessThan(0.2);
    const [low, high] = selfPreference.interval;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
    const { stdout } = await report(...words);
    expect(stdout).toMatch(/Self-preference: .* gpt writers, its own family, by .* \(95 % interval −.* … \+.*\)/);
    const alone = JSON.parse((await report(fair, "--second", biased, "--json")).stdout);
    expect(alone.selfPreference).toMatchObject({ advantage: null, interval: null });
  });
});
