import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { METRIC_IDS } from "../../qa/choices.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import type { GradingRequest } from "./grade.ts";
import { scoreAnswers } from "./score.ts";

const ROWS = [
  { question: "Who drowns?", prediction: "Tomas", answers: ["Tomas", "her brother"] },
  { question: "Where?", prediction: "in a river", answers: ["in the sea", "at sea"] },
  { question: "When?", prediction: null, answers: ["in March"], unscored: "refused" },
];
const BOOK = {
  document_id: "d",
  title: "T",
  summary: "Tomas drowns in the sea in March.",
  qas: ROWS.map(({ question, answers }) => ({ question: `${question} `, answers })),
};
const signal = new AbortController().signal;

/** A grader who asks only whether the answer stands among the references, and goes off the scale about rivers. */
const grader: ReplyHandler = ({ messages }) => {
  const user = messages.at(-1)!.content;
  if (user.includes("river")) return JSON.stringify({ reason: "beyond", grade: 7 });
  return JSON.stringify({ reason: user.includes("drowns in the sea") ? "with summary" : "references alone", grade: 5 });
};

let folder: string;
let server: SimulatedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qa-score-"));
  await writeJsonLines(join(folder, "answers.jsonl"), ROWS);
  await writeJsonLines(join(folder, "books.jsonl"), [BOOK]);
  server = await createSimulatedServer({ reply: grader });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const grading = (setting: GradingRequest["setting"]): GradingRequest => ({
  judge: server.judge("grader"),
  setting,
  rubric: "qa-grading",
  data: join(folder, "books.jsonl"),
  settings: { store: join(folder, "store.db"), command: ["qa"], folder, connections: server.connections },
  services: { signal },
  onProgress: () => {},
});
const score = (changes: Partial<Parameters<typeof scoreAnswers>[0]>) =>
  scoreAnswers({ input: join(folder, "answers.jsonl"), signal, onProgress: () => {}, ...changes });

describe("scoring answers", () => {
  it("gives every metric by the name that other programs rely on", async () => {
    const report = await score({});
    expect(report).toMatchObject({ items: 3, unscored: 1 });
    expect(Object.keys(report.metrics)).toEqual(METRIC_IDS);
    expect(report.metrics.em).toBe(0.5);
  });

  it.each(["reference", "summary"] as const)(
    "adds a judge who sees the %s, and skips a grade off the scale",
    async (setting) => {
      const output = join(folder, "scored.jsonl");
      const report = await score({ grading: grading(setting), output });
      const column = `${server.judge("grader")}-${setting}`;
      expect(report.metrics[column]).toBe(5);
      expect(report.ungraded).toBe(1);
      const rows = await readJsonLines(output, predictionSchema);
      expect(rows[0]).toMatchObject({
        grades: {
          [column]: {
            verdict: { kind: "scored", score: 5 },
            reason: setting === "summary" ? "with summary" : "references alone",
          },
        },
        scores: { em: 1, [column]: 5 },
      });
      expect(rows[1]!.grades![column]!.verdict.kind).toBe("unscored");
      expect(rows[1]!.scores).not.toHaveProperty(column);
      expect(rows[2]).not.toHaveProperty("grades");
    },
  );

  it("keeps an earlier judge's column beside another judge, another setting and another rule of references", async () => {
    const output = join(folder, "scored.jsonl");
    await score({ grading: grading("reference"), output });
    await score({ input: output, grading: grading("summary"), output });
    const other = { ...grading("reference"), judge: server.judge("second-grader") };
    await score({ input: output, grading: other, references: "first", metrics: ["rouge-l"], output });
    const [first] = await readJsonLines(output, predictionSchema);
    const judges = [
      `${server.judge("grader")}-reference`,
      `${server.judge("grader")}-summary`,
      `${other.judge}-reference`,
    ];
    expect(Object.keys(first!.scores!)).toEqual([...METRIC_IDS, judges[0], judges[1], "rouge-l-first", judges[2]]);
    expect(Object.keys(first!.grades!)).toEqual(judges);
  });

  it("says what is missing to grade with summaries", async () => {
    const { data: _, ...without } = grading("summary");
    await expect(score({ grading: without })).rejects.toThrow("--data");
  });
});
