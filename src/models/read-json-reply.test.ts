import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonCandidates } from "./json-candidates.ts";
import { readJsonReply } from "./read-json-reply.ts";

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
      const reading = readJsonReply({ text: whole.slice(0, length), stop: "length" }, shape);
      expect(reading).toMatchObject({ kind: "unreadable", why: "truncated" });
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
