import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonCandidates, readJsonReply, readScoreReply, readTextReply, splitReasoning } from "./read-reply.ts";

const shape = z.object({ score: z.number().min(0).max(100), review: z.string() });
const stopped = (text: string) => ({ text, stop: "stop" as const });
const value = { score: 85, review: 'He said "well {done}" and left.' };

describe("reading a JSON reply", () => {
  it.each([
    ["bare", JSON.stringify(value)],
    ["in a fence", `Certainly!\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\nHope this helps.`],
    ["in prose with brackets of its own", `[Note] My "verdict" {as asked}: ${JSON.stringify(value)} (end)`],
    ["with a trailing comma", JSON.stringify(value).replace(/}$/, ",}")],
    ["with its number in quotation marks", JSON.stringify({ ...value, score: "85" })],
    ["after its own thinking", `<think>{"score": 20, "review": "draft"}</think>${JSON.stringify(value)}`],
    ["after a first attempt it corrected", `{"score": 20, "review": "no"} Wait, rather: ${JSON.stringify(value)}`],
  ])("finds it %s", (_how, text) => {
    expect(readJsonReply(stopped(text), shape)).toEqual({ kind: "read", value });
  });

  it("never takes the format's example in the prompt for the answer", () => {
    const prompt = [{ role: "user" as const, content: 'Reply as {"score": 50, "review": "your words"}.' }];
    const echoed = 'You want me to reply as {"score":50, "review":"your words"}, but I would rather not.';
    expect(readJsonReply(stopped(echoed), shape, prompt)).toMatchObject({ kind: "unreadable", why: "no-json" });
  });

  it("never completes a number that was cut off", () => {
    const whole = JSON.stringify({ review: "good", score: 85 });
    for (let length = 1; length < whole.length; length++) {
      const parsed = readJsonReply({ text: whole.slice(0, length), stop: "length" }, shape);
      expect(parsed).toMatchObject({ kind: "unreadable", why: "truncated" });
    }
  });

  it("says what is wrong with JSON of another shape", () => {
    expect(readJsonReply(stopped('{"score": 400, "review": "x"}'), shape)).toMatchObject({
      why: "wrong-shape",
      reason: expect.stringContaining("score"),
    });
  });

  it("tells a refusal from an empty reply", () => {
    expect(readJsonReply({ text: "I cannot help.", stop: "refusal" }, shape)).toMatchObject({ why: "refusal" });
    expect(readJsonReply(stopped(""), shape)).toMatchObject({ why: "no-json" });
  });

  it("finds any JSON value in any prose without brackets or quotation marks", () => {
    const prose = fc.string().map((text) => text.replace(/[[\]{}"]/g, ""));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), prose, prose, (object, before, after) => {
        expect(jsonCandidates(`${before}${JSON.stringify(object)}${after}`)).toEqual({
          found: [JSON.stringify(object)],
          unfinished: false,
          salvaged: null,
        });
      }),
    );
  });

  it("stays quick on hostile replies", () => {
    const started = process.cpuUsage();
    for (const text of ["{".repeat(200_000), '{"'.repeat(100_000), "[{".repeat(100_000), "}".repeat(200_000)]) {
      expect(readJsonReply(stopped(text), shape).kind).toBe("unreadable");
    }
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});

describe("what is whole in JSON that was cut off", () => {
  const whole = JSON.stringify({ aspects: { plot: { score: 85 }, style: { score: 90 } }, overall: 88 });
  const loose = z.object({
    aspects: z.record(z.string(), z.object({ score: z.number() })),
    overall: z.number().optional(),
  });

  it("is kept where a part is enough, and no number is cut short", () => {
    const seen = new Set<string>();
    for (let length = 1; length < whole.length; length++) {
      const parsed = readJsonReply({ text: whole.slice(0, length), stop: "length" }, loose, [], { partly: true });
      if (parsed.kind === "read") seen.add(JSON.stringify(parsed.value));
    }
    expect([...seen]).toEqual([
      '{"aspects":{"plot":{"score":85}}}',
      '{"aspects":{"plot":{"score":85},"style":{"score":90}}}',
    ]);
  });
});

describe("a score with its reason", () => {
  const scale = { minimum: 1, maximum: 5, wholeNumbers: true };
  it.each([
    ['{"reason": "Close.", "grade": 4}', 4, "Close."],
    ['{"grade": 4}', 4, ""],
    ['{"score": "4"}', 4, ""],
    ['{"grade": "4/5", "feedback": "Close."}', 4, "Close."],
    ["Feedback: It names the right man. [RESULT] 4", 4, "It names the right man."],
    ["[RESULT]: 4", 4, ""],
    ["It names the right man.\n\n**Score:** 4", 4, "It names the right man."],
    ["Grade: 8/10", 4, ""],
    ["4", 4, ""],
    ["<think>Perhaps [RESULT] 2</think>[RESULT] 4", 4, ""],
    ["**Feedback:** Right. **[RESULT]** **4**", 4, "Right. **"],
    ["Feedback: Right.\n[Result]\n4", 4, "Right."],
    ["Right. [RESULT] (4)", 4, "Right."],
    ["Right. [RESULT] [4]", 4, "Right."],
    ["Right. [RESULT: 4]", 4, "Right."],
    ["Right. [RESULT 4]", 4, "Right."],
    ["Right. [RESULT]4</s>", 4, "Right."],
    ["Right. [RESULT] Score: 4", 4, "Right."],
    ["Right. [RESULT] The score is 4.", 4, "Right."],
    ["Right. [RESULT] 4/5", 4, "Right."],
    ["Right. [RESULT] 4 out of 5", 4, "Right."],
    ["Right. [RESULT] Four", 4, "Right."],
    ["Right. [SCORE] 4", 4, "Right."],
    ["Right. [RESULT] score of 4", 4, "Right."],
    ["Right. [Result] Result: 4", 4, "Right."],
    ["Right. [RESULT] 4\nThe answer names the right man.", 4, "Right."],
    ["Right. Score: 4", 4, "Right"],
    ["Right. score of 4", 4, "Right"],
    ["Right. (Score 4)", 4, "Right."],
    ["Right. Score: 4 out of 5.", 4, "Right"],
    ["Right. [RESULT] 4 As said: [RESULT] 4/5", 4, "Right. [RESULT] 4 As said:"],
    ["Right. [RESULT] 4 (it adds a detail)", 4, "Right."],
    [
      "The form is [RESULT] (a whole number). Right. [RESULT] 4\n\n[RESULT]",
      4,
      "The form is [RESULT] (a whole number). Right.",
    ],
    ["It adds a detail. So the overall score is 4.", 4, "It adds a detail."],
    [
      "A full answer would get a score of 5. So the overall score is 3. [RESULT] 3",
      3,
      "A full answer would get a score of 5. So the overall score is 3.",
    ],
  ])("is read in %j", (text, score, reason) => {
    expect(readScoreReply(stopped(text), scale)).toEqual({ kind: "read", value: { score, reason } });
  });

  it.each([
    ["It names the right man.", "states no score"],
    ["[RESULT] 9", "not on the scale"],
    ['{"grade": 7}', "not on the scale"],
    ['{"grade": 3.5}', "not a whole number"],
    ["Grade: 3 or 4", "a range"],
    ["[RESULT] 3 or 4", "a range"],
    ["[RESULT] 3.5", "not a whole number"],
    ["[RESULT] N/A", "gave no score"],
    ["Right. [RESULT] 4\nFeedback: Another answer. [RESULT] 2", "more than one result: 4 and 2"],
    ["The score is definitely not 3.", "states no score"],
    ["Right. A score of 5", "states no score"],
    ["I rate this a perfect 10!", "states no score"],
    ["Right. Score: 2.5", "not a whole number"],
    ["With the name it would deserve a score of 5.", "states no score"],
    ["", "it is empty"],
  ])("is not guessed at in %j", (text, reason) => {
    expect(readScoreReply(stopped(text), scale)).toMatchObject({
      kind: "unreadable",
      reason: expect.stringContaining(reason),
    });
  });

  it("is not read where the reply was cut off: its number may go on", () => {
    expect(readScoreReply({ text: "Good. [RESULT] 4", stop: "length" }, scale)).toMatchObject({ why: "truncated" });
  });
});

describe("an answer in plain words", () => {
  it.each([
    ["The sexton.", "The sexton."],
    ["Answer: the sexton", "the sexton"],
    ["**Answer:** the sexton", "the sexton"],
    ["<think>Who?</think>\nThe sexton.", "The sexton."],
  ])("is read in %j", (text, value) => {
    expect(readTextReply(stopped(text))).toEqual({ kind: "read", value });
  });

  it("is not a refusal, nothing, or half a sentence", () => {
    expect(readTextReply(stopped("I'm sorry, but I can't help with that."))).toMatchObject({ why: "refusal" });
    expect(readTextReply(stopped("  "))).toMatchObject({ kind: "unreadable" });
    expect(readTextReply({ text: "The sexton, who", stop: "length" })).toMatchObject({ why: "truncated" });
  });
});

it.each([
  ["A plain answer.", "A plain answer.", null],
  ["<think>Perhaps 40.</think>\n\nScore: 80", "Score: 80", "Perhaps 40."],
  ["Perhaps 40.\n</think>\nScore: 80", "Score: 80", "Perhaps 40."],
  ["<think>Perhaps 40, or", "", "Perhaps 40, or"],
  ["<think></think>Score: 80", "Score: 80", null],
  ["She wrote <think> on the wall.", "She wrote <think> on the wall.", null],
  ['{"quote":"<think>100</think>"}', '{"quote":"<think>100</think>"}', null],
])("thinking is kept apart from the answer in %j", (text, answer, reasoning) => {
  expect(splitReasoning(text)).toEqual({ answer, reasoning });
});
