import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../judge/evaluation.ts";
import type { EditLetter } from "../../judge/letter/parts.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { wordLetter } from "../../report/letter/letter-words.ts";
import { readBook } from "../../text/read-book.ts";
import { evaluateWithJury } from "./evaluate-book.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");
const CHINESE = assetPath("examples", "the-lamp-at-mist-harbour.zh.md");

let folder: string;
let story: BookEvaluation;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-letter-"));
  story = await evaluateWithJury(await readBook(STORY));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function evaluationOf(chapters: readonly string[]): Promise<BookEvaluation> {
  const file = join(folder, "book.md");
  await writeFile(file, chapters.map((text, at) => `# Chapter ${at + 1}\n\n${text}\n`).join("\n"));
  return evaluateWithJury(await readBook(file));
}

async function letterOf(chapters: readonly string[]): Promise<EditLetter> {
  return (await evaluationOf(chapters)).letter!;
}

/** All words of a letter, as a report prints it. */
const linesOf = (evaluation: BookEvaluation) => JSON.stringify(evaluationView(evaluation).letter!.blocks);

describe("the edit letter", () => {
  it("quotes word for word and says what was not judged", async () => {
    const book = await readBook(STORY);
    const { letter, map, lineNotes } = bookEvaluationSchema.parse(story);
    expect(letter!.words.opening.at(-1)).toMatch(/does not understand the story/);
    expect(letter!.words.notJudged).toMatch(/^Not judged: plot and structure/);
    const quotations = [
      ...letter!.findings.flatMap(({ passages }) => passages),
      ...map!.figures.flatMap(({ passages }) => passages),
      ...map!.characters.flatMap(({ first, last }) => [first!, last!]),
      ...lineNotes!.shown,
      ...lineNotes!.strengths,
    ];
    expect(quotations.length).toBeGreaterThan(40);
    const textOf = (chapter: number) => book.chapters.find(({ index }) => index === chapter)!.text;
    for (const { chapter, start, end, quote } of quotations) expect(textOf(chapter).slice(start, end)).toBe(quote);
    expect(linesOf(story)).not.toMatch(/[{}]{2}|±|undefined|NaN/);
  });

  it("says what was found by counting, with both passages", async () => {
    const chapters = (await readBook(STORY)).chapters.map(({ text }) => text);
    const twice = chapters[1]!.split(/\n\s*\n/).find((paragraph) => paragraph.split(" ").length > 60)!;
    const evaluation = await evaluationOf([...chapters, `${twice}\n\nThe end came soon after that, for all of them.`]);
    const [first] = evaluation.letter!.findings;
    expect(first).toMatchObject({ kind: "repeated-passage", origin: "counted" });
    expect(first!.passages.map(({ chapter }) => chapter)).toEqual([2, chapters.length + 1]);
    expect(linesOf(evaluation)).toContain(first!.title);
  });

  it("holds no scores, no edit probabilities, no reasons and no praise", () => {
    const said = linesOf(story);
    expect(said).not.toMatch(/out of \d+|editor|What works|By contrast|No particular reason/i);
    const notes = JSON.stringify(evaluationView(story).notes);
    expect(notes).not.toMatch(/No particular reason|Least likely|Purple prose|Cliché/);
  });

  it("does not say that a story of twelve chapters stands out because six of them happen to end in a short line", () => {
    const { letter, map } = story;
    expect(map!.figures.find(({ id }) => id === "short-endings")!.place).toBe("above");
    expect(letter!.outside).not.toContain("short-endings");
  });

  it("says first that the file should be checked where sentences stand in random order", async () => {
    const ordered = (await readBook(STORY)).chapters.map(({ text }) => text).join(" ");
    const sentences = shuffled(ordered.split(/(?<=[.!?]["”’]?)\s+/), seededRandom(1));
    const letter = await letterOf([sentences.join(" ")]);
    expect(letter.words.opening[0]).toMatch(
      /^This does not read like the prose of a novel: .*random order.*First check that the file/,
    );
    expect(letter.words.figures).toBe("");
  });

  it("shows at most 25 line notes and three of a chapter; all of them on demand", async () => {
    const book = await readBook(STORY);
    const few = story.lineNotes!;
    const all = (await evaluateWithJury(book, { allNotes: true, letter: {} })).lineNotes!;
    expect(few.shown.length).toBeLessThanOrEqual(25);
    const perChapter = book.chapters.map(({ index }) => few.shown.filter(({ chapter }) => chapter === index).length);
    expect(Math.max(...perChapter)).toBeLessThanOrEqual(3);
    expect(all.shown).toHaveLength(all.marked);
    expect(few.shown.every(({ change }) => change >= 0.5)).toBe(true);
  });

  it("of a Chinese story is in Chinese, short, and compares with no English novel", async () => {
    const { letter, map } = await evaluateWithJury(await readBook(CHINESE));
    expect(letter!.words.language).toBe("zh");
    expect(letter!.reference).toBeNull();
    expect(letter!.words.notJudged).toMatch(/没有评判/);
    for (const { title, claim, advice } of letter!.findings)
      expect(`${title}${claim}${advice}`).toMatch(/\p{Script=Han}/u);
    expect(map!.figures.every(({ reference }) => reference === null)).toBe(true);
  });

  it("can be worded again in another language", () => {
    const { words: _, ...facts } = story.letter!;
    expect(wordLetter(facts, story, "zh").notJudged).toContain("没有评判");
  });
});
