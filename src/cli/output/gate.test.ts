import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { createTerminal } from "../terminal.ts";
import { openGate } from "./evaluation-output.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-gate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const whole = sampleEvaluation();
function draft(file: string, score: number, title = "Tides"): BookEvaluation {
  const overall = { kind: "scored" as const, score, interval: [score - 1, score + 1] as [number, number] };
  return { ...whole, book: { ...whole.book, title, file }, overall };
}

async function gated(books: readonly BookEvaluation[], baseline: readonly BookEvaluation[] = [], strict = false) {
  const junit = join(folder, "checks.xml");
  const gate = openGate({
    baseline,
    junit,
    failOnInjection: false,
    requireCalibration: false,
    strict,
    limits: [{ measure: "overall", side: "below", value: 50 }],
  });
  for (const book of books) gate.check(book);
  let notes = "";
  const stream = { write: (text: string) => (notes += text) };
  const failed = await gate.finish(createTerminal(stream, stream, { noColour: true }));
  return { failed, notes, xml: await readFile(junit, "utf8") };
}

it("tells two drafts of one title apart by their files, in what it prints and in the JUnit file", async () => {
  const { notes, xml } = await gated([draft("one.md", 40), draft("two.md", 60)]);
  expect(notes).toContain("Failed: Tides (one.md): overall is 40, below 50.");
  expect(notes).not.toContain("two.md");
  expect(xml).toContain('<testsuite name="Tides (one.md)"');
  expect(xml).toContain('<testsuite name="Tides (two.md)"');
});

it("compares a draft with the earlier evaluation of its own file, not with another of the same title", async () => {
  const baseline = [draft("one.md", 95), draft("two.md", 61)];
  const { failed } = await gated([draft("two.md", 60)], baseline);
  expect(failed).toBe(false);
});

it("fails what can be told, says of the rest that it cannot be told, and takes scores as they are with --strict", async () => {
  const runs = (scores: readonly number[]): BookEvaluation => {
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const interval: [number, number] = [mean - 4, mean + 4];
    const overall = { kind: "scored" as const, score: mean, interval };
    return {
      ...draft("one.md", mean),
      overall,
      aspects: [],
      repeats: { scores: [...scores], standardDeviation: 3, unscored: 0 },
    };
  };
  const baseline = [runs([70, 73, 67])];
  const slipped = await gated([runs([69, 72, 66])], baseline);
  expect(slipped.failed).toBe(false);
  expect(slipped.notes).toMatch(
    /Cannot be told: Tides: overall fell from 70 to 69, which may be chance: about \d+ runs/,
  );
  expect(slipped.notes).toContain("Of 2 checks, 0 failed, 1 passed, and 1 cannot be told.");
  expect(slipped.xml).toContain('skipped="1"');
  expect(slipped.xml).toMatch(/<skipped message="cannot be told: overall fell/);
  const ruined = await gated([runs([50, 53, 47])], baseline);
  expect(ruined.failed).toBe(true);
  expect(ruined.notes).toContain("Cannot be told: Tides: overall is 50, between 46 and 54, and the limit is 50");
  expect((await gated([runs([69, 72, 66])], baseline, true)).failed).toBe(true);
});

it("says when none of the books is in the baseline, since nothing was compared then", async () => {
  const { failed, notes } = await gated([draft("three.md", 60, "Salt")], [draft("one.md", 95)]);
  expect(failed).toBe(false);
  expect(notes).toContain("Nothing was compared with --baseline: it holds none of these books.");
});
