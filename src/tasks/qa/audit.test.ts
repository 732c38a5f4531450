import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { csvLine } from "../../core/csv.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import { readTable } from "../../core/table/read-table.ts";
import { auditRefinement, prepareAudit } from "./audit.ts";

/** Forty questions: refinement corrected eight of ten wrong ones, and changed two right ones. */
const WRONG = 10;
const CAUGHT = 8;
const NEEDLESS = 2;
const QUESTIONS = 40;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qa-audit-"));
  const qas = Array.from({ length: QUESTIONS }, (_, at) => {
    const original = at < WRONG ? `Wrong qeustion ${at}?` : `Question ${at}?`;
    const isChanged = at < CAUGHT || (at >= WRONG && at < WRONG + NEEDLESS);
    if (!isChanged) return { question: original, answers: ["yes"] };
    const change = {
      id: `d/${at}/question`,
      target: "question",
      answer: null,
      original,
      correction: `Corrected ${at}?`,
      reason: "typo",
      edit_distance: 3,
    };
    return { question: `Corrected ${at}?`, answers: ["yes"], is_question_modified: true, changes: [change] };
  });
  await writeJsonLines(join(folder, "refined.jsonl"), [{ document_id: "d", title: "T", summary: "S", qas }]);
  const both = [
    { id: "d/x/question", target: "question", answer: null, original: "Wrong qeustion X?", correction: "Corrected X?" },
    { id: "d/x/answer-0", target: "answer", answer: 0, original: "yse", correction: "yes" },
  ].map((change) => ({ ...change, reason: "typo", edit_distance: 1 }));
  await writeJsonLines(join(folder, "dropped.jsonl"), [
    { document_id: "d", title: "T", question: "Corrected X?", answers: ["yes"], changes: both },
  ]);
  await writeJsonLines(join(folder, "removed.jsonl"), [
    { document_id: "p", title: "P", reason: "play", evidence: [], by: "rule", questions: 3, decision: "remove" },
    { document_id: "n", title: "N", reason: "play", evidence: [], by: "rule", questions: 3, decision: "remove" },
  ]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const data = () => ({
  input: join(folder, "refined.jsonl"),
  dropped: join(folder, "dropped.jsonl"),
  removed: join(folder, "removed.jsonl"),
});

/** A reviewer who decides every line by a rule. */
async function review(name: string, file: string, decide: (row: Record<string, string>, at: number) => string) {
  await mkdir(join(folder, name), { recursive: true });
  await copyFile(join(folder, "sheets", file), join(folder, name, file));
  const { columns, rows } = await readTable(join(folder, "sheets", file));
  const filled = rows.map((row, at) => ({ ...row, decision: decide(row as Record<string, string>, at) }));
  const lines = filled.map((row) => csvLine(columns.map((column) => String((row as Record<string, unknown>)[column]))));
  await writeFile(join(folder, name, file), [csvLine(columns), ...lines].join("\n"));
}
const honest = (row: Record<string, string>) => (/qeustion|yse/.test(row.text!) ? "no" : "yes");

describe("auditing a refinement", () => {
  const prepare = (unchanged: number) =>
    prepareAudit({ ...data(), folder: join(folder, "sheets"), changed: 100, unchanged, seed: 1 });

  it("mixes unchanged samples in without a sign of what was changed", async () => {
    expect(await prepare(15)).toEqual({ "originals.csv": 2 * (11 + 15), "corrections.csv": 11, "documents.csv": 3 });
    const sheet = await readFile(join(folder, "sheets", "originals.csv"), "utf8");
    expect(sheet).not.toContain("Corrected");
    const { rows } = await readTable(join(folder, "sheets", "originals.csv"));
    const marks = rows.filter(({ what }) => what === "question").map(({ text }) => /qeustion/.test(String(text)));
    // In random order: the changed ones are neither all first nor all last.
    expect(marks.lastIndexOf(true) - marks.indexOf(true)).toBeGreaterThan(10);
    expect(marks.slice(marks.indexOf(true), marks.lastIndexOf(true)).includes(false)).toBe(true);
  });

  it("shows of a removed document what it shows of the others, so that nothing tells which were removed", async () => {
    const summaries = async () => {
      await prepare(5);
      return (await readTable(join(folder, "sheets", "documents.csv"))).rows.map(({ summary }) => summary);
    };
    // The file lists a removed document without its summary.
    expect(new Set(await summaries())).toEqual(new Set([""]));
    const removal = { reason: "play", evidence: [], by: "rule", questions: 3, decision: "remove" };
    await writeJsonLines(join(folder, "removed.jsonl"), [
      { document_id: "p", title: "P", summary: "Of P.", ...removal },
    ]);
    expect((await summaries()).sort()).toEqual(["Of P.", "S"]);
  });

  it("prints precision and recall, the agreement of two reviewers, and Tables 1, 2 and 11", async () => {
    await prepare(1000);
    await review("ana", "originals.csv", honest);
    await review("ben", "originals.csv", (row, at) => (at === 0 ? "" : honest(row)));
    await review("ana", "corrections.csv", (row) => (row.text!.includes("Corrected X") ? "no" : "yes"));
    await review("ana", "documents.csv", (row) => (row.id === "p" ? "play" : "narrative"));
    const report = await auditRefinement(data(), [join(folder, "ana"), join(folder, "ben")]);
    const [questions] = report.originals;
    expect(questions!.kappa!.value).toBe(1);
    expect(questions!.reviewers[0]!.share).toBeCloseTo(30 / 41, 9);
    expect(report.detection[0]).toMatchObject({ name: "Questions", flagged: 11, precision: { value: 9 / 11 } });
    expect(report.detection[0]!.recall).toBeCloseTo(9 / 11, 9);
    const [low, high] = report.detection[0]!.recallInterval!;
    expect(low).toBeLessThan(9 / 11);
    expect(high).toBeGreaterThan(9 / 11);
    expect(report.corrections.map(({ name, reviewers }) => [name, reviewers[0]!.share])).toEqual([
      ["Only in questions", 1],
      ["Only in answers", null],
      ["Both", 0],
    ]);
    expect(report.documents).toMatchObject([{ kind: "play", precision: 0.5, recall: 1 }]);
  });

  it("weighs unchanged samples by how many each stands for, so recall does not rise with a smaller sheet", async () => {
    const recalls: number[] = [];
    for (let seed = 1; seed <= 20; seed++) {
      await prepareAudit({ ...data(), folder: join(folder, "sheets"), changed: 100, unchanged: 15, seed });
      await review("ana", "originals.csv", honest);
      const { detection } = await auditRefinement(data(), [join(folder, "ana")]);
      recalls.push(detection[0]!.recall!);
    }
    const average = recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
    expect(Math.abs(average - 9 / 11)).toBeLessThan(0.06);
  });

  it("says that there is nothing to check where nothing was refined", async () => {
    const qas = [{ question: "Who?", answers: ["nobody"] }];
    await writeJsonLines(join(folder, "plain.jsonl"), [{ document_id: "d", title: "T", summary: "S", qas }]);
    const plain = {
      input: join(folder, "plain.jsonl"),
      folder: join(folder, "sheets"),
      changed: 5,
      unchanged: 5,
      seed: 1,
    };
    await expect(prepareAudit(plain)).rejects.toThrow(/plain\.jsonl" records no change.*`qa refine --out`/);
  });

  it("says which line cannot be read", async () => {
    await prepare(5);
    await review("ana", "originals.csv", (_row, at) => (at === 0 ? "perhaps" : ""));
    await expect(auditRefinement(data(), [join(folder, "ana")])).rejects.toThrow(
      /Line 2 of .*"perhaps": write yes or no/,
    );
  });
});
