import { groupBy } from "../../core/group-by.ts";
import type { Removal } from "../book.ts";
import type { Block } from "../manuscript.ts";
import { countWords } from "../words.ts";
import { excerpt, textOf } from "./block-text.ts";
import { type Choice, chooseHeadings } from "./choose.ts";
import { type Contents, findContents } from "./contents/contents.ts";
import { DivisionStack } from "./divisions.ts";
import { withNavigationHeadings } from "./marks/navigation-headings.ts";
import { removalOf } from "./marks/outside-story.ts";
import { splitByMarks } from "./marks/split-by-marks.ts";
import { type Outline, outlineOf } from "./outline.ts";
import { isBoilerplate, isEditorial, isLegal } from "./paratext.ts";
import type { RawChapter, Split } from "./raw-chapter.ts";
import { pagesWithText, splitWithoutHeadings } from "./split-without-headings.ts";
import { storyWords } from "./story-words.ts";
import { headingKey, joinTitle, splitHeadingLines, subtitleOf } from "./titles.ts";

/** Blocks to chapters: by the file's own marks where it has them, by the words of headings otherwise, else by length. */
export function splitIntoChapters(blocks: readonly Block[], bookTitle: string | null): Split {
  if (blocks.some((block) => block.kind === "section" && block.role === "chapter")) return splitByMarks(blocks);
  const { blocks: story, removed } = withNavigationHeadings(blocks);
  const split = splitByHeadings(story, bookTitle);
  const { finding } = split;
  const isCut = finding.unheededLines !== undefined;
  return {
    ...split,
    removed: [...removed, ...split.removed],
    finding: isCut ? { ...finding, pages: pagesWithText(blocks) } : finding,
  };
}

/** Front matter that holds this much running prose is kept as an opening without a title: narrative is never lost. */
const OPENING_WORDS = 200;

/** More lines than this that may be headings are a list, or noise: no book has so many chapters. */
const MOST_CANDIDATES = 150_000;

function splitByHeadings(blocks: readonly Block[], bookTitle: string | null): Split {
  const outline = outlineOf(blocks);
  if (outline.candidates.length > MOST_CANDIDATES) return splitWithoutHeadings(blocks);
  const contents = findContents(outline);
  const { choices: all, basis } = chooseHeadings(outline, contents, bookTitle);
  if (basis === "none") return splitWithoutHeadings(blocks);
  // In the middle of the book "ADVERTISEMENTS" or "NOTE" stands inside a chapter, and stays there.
  const choices = withoutInnerParatext(outline, all);
  const removed: Removal[] = [];
  const chapters: RawChapter[] = [];
  const divisions = new DivisionStack();
  const carried = new Carried();
  const closings: Closing[] = [];
  const doubled = doubledHeadings(outline);
  const isWhole = contents.regions.length === 0 && doubled.size === 0;
  const body = (from: number, to: number) => {
    const own = blocks.slice(from, to);
    return isWhole ? own : own.filter((_block, at) => !contents.holds(from + at) && !doubled.has(from + at));
  };
  for (const { from, to } of contents.regions) {
    removed.push({ rule: "table of contents", where: "front", text: excerpt(textOf(blocks.slice(from, to))) });
  }

  const opening = body(0, choices[0]?.candidate.at ?? 0);
  if (storyWords(opening) >= OPENING_WORDS) chapters.push({ title: null, part: null, text: textOf(opening) });
  else if (textOf(opening) !== "")
    removed.push(removalOf("front matter", "front", textOf(opening), storyWords(opening)));

  for (const [index, { candidate, role }] of choices.entries()) {
    const next = choices[index + 1]?.candidate.at ?? blocks.length;
    const heading = splitHeadingLines(candidate.lines);
    const isChosen = next === candidate.at + 1;
    const subtitle = isChosen ? [] : subtitleOf(candidate, blocks[candidate.at + 1], blocks[candidate.at + 2]);
    const from = candidate.at + (subtitle.length > 0 ? 2 : 1);
    const title = joinTitle([...heading.title, ...subtitle]);
    const below = textOf(body(from, next));
    const text = heading.rest.length === 0 ? below : [heading.rest.join(" "), below].filter(Boolean).join("\n\n");
    switch (role) {
      case "paratext": {
        const series = candidate.recognition?.series ?? "paratext";
        if (isBoilerplate(series))
          removed.push(removalOf(series, title, text, isLegal(series) ? 0 : storyWords(body(from, next))));
        else if (isEditorial(series)) removed.push(removalOf(series, title, text, countWords(text)));
        else if (isFront(outline, candidate.at) || chapters.length === 0) carried.add(title, text);
        // "NOTE" after the last chapter may be the ending of the novel.
        else closings.push({ to: chapters.length - 1, title, text });
        break;
      }
      case "division":
        divisions.enter(title, candidate);
        if (countWords(text) >= DIVISION_PROSE_WORDS)
          chapters.push(carried.into({ title, part: divisions.path(), text }));
        else if (text !== "") carried.addText(text);
        break;
      case "lead-in":
        carried.add(title, text);
        break;
      case "chapter":
        if (text !== "" || !carried.isEmpty) chapters.push(carried.into({ title, part: divisions.path(), text }));
        break;
      default:
        role satisfies never;
    }
  }
  if (!carried.isEmpty) chapters.push(carried.into({ title: null, part: divisions.path(), text: "" }));
  // Whatever the headings say, the text stands somewhere.
  if (chapters.length === 0) return splitWithoutHeadings(blocks);
  const doubtful = doubtfulTitles(choices, contents);
  const finding = {
    ...(contents.entries.length > 0 && { contents: contents.entries }),
    ...(doubtful.length > 0 && { doubtfulTitles: doubtful }),
  };
  return { chapters: withClosings(chapters, closings), removed, finding };
}

/** Under a part's title this much text is a piece of the story, not a motto. */
const DIVISION_PROSE_WORDS = 60;

/** What stands before a chapter and is counted with it: a storyteller's lead-in, the motto of a part, a note to the reader. */
class Carried {
  #text = "";
  #titles: string[] = [];

  get isEmpty(): boolean {
    return this.#text === "";
  }

  add(title: string, text: string): void {
    this.#titles.push(title);
    this.addText(`${title}\n\n${text}`);
  }

  addText(text: string): void {
    this.#text += `${text}\n\n`;
  }

  into(chapter: RawChapter): RawChapter {
    const [text, includes] = [(this.#text + chapter.text).trimEnd(), this.#titles];
    this.#text = "";
    this.#titles = [];
    return { ...chapter, text, ...(includes.length > 0 && { includes }) };
  }
}

/** A piece without a number that is counted with the chapter before it. */
interface Closing {
  /** The position of that chapter. */
  readonly to: number;
  readonly title: string;
  readonly text: string;
}

/** A file may end in thousands of notes: each chapter is put together once. */
function withClosings(chapters: readonly RawChapter[], closings: readonly Closing[]): readonly RawChapter[] {
  const byChapter = groupBy(closings, ({ to }) => to);
  return chapters.map((chapter, position) => {
    const own = byChapter.get(position);
    if (!own) return chapter;
    const text = [chapter.text, ...own.flatMap((closing) => [closing.title, closing.text])]
      .filter(Boolean)
      .join("\n\n");
    return { ...chapter, text, includes: [...(chapter.includes ?? []), ...own.map(({ title }) => title)] };
  });
}

/** A heading printed twice, with nothing between, stands over its chapter once. */
function doubledHeadings({ candidates }: Outline): ReadonlySet<number> {
  const first = candidates.filter(({ lines, recognition, wordsAfter }, index) => {
    const next = candidates[index + 1];
    return (
      recognition?.number != null &&
      wordsAfter === 0 &&
      next &&
      headingKey(joinTitle(lines)) === headingKey(joinTitle(next.lines))
    );
  });
  return new Set(first.map(({ at }) => at));
}

/** In a plain text a line in capitals after the last number may head an epilogue, or stand in a newspaper that somebody reads. */
function doubtfulTitles(choices: readonly Choice[], contents: Contents): readonly string[] {
  const chapters = choices.filter(({ role }) => role === "chapter").map(({ candidate }) => candidate);
  const last = chapters.findLastIndex(({ recognition }) => recognition?.number != null);
  if (last < 1) return [];
  return chapters
    .slice(last + 1)
    .filter(({ recognition, level }) => recognition === null && level === 0)
    .map(({ lines }) => joinTitle(lines))
    .filter((title) => !contents.titles.has(headingKey(title)));
}

function isFront(outline: Outline, at: number): boolean {
  return outline.wordsBefore[at]! < 0.1 * outline.wordsBefore[outline.blocks.length]!;
}

/** Notes, lists and advertisements stand before the first chapter or after the last, and are short beside the story. */
function withoutInnerParatext(outline: Outline, choices: readonly Choice[]): readonly Choice[] {
  const total = outline.wordsBefore[outline.blocks.length]!;
  const first = choices.find(({ role }) => role === "chapter")?.candidate.at ?? 0;
  const last = choices.findLast(({ role }) => role === "chapter")?.candidate.at ?? 0;
  return choices.filter(({ role, candidate: { at } }, index) => {
    if (role !== "paratext") return true;
    if (at > first && at < last) return false;
    const position = outline.wordsBefore[at]! / total;
    const next = choices[index + 1]?.candidate.at ?? outline.blocks.length;
    const share = (outline.wordsBefore[next]! - outline.wordsBefore[at]!) / total;
    return (position < 0.1 || position > 0.85) && share < 0.15;
  });
}
