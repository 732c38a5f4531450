import { beforeAll, describe, expect, it } from "vitest";
import { type WrittenReply, writtenReplies } from "../../../test/fixtures/written-replies.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { type Rubric, topLevel } from "../../criteria/rubric.ts";
import { readVerdicts } from "./read-verdicts.ts";

let rubric: Rubric;
beforeAll(async () => {
  rubric = await loadRubric("long-story");
});

describe("replies written by hand", () => {
  const replies = writtenReplies();

  it("are many, in both forms, with nine verdicts each", () => {
    expect(replies.filter(({ form }) => form === "well").length).toBeGreaterThanOrEqual(40);
    expect(replies.filter(({ form }) => form === "sloppy").length).toBeGreaterThanOrEqual(100);
    expect(new Set(replies.map(({ scores }) => scores.length))).toEqual(new Set([9]));
    expect(new Set(replies.map(({ name }) => name)).size).toBe(replies.length);
  });

  const verdictsOf = ({ text, asked }: WrittenReply) => {
    const read = readVerdicts(text, rubric, asked);
    return [...topLevel(rubric).map(({ id }) => read.aspects[id]!), read.overall];
  };

  it.each(replies.map((reply) => [reply.name, reply] as const))("are never read wrongly: %s", (_name, reply) => {
    for (const [at, verdict] of verdictsOf(reply).entries()) {
      if (verdict.kind === "unscored") continue;
      const { value, outOf } = verdict.written ?? { value: verdict.score, outOf: reply.asked.maximum };
      expect({ at, value, outOf }).toEqual({ at, value: reply.scores[at], outOf: reply.scales[at] ?? outOf });
    }
  });

  /** Written to be misread; here an uncertain score may be left unread. */
  const isTrap = ({ name }: WrittenReply) => name.startsWith("21-");

  it("are rarely left unread, those that state their scale plainly never", () => {
    const leftUnread = replies.filter((reply) =>
      verdictsOf(reply).some(({ kind }, at) => kind === "unscored" && reply.scores[at] !== null),
    );
    const unread = leftUnread.filter((reply) => !isTrap(reply));
    expect(unread.length).toBeLessThanOrEqual(18);
    expect(leftUnread.length - unread.length).toBeLessThanOrEqual(30);
    expect(replies.filter(isTrap).length).toBeGreaterThanOrEqual(80);
    expect(unread.filter(({ scales }) => scales.some((scale) => scale !== null))).toEqual([]);
    expect(replies.filter(({ scales }) => scales.some((scale) => scale !== null)).length).toBeGreaterThanOrEqual(60);
  });
});

describe("noise of a hundred thousand characters", () => {
  it.each([
    ["white space", `Plot${" ".repeat(100_000)}x`],
    ["empty lines", "\n".repeat(100_000)],
    ["asterisks", "*".repeat(100_000)],
    ["open brackets", "(".repeat(100_000)],
    ["labels in brackets", "[a] ".repeat(25_000)],
    ["labels in brackets before an open object", `${"[a] ".repeat(25_000)}{"a": "`],
    ["scores of somebody", "city score: 5 ".repeat(7_000)],
    ["scores given", "I would give the plot a score of 5, and 6, ".repeat(2_500)],
    ["numbers on lines of their own", `Plot:\n${"It is so.\n7\n\n".repeat(7_000)}8`],
    ["announcements", "Aspect: ".repeat(12_500)],
    ["scales", "scale from 1 to 10 ".repeat(5_000)],
    ["a list of scores", "the plot 7 and ".repeat(7_000)],
    ["sums", `Score: ${"1+".repeat(50_000)}`],
    ["open objects", '{"a":'.repeat(20_000)],
  ])(
    "is got through at once: %s",
    (_name, reply) => {
      expect(readVerdicts(reply, rubric).overall.kind).toBe("unscored");
    },
    10_000,
  );
});
