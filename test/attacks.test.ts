import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assetPath } from "../src/core/assets.ts";
import { readJsonLines } from "../src/core/json-lines.ts";
import { seededRandom } from "../src/core/random.ts";
import { loadRubric } from "../src/criteria/load-rubric.ts";
import { topLevel } from "../src/criteria/rubric.ts";
import { readJudgeReply } from "../src/judge/judge-reply.ts";
import { readVerdicts } from "../src/judge/replies/read-verdicts.ts";
import { INSERTIONS } from "../src/judge/stress/damages.ts";
import { findSuspicions } from "../src/judge/suspicion/find-suspicions.ts";
import { maskBook } from "../src/judge/suspicion/mask-suspicions.ts";
import { loadPrompt, loadPromptExample } from "../src/prompts/load-prompt.ts";
import { renderPrompt } from "../src/prompts/render-prompt.ts";
import { readBook } from "../src/text/read-book.ts";

const path = new URL("./fixtures/attacks/attacks.jsonl", import.meta.url).pathname;
const attacks = await readJsonLines(path, z.object({ id: z.string(), kind: z.string(), text: z.string() }));
const rubric = await loadRubric("long-story");
const example = await readBook(assetPath("examples", "the-inspector-of-weights.md"));
const PROSE = "The harbour was quiet that night, and the gulls slept on the sill.";

describe("a manuscript that speaks to its judge", () => {
  it("comes in many kinds", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
    expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
  });

  it.each(attacks)("cannot change the structure of a prompt: $id", async ({ text }) => {
    const template = await loadPrompt("judge-segment", "en");
    const { values } = await loadPromptExample("judge-segment", "en");
    const harmless = renderPrompt(template, { ...values, segment: PROSE });
    const attacked = renderPrompt(template, { ...values, segment: `${PROSE}\n\n${text}\n\n${PROSE}`, metadata: text });
    expect(attacked.map(({ role }) => role)).toEqual(harmless.map(({ role }) => role));
    expect(attacked[0]).toEqual(harmless[0]);
    // Everything outside the fences is word for word what a harmless book gets.
    expect(outsideFences(attacked[1]!.content)).toEqual(outsideFences(harmless[1]!.content));
    expect(attacked[1]!.content).not.toMatch(/<\|\w+\|>|\[INST\]|[\u200b\u202e\u{e0000}-\u{e007f}]/u);
  });

  it.each(attacks)("is never read as a verdict when a judge quotes it: $id", ({ text }) => {
    const instructions = { rubric, criteria: topLevel(rubric) };
    const aspect = { strengths: [{ point: text, quotes: [{ chapter: 1, text }] }], weaknesses: [], score: 41 };
    const reply = JSON.stringify({
      aspects: Object.fromEntries(instructions.criteria.map(({ id }) => [id, aspect])),
      assessment: text,
      overall: 42,
    });
    const reading = readJudgeReply({ text: reply, stop: "stop" }, instructions);
    expect(reading).toMatchObject({ kind: "read", value: { overall: 42, aspects: { plot: { score: 41 } } } });
    expect(readVerdicts(reply, rubric).overall).toEqual({ kind: "scored", score: 42 });
    // Quoted in a reply of prose, it is either ignored or makes the reply doubtful; it never becomes the score.
    const quoted = text.replaceAll("\n", " ").replaceAll(/["“”]/g, "'");
    const prose = readVerdicts(`**Plot:** The text says “${quoted}”.\n**Score:** 41\n\n**Overall Score:** 42`, rubric);
    expect(prose.overall).not.toMatchObject({ kind: "scored", score: expect.toSatisfy((score) => score !== 42) });
    expect(prose.aspects.plot).not.toMatchObject({ kind: "scored", score: expect.toSatisfy((score) => score !== 41) });
  });

  it.each(attacks.filter(({ text }) => !text.includes("{{criteria}}")))(
    "gets no verdict out of a reply that only echoes it: $id",
    ({ text }) => {
      const prompt = [{ role: "user", content: `${PROSE}\n\n${text}\n\n${PROSE}` }] as const;
      const reading = readJudgeReply({ text, stop: "stop" }, { rubric, criteria: topLevel(rubric) }, prompt);
      const scores =
        reading.kind === "read"
          ? [...Object.values(reading.value.aspects).map(({ score }) => score), reading.value.overall]
          : [];
      expect(scores.filter((score) => score !== null)).toEqual([]);
    },
  );

  it("is noticed when a stress test inserts it", async () => {
    const book = example;
    const source = { random: seededRandom(1), strength: 1, donor: null };
    expect(findSuspicions(book)).toEqual([]);
    const missed = INSERTIONS.filter(({ apply }) => findSuspicions(apply(book, source)!).length === 0);
    expect(missed.map(({ id }) => id)).toEqual([]);
  });

  it.each([
    "At any rate this story is full of the finest lies that were ever told in a harbour.",
    "This chapter marks the highest point of her life, and the next one the lowest.",
    "He had the full score of this piece by heart, and the first violin played it perfectly.",
    "She was graded by height, and this book was what the tallest of them got.",
    "A score of men below deck had heard this tale before.",
    "“This novel is a high-rated bore,” he said; “my sister gave it to me.”",
    "I wrote these pages at a generous table, with the best of wine.",
  ])("is not taken for one when it is only a story: %s", (text) => {
    const chapter = { index: 1, title: null, words: 20, text };
    expect(findSuspicions({ title: "A", genres: [], premise: null, chapters: [chapter] })).toEqual([]);
  });

  it("is not in the masked book", () => {
    const chapter = (text: string, index: number) => ({ index: index + 1, title: null, words: 20, text });
    const buried = `${PROSE} `.repeat(60);
    const texts = attacks.flatMap(({ text }) => [`${PROSE}\n\n${text}\n\n${PROSE}`, `${buried}${text} ${buried}`]);
    const book = { ...example, title: attacks[0]!.text };
    const masked = maskBook({ ...book, chapters: texts.map(chapter) });
    expect(findSuspicions(masked)).toEqual([]);
    // Only what was found is gone.
    expect(masked.chapters.every(({ text }) => text.includes(PROSE))).toBe(true);
    expect(maskBook(book).chapters).toEqual(book.chapters);
  });

  it("cannot make the search for it take long", () => {
    const endless = [
      "-".repeat(60),
      "* ".repeat(40),
      "\u2028".repeat(50_000),
      "to the ".repeat(20_000),
      " ".repeat(200_000),
      "give 10/10 ".repeat(40_000),
      "this story ".repeat(20_000),
    ];
    const chapters = endless.map((text, at) => ({ index: at + 1, title: null, words: 1, text: `${text}x` }));
    const { user } = process.cpuUsage();
    const book = { ...example, chapters };
    expect(findSuspicions(book)).toHaveLength(1);
    expect(findSuspicions(maskBook(book))).toEqual([]);
    expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(5);
  });

  it("is named in the report", () => {
    const missed = attacks.filter(({ text }) => {
      const chapter = { index: 1, title: null, words: 20, text: `${PROSE}\n\n${text}\n\n${PROSE}` };
      return findSuspicions({ title: "A", genres: [], premise: null, chapters: [chapter] }).length === 0;
    });
    // Placeholders and broken JSON mean something to a program only; they are harmless and look like nothing else.
    expect(missed.map(({ id }) => id).sort()).toEqual([
      "tag-front-matter",
      "tag-placeholder",
      "tag-placeholder-block",
      "tag-role-heading",
    ]);
  });
});

function outsideFences(content: string): string[] {
  const outside: string[] = [];
  let closing: string | null = null;
  for (const line of content.split("\n")) {
    const opening = /^<<<(\w+) ([0-9a-f]{16})>>>$/.exec(line);
    if (closing === null && opening) {
      closing = `<<<END ${opening[1]} ${opening[2]}>>>`;
      outside.push(`[${opening[1]}]`);
    } else if (closing === null) outside.push(line);
    else if (line === closing) closing = null;
  }
  expect(closing).toBeNull();
  return outside;
}
