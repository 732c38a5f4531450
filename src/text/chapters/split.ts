import { groupBy } from "../../core/group-by.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { ChapterRecognition, ConsideredStrategy, Removal } from "../book.ts";
import type { Block, RawChapter, SectionStart, Split } from "../manuscript.ts";
import { splitSentences } from "../sentences.ts";
import { countWords } from "../words.ts";
import {
  type Choice,
  type Chosen,
  chooseHeadings,
  RANK_OF_DATES,
  RANK_OF_DECLARED,
  RANK_OF_PAGES,
  rounded,
  scoreOf,
} from "./choose.ts";
import { type Contents, findContents } from "./contents.ts";
import { isBareLabel } from "./heading-layout.ts";
import { DivisionStack, declaredEvidence, excerpt, outsideStory, removalOf, splitByMarks, textOf } from "./marks.ts";
import { type Candidate, type Outline, outlineOf } from "./outline.ts";
import { isBoilerplate, isDate, isEditorial, isLegal, recogniseHeading } from "./recognise.ts";
import { mayBeTitle } from "./title-case.ts";
import { headingKey, joinTitle, splitHeadingLines, subtitleOf } from "./titles.ts";

const LONGEST_LINE = 60;
const WORDS_BETWEEN = 100;

/**
 * If no headings were found: short lines on their own that look like headings, such as the dates of a diary or titles that
 * nothing sets apart. They are too uncertain to cut at, but likely enough to mention.
 */
function unheededLines(blocks: readonly Block[]): string[] {
  const lines: string[] = [];
  let open: string | null = null;
  let words = 0;
  const close = () => {
    if (open !== null && words >= WORDS_BETWEEN) lines.push(open);
    open = null;
    words = 0;
  };
  for (const block of blocks) {
    const text = block.kind === "heading" ? block.lines.join(" ") : block.kind === "paragraph" ? block.text : "";
    if (text !== "" && text.length <= LONGEST_LINE && (mayBeTitle([text]) || isDate(text))) {
      close();
      open = text;
    } else if (text !== "" && words < WORDS_BETWEEN) words += countWords(text);
  }
  close();
  return lines;
}

/** The length of an ordinary chapter; a piece ends at the next scene break after it, or at a paragraph's end. */
const PIECE_WORDS = 3000;
const LONGEST_PIECE_WORDS = 4500;

/** Without headings: pieces of a chapter's length, cut at scene breaks if there are any, otherwise at paragraph ends. */
function splitWithoutHeadings(blocks: readonly Block[]): Split {
  const pieces: Block[][] = [];
  let piece: Block[] = [];
  let words = 0;
  const cut = () => {
    if (piece.length > 0) pieces.push(piece);
    piece = [];
    words = 0;
  };
  for (const block of blocks.flatMap(inReach)) {
    if (block.kind === "break" && words >= PIECE_WORDS) {
      cut();
      continue;
    }
    const count = block.kind === "paragraph" ? countWords(block.text) : 0;
    if (words + count > LONGEST_PIECE_WORDS && words > 0) cut();
    piece.push(block);
    words += count;
  }
  cut();
  const texts = pieces.map(textOf).filter((text) => text !== "");
  return {
    chapters: texts.map((text) => ({ title: null, part: null, text })),
    removed: [],
    finding: { unheededLines: unheededLines(blocks) },
  };
}

/** Fewer words between two page breaks are a title page, or the pages of a scan. */
const FEWEST_WORDS_OF_PAGE_CHAPTER = 300;

/**
 * If there are no headings and the writer began every chapter on a new page, the page breaks divide the chapters.
 * Null if the pages are those of the paper, which cut sentences and are all of the same length.
 */
function splitAtPages(blocks: readonly Block[]): Split | null {
  const pieces: Block[][] = [[]];
  for (const block of blocks) {
    if (block.kind === "break" && block.isPage) pieces.push([]);
    else pieces.at(-1)!.push(block);
  }
  if (pieces.length < 3) return null;
  const written = pieces.map((piece) => ({ piece, text: textOf(piece) })).filter(({ text }) => text !== "");
  const long = written.filter(({ text }) => countWords(text) >= FEWEST_WORDS_OF_PAGE_CHAPTER);
  const ended = long.filter(({ text }) => SENTENCE_END.test(text));
  if (long.length < 3 || long.length < written.length * MOST_OF_PAGES || ended.length < long.length * MOST_OF_PAGES) {
    return null;
  }
  const front = written[0] !== long[0] && storyWords(written[0]!.piece) < OPENING_WORDS ? written[0] : undefined;
  return {
    chapters: written.filter((piece) => piece !== front).map(({ piece, text }) => pageChapter(piece, text)),
    removed: front ? [removalOf("front matter", "front", front.text, storyWords(front.piece))] : [],
    finding: {},
  };
}

const MOST_OF_PAGES = 0.75;

/** A page may have a heading although too few of the other pages have one. */
function pageChapter(piece: readonly Block[], text: string): RawChapter {
  const [first, ...rest] = piece;
  const below = first?.kind === "heading" ? textOf(rest) : "";
  if (first?.kind !== "heading" || below === "") return { title: null, part: null, text };
  return { title: joinTitle(first.lines), part: null, text: below };
}

/** A diary or letters, each under its date, if nothing else divides the book. */
function splitAtDates({ blocks, wordsBefore, candidates }: Outline): Split | null {
  const dates: number[] = [];
  // "CHAPTER 12" alone is not a date: a file that consists of such lines need not be searched for months.
  let next = 0;
  for (const [at, block] of blocks.entries()) {
    if (candidates[next]?.at === at && isBareLabel(candidates[next++]!)) continue;
    const text = block.kind === "paragraph" ? block.text : block.kind === "heading" ? block.lines.join(" ") : "";
    if (text.length <= LONGEST_LINE && isDate(text) && !SENTENCE_END.test(text.replace(/\.$/, ""))) dates.push(at);
  }
  const words = wordsBefore.at(-1)!;
  const isEnough = dates.length >= FEWEST_DATES && words >= dates.length * WORDS_BETWEEN;
  if (!isEnough || wordsBefore[dates[0]!]! > words * LONGEST_OPENING) return null;
  const opening = textOf(blocks.slice(0, dates[0]));
  const chapters = dates.map((at, index) => {
    const block = blocks[at]!;
    const title = block.kind === "heading" ? joinTitle(block.lines) : block.kind === "paragraph" ? block.text : null;
    return { title, part: null, text: textOf(blocks.slice(at + 1, dates[index + 1])) };
  });
  const isFront = storyWords(blocks.slice(0, dates[0])) < OPENING_WORDS;
  return {
    chapters: [
      ...(isFront ? [] : [{ title: null, part: null, text: opening }]),
      ...chapters.filter(({ text }) => text),
    ],
    removed:
      isFront && opening !== ""
        ? [removalOf("front matter", "front", opening, storyWords(blocks.slice(0, dates[0])))]
        : [],
    finding: {},
  };
}

const FEWEST_DATES = 3;
/** The share of the book that may precede the first date. */
const LONGEST_OPENING = 0.1;

/** How many of the file's pages contain more than a title. */
function pagesWithText(blocks: readonly Block[]): number {
  let pages = 0;
  let words = 0;
  for (const block of blocks) {
    if (block.kind === "section") words = 0;
    if (block.kind !== "paragraph" || words >= FEWEST_PAGE_WORDS) continue;
    words += countWords(block.text);
    if (words >= FEWEST_PAGE_WORDS) pages++;
  }
  return pages;
}

const FEWEST_PAGE_WORDS = 100;

/** A paragraph longer than a piece, such as a whole novel in one line, is cut at sentence ends. */
function inReach(block: Block): readonly Block[] {
  // A word has at least one character, so a text with fewer characters than this has fewer words too.
  if (block.kind !== "paragraph" || block.text.length <= LONGEST_PIECE_WORDS) return [block];
  if (countWords(block.text) <= LONGEST_PIECE_WORDS) return [block];
  const parts: Block[] = [];
  let from = 0;
  let words = 0;
  const sentences = splitSentences(block.text);
  for (const [at, { start, end }] of sentences.entries()) {
    words += countWords(block.text.slice(start, end));
    if (words < PIECE_WORDS && at < sentences.length - 1) continue;
    parts.push({ kind: "paragraph", text: block.text.slice(from, end).trim() });
    from = end;
    words = 0;
  }
  return parts;
}

const PROSE_PARAGRAPH_WORDS = 30;
const FEWEST_SENTENCE_WORDS = 3;
const SENTENCE_END = /[.!?…。！？」』]["”’'»)）]*$/u;
/** Words that occur in imprints but not in stories. */
const IMPRINT =
  /copyright|©|all rights reserved|\bisbn\b|printed (?:in|by)|published (?:by|in)|first published|project gutenberg|transcrib|版权所有|版權所有/i;

/** Counts the words that read like a story: long paragraphs, and short ones that are sentences, as in a dialogue. */
function storyWords(blocks: readonly Block[]): number {
  let words = 0;
  for (const block of blocks) {
    // Lines one under another are a title page, a dedication or verse.
    if (block.kind !== "paragraph" || block.text.includes("\n") || IMPRINT.test(block.text)) continue;
    const count = countWords(block.text);
    if (count >= PROSE_PARAGRAPH_WORDS || (count >= FEWEST_SENTENCE_WORDS && SENTENCE_END.test(block.text)))
      words += count;
  }
  return words;
}

/** One way to read the chapters, and the chapters that it gives. */
interface Attempt {
  readonly strategy: ConsideredStrategy;
  readonly score: number;
  readonly split: () => Split;
}

/** A file with more possible headings than this is a list, or noise: no book has so many chapters. */
const MOST_CANDIDATES = 150_000;

/**
 * Divides blocks into chapters. The file's own declaration, every strategy for its headings, page breaks and dates compete on how
 * well they explain the whole book; a text that none of them divides is cut by length.
 */
export function splitIntoChapters(blocks: readonly Block[], bookTitle: string | null, wanted?: string): Split {
  const isDeclared = blocks.some((block) => block.kind === "section" && block.role === "chapter");
  const { blocks: story, removed } = withNavigationHeadings(blocks);
  const outline = outlineOf(story, isDeclared);
  if (outline.candidates.length > MOST_CANDIDATES) {
    const split = isDeclared ? splitByMarks(blocks) : { ...splitWithoutHeadings(story), removed };
    return { ...split, finding: { ...split.finding, considered: [] } };
  }
  const contents = findContents(outline);
  const { chosen, considered } = chooseHeadings(outline, contents, bookTitle, wanted);
  const attempts = [
    ...(isDeclared ? [declaredAttempt(blocks, wanted)] : []),
    ...(chosen === null ? [] : [headingAttempt(outline, contents, chosen, considered, removed)]),
    ...attemptBy(PAGE_BREAKS, RANK_OF_PAGES, splitAtPages(story), wanted, removed),
    ...attemptBy(DATES, RANK_OF_DATES, splitAtDates(outline), wanted, removed),
  ];
  const best = attempts.reduce<Attempt | null>((most, next) => (most && most.score >= next.score ? most : next), null);
  const strategyNamed = (by: string, certainty: ChapterRecognition["certainty"]) =>
    attempts.find(({ strategy }) => strategy.by === by)?.strategy ?? { by, certainty, chapters: null };
  const all = [
    ...(isDeclared ? [strategyNamed(DECLARED, "certain")] : []),
    ...considered,
    strategyNamed(PAGE_BREAKS, "guess"),
    strategyNamed(DATES, "guess"),
  ];
  const split = best?.split() ?? { ...splitWithoutHeadings(story), removed };
  const isCut = split.finding.unheededLines !== undefined;
  // What the file declares as its body, without a heading anywhere, is a story in one piece.
  if (isCut && blocks.some((block) => block.kind === "section" && block.role === "body")) {
    return { ...splitByMarks(blocks), finding: { considered: all } };
  }
  const finding = { ...split.finding, considered: all };
  if (isCut || best === null) return { ...split, finding: { ...finding, pages: pagesWithText(blocks) } };
  const { by, certainty } = best.strategy;
  return { ...split, finding: { ...finding, recognised: { by, certainty } } };
}

const DECLARED = "the file's own division";
const PAGE_BREAKS = "page breaks";
const DATES = "dates";

function declaredAttempt(blocks: readonly Block[], wanted: string | undefined): Attempt {
  const { evidence, inner } = declaredEvidence(blocks);
  const split = splitByMarks(blocks);
  const strategy = { by: DECLARED, certainty: "certain" as const, chapters: split.chapters.length, ...evidence };
  const score = scoreOf(strategy, RANK_OF_DECLARED, wanted);
  const finding = inner.length > 0 && wanted !== DECLARED ? { unheededHeadings: inner } : {};
  return { strategy: { ...strategy, score: rounded(score) }, score, split: () => ({ ...split, finding }) };
}

/** For page breaks and dates: without headings, both are guesses. */
function attemptBy(
  by: string,
  rank: number,
  split: Split | null,
  wanted: string | undefined,
  removed: readonly Removal[],
): Attempt[] {
  if (split === null) return [];
  const { chapters } = split;
  const front = sumBy(split.removed, ({ words = 0 }) => words);
  const total = front + sumBy(chapters, ({ text }) => countWords(text));
  const strategy = {
    ...{ by, certainty: "guess" as const, chapters: chapters.length },
    ...{ coverage: 1 - front / (total || 1), counting: null },
  };
  const score = scoreOf(strategy, rank, wanted);
  const whole = { ...split, removed: [...removed, ...split.removed] };
  return [{ strategy: { ...strategy, score: rounded(score) }, score, split: () => whole }];
}

function headingAttempt(
  outline: Outline,
  contents: Contents,
  chosen: Chosen,
  considered: readonly ConsideredStrategy[],
  removed: readonly Removal[],
): Attempt {
  const strategy = considered.find(({ by }) => by === chosen.recognised.by)!;
  const split = () => {
    const divided = splitAtHeadings(outline, contents, chosen);
    return { ...divided, removed: [...removed, ...divided.removed] };
  };
  return { strategy, score: chosen.score, split };
}

/** Front matter with this much running prose is kept as an opening without a title, so that narrative is never lost. */
const OPENING_WORDS = 200;

function splitAtHeadings(outline: Outline, contents: Contents, chosen: Chosen): Split {
  const { blocks } = outline;
  // In the middle of the book "ADVERTISEMENTS" or "NOTE" is inside a chapter, and stays there.
  const choices = withoutInnerParatext(outline, chosen.choices);
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
    const isFollowedByHeading = next === candidate.at + 1 || isSectionTitle(blocks, candidate, next);
    const subtitle = isFollowedByHeading
      ? []
      : subtitleOf(candidate, blocks[candidate.at + 1], blocks[candidate.at + 2]);
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
  // Whatever the headings say, no text is lost.
  if (chapters.length === 0) return splitWithoutHeadings(blocks);
  const doubtful = doubtfulTitles(choices, contents);
  const finding = {
    ...(chosen.unheededPlaces.length > 0 && { unheededPlaces: chosen.unheededPlaces }),
    ...(contents.entries.length > 0 && { contents: contents.entries }),
    ...(doubtful.length > 0 && { doubtfulTitles: doubtful }),
  };
  return { chapters: withClosings(chapters, closings), removed, finding };
}

/** The title of a chapter's first section, lower than the chapter's own and followed by others of its rank in the chapter. */
function isSectionTitle(blocks: readonly Block[], { at, level }: Candidate, next: number): boolean {
  const first = blocks[at + 1];
  if (level === 0 || first?.kind !== "heading" || first.level <= level) return false;
  return blocks.slice(at + 2, next).some((block) => block.kind === "heading" && block.level === first.level);
}

/** Under a part's title this much text is a piece of the story, not a motto. */
const DIVISION_PROSE_WORDS = 60;

/** Text before a chapter that counts as part of it: a storyteller's lead-in, the motto of a part, a note to the reader. */
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
    if (this.#text === "" && this.#titles.length === 0) return { ...chapter, text: chapter.text.trimEnd() };
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

/** A file may end in thousands of notes, so the text of each chapter is joined only once. */
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

/** The first of two equal headings with nothing between them: together they count once. */
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

/** In a plain text, a line in capitals after the last number may be the heading of an epilogue, or a headline in the story. */
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

/** Notes, lists and advertisements come before the first chapter or after the last, and are short compared with the story. */
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

/**
 * Turns places that an archive's navigation names into headings if the page does not mark them, and marks the headings that the
 * navigation lists. Removes the pages around the story.
 */
function withNavigationHeadings(blocks: readonly Block[]): StoryPages {
  const story = storyPages(blocks);
  if (story.blocks.some(({ kind }) => kind === "paragraph")) return story;
  // A file that declares every page to be outside the story is wrong.
  return storyPages(blocks.map((block) => (block.kind === "section" ? { ...block, role: "unknown" } : block)));
}

function isNumberAlone(text: string): boolean {
  const recognition = text.length <= LONGEST_LINE ? recogniseHeading(text) : null;
  return recognition?.number != null && recognition.rest === "";
}

interface StoryPages {
  readonly blocks: readonly Block[];
  readonly removed: readonly Removal[];
}

function storyPages(blocks: readonly Block[]): StoryPages {
  const result: Block[] = [];
  const removed: Removal[] = [];
  let skipped: { readonly section: SectionStart; readonly blocks: Block[] } | null = null;
  const endSkipped = () => {
    if (skipped !== null) removed.push(...outsideStory(skipped.section, skipped.blocks));
    skipped = null;
  };
  let isNamed = false;
  let unmarked = -1;
  for (const [index, block] of blocks.entries()) {
    if (index <= unmarked) continue;
    if (block.kind === "section") {
      endSkipped();
      skipped = block.role === "paratext" ? { section: block, blocks: [] } : null;
      isNamed = skipped === null && block.title !== null && !block.isFileName;
      const next = blocks[index + 1];
      const below = blocks[index + 2];
      if (isNamed && next?.kind === "paragraph" && below?.kind === "heading" && isNumberAlone(next.text)) {
        // The number of a chapter as a paragraph above its title.
        result.push({ ...below, lines: [next.text, ...below.lines], isListed: true });
        [isNamed, unmarked] = [false, index + 2];
        continue;
      }
      if (isNamed && block.title !== null && next?.kind === "paragraph") {
        result.push({ kind: "heading", lines: [block.title], level: 2, isListed: true });
        isNamed = false;
        // The page also has its title as an ordinary line.
        if (headingKey(next.text) === headingKey(block.title)) unmarked = index + 1;
      }
      continue;
    }
    if (skipped !== null) {
      skipped.blocks.push(block);
      continue;
    }
    result.push(isNamed && block.kind === "heading" ? { ...block, isListed: true } : block);
    isNamed = false;
  }
  endSkipped();
  return { blocks: result, removed };
}
