import { describe, expect, it } from "vitest";
import { assetPath } from "../../../core/assets.ts";
import { bookEvaluationSchema } from "../../../judge/evaluation.ts";
import type { QuotedPassage } from "../../../judge/letter/quoted-passage.ts";
import { wordLetter } from "../../../report/letter/word-letter.ts";
import { readBook } from "../../../text/read-book.ts";
import { evaluateWithJury } from "../jury/evaluate-with-jury.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");
const CHINESE = assetPath("examples", "the-lamp-at-mist-harbour.zh.md");

describe("the edit letter", () => {
  it("quotes word for word, lists nothing inside the reference, and says what was not judged", async () => {
    const book = await readBook(STORY);
    const evaluation = await evaluateWithJury(book);
    const { letter, map, lineNotes } = bookEvaluationSchema.parse(evaluation);
    expect(letter!.words.opening).toHaveLength(3);
    expect(letter!.words.opening[2]).toMatch(/does not understand the story.*plot and structure.*not judged/i);
    expect(letter!.items.length).toBeGreaterThan(0);
    expect(letter!.words.items).toHaveLength(letter!.items.length);
    for (const { figure, passages } of letter!.items) {
      expect(figure === null || figure.place === "above" || figure.place === "below").toBe(true);
      expect(passages.length).toBeGreaterThan(0);
    }
    const quotations: QuotedPassage[] = [
      ...letter!.items.flatMap(({ passages, better }) => [...passages, ...(better ? [better] : [])]),
      ...letter!.works.passages,
      ...map!.figures.flatMap(({ passages }) => passages),
      ...map!.characters.flatMap(({ first, last }) => [first!, last!]),
    ];
    expect(quotations.length).toBeGreaterThan(40);
    const textOf = (chapter: number) => book.chapters.find(({ index }) => index === chapter)!.text;
    for (const { chapter, start, end, quote } of quotations) expect(textOf(chapter).slice(start, end)).toBe(quote);
    for (const { chapter, start, end, quote } of [...lineNotes!.shown, ...lineNotes!.strengths]) {
      expect(textOf(chapter).slice(start, end)).toBe(quote);
    }
    expect(JSON.stringify(letter!.words)).not.toMatch(/[{}]{2}|±|undefined|NaN/);
  });

  it("shows at most 25 line notes and three of a chapter; all of them on demand", async () => {
    const book = await readBook(STORY);
    const few = (await evaluateWithJury(book)).lineNotes!;
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
    expect(letter!.words.opening.join("")).toMatch(/没有评判/);
    expect(map!.figures.every(({ reference }) => reference === null)).toBe(true);
  });

  it("can be worded again in another language without its facts changing", async () => {
    const evaluation = await evaluateWithJury(await readBook(STORY));
    const { words: _, ...facts } = evaluation.letter!;
    const chinese = wordLetter(facts, evaluation, "zh");
    expect(chinese.items).toHaveLength(facts.items.length);
    expect(chinese.opening[2]).toContain("没有评判");
  });
});
