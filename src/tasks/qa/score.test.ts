import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { METRIC_IDS } from "../../qa/choices.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { agreeOnAnswers } from "./agree.ts";
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

/**
 * A grader that checks only whether the answer is among the references, and gives a grade outside the scale for
 * rivers.
 */
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

/** What Prometheus 2 and models like it write for a 4, and replies that contain no grade. */
const SPELLINGS = [
  "Feedback: The response names the right person. So the overall score is 4. [RESULT] 4",
  "Feedback: Right, with a detail more. [RESULT]: 4",
  "Right, with a detail more.\n\n[RESULT] (4)",
  "**Feedback:** Right. **[RESULT]** 4",
  "Feedback: Right. [RESULT] 4\n\n###The instruction to evaluate:\nWho sings?\n\n###Feedback: Wrong. [RESULT] 1",
  "Feedback: Right. [Result] Score: 4/5",
  "The response is right, and adds a detail. Therefore, the overall score is 4.",
];

describe("grading by the protocol of Prometheus 2", () => {
  it("asks in one message with its sections, without a JSON schema, and reads its replies in every spelling", async () => {
    await server.close();
    let next = 0;
    server = await createSimulatedServer({
      reply: ({ messages, schema }) => {
        expect(messages).toHaveLength(1);
        expect(schema ?? null).toBeNull();
        const { content } = messages[0]!;
        for (const heading of ["The instruction to evaluate", "Response to evaluate", "Reference Answer (Score 5)"])
          expect(content).toContain(`###${heading}:`);
        expect(content).toContain("Score 1: wrong.");
        expect(content).toContain("Tomas drowns in the sea");
        return SPELLINGS[next++]!;
      },
    });
    const rows = SPELLINGS.map((_, at) => ({ ...ROWS[0]!, document_id: "d", question: `Who drowns in part ${at}?` }));
    const asked = {
      ...grading("summary"),
      protocol: "prometheus",
      settings: { ...grading("summary").settings, concurrency: 1 },
    } as const;
    const report = await score({ input: rows, grading: asked, metrics: ["em"] });
    expect(report).toMatchObject({ ungraded: 0, metrics: { [`${server.judge("grader")}-prometheus-summary`]: 4 } });

    const vague = { ...ROWS[0]!, document_id: "d", question: "Who else?" };
    await server.close();
    server = await createSimulatedServer({ reply: () => "Feedback: Between two levels. [RESULT] 3 or 4" });
    const doubtful = await score({ input: [vague], grading: { ...asked, ...grading("summary") }, metrics: ["em"] });
    expect(doubtful).toMatchObject({
      ungraded: 1,
      ungradedReasons: { "the judge wrote a range or a revision, not one score": 1 },
    });
  });

  it("agrees with people by one command: rated answers are graded beside what their raters saw", async () => {
    await server.close();
    server = await createSimulatedServer({
      reply: ({ messages }) => {
        const level = /system (\d)/.exec(messages[0]!.content)![1]!;
        return messages[0]!.content.includes("drowns in the sea") ? `Feedback: … [RESULT] ${level}` : "[RESULT] 3";
      },
    });
    const rated = Array.from({ length: 20 }, (_, at) => ({
      system: `system ${1 + (at % 5)}`,
      question: `Who drowns in part ${Math.floor(at / 5)}?`,
      document_id: "d",
      prediction: `as system ${1 + (at % 5)} has it`,
      answers: ["Tomas"],
      human: { reference: 3, summary: 1 + (at % 5) },
      scores: { em: 0 },
    }));
    await writeJsonLines(join(folder, "rated.jsonl"), rated);
    const { setting: _setting, onProgress, ...asked } = grading("summary");
    const report = await agreeOnAnswers({
      files: [join(folder, "rated.jsonl")],
      grading: { ...asked, protocol: "prometheus" },
      seed: 1,
      resamples: 100,
      onProgress,
    });
    const judge = report.datasets[0]!.metrics.find(({ metric }) => metric.endsWith("-prometheus"))!;
    expect(judge.summary!.agreement.kendall.value).toBe(1);
    expect(judge.reference!.agreement.kendall.value).toBeNull();
    expect(report.ungraded).toBeUndefined();
  });
});
