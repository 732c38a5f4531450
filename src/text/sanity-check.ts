import { firstFew } from "../core/wording.ts";
import { sumBy } from "../stats/distribution.ts";
import type { Book, Chapter, ChapterFinding, ContentsEntry } from "./book.ts";
import { isWithoutZeros } from "./chapters/numbers.ts";
import { recogniseHeading } from "./chapters/recognise.ts";
import { headingKey } from "./chapters/titles.ts";
import type { Recognition } from "./manuscript.ts";
import { countWords } from "./words.ts";

/** Warns of two consecutive chapters with the same number (the file may contain one twice) and of numbering that begins again. */
function numberingWarnings(chapters: readonly Chapter[]): string[] {
  const repeats: string[] = [];
  const last = new Map<string, { number: number; rest: string; part: string | undefined }>();
  const headings = chapters.map(({ title }) => recogniseHeading(title ?? ""));
  for (const [at, { title, part }] of chapters.entries()) {
    const recognition = headings[at];
    if (!recognition?.number) continue;
    const { kind, series, number, rest } = recognition;
    // BOOK I, CHAPTER II: the book's number stays while its chapters count.
    if (kind === "division" && recogniseHeading(rest)?.kind === "chapter") continue;
    const previous = last.get(series);
    // Books and parts number their chapters from one again.
    const isRepeated = previous !== undefined && previous.part === part && previous.number === number;
    // A chapter in numbered pieces, 第一章（一） and 第一章（二）, repeats its number correctly.
    if (isRepeated && (!isPieceNumber(rest) || rest === previous.rest)) repeats.push(`${number} at “${title}”`);
    last.set(series, { number, rest, part });
  }
  const restarts = restartsIn(chapters, headings);
  const again =
    restarts.length > 0 ? [`The numbering begins again without the title of a part: ${firstFew(restarts, 5)}.`] : [];
  return repeats.length > 0
    ? [`Two chapters in a row have the same number: ${firstFew(repeats, 5)}.`, ...again]
    : again;
}

/**
 * One and two after two or more, in the same part and series, with nothing unnumbered between: two books in one file, or the
 * title of a part was missed. 第一回 alone may be a 第一〇〇回 that lost its zeros.
 */
function restartsIn(chapters: readonly Chapter[], headings: readonly (Recognition | null)[]): string[] {
  const found = chapters.filter(({ part }, at) => {
    const [before, here, after] = [headings[at - 1], headings[at], headings[at + 1]];
    if (here?.number !== 1 || after?.number !== 2 || (before?.number ?? 0) < 2) return false;
    return before?.series === here.series && here.series === after.series && chapters[at - 1]?.part === part;
  });
  return found.map(({ index, title }) => `chapter ${index} “${title}”`);
}

/** （一）, 上, (ii), before a title or after it. */
const PIECE_FIRST =
  /^(?:[（(【[][\d一二三四五六七八九十ivx上中下]+[）)】\]]|[\d一二三四五六七八九十ivx上中下]+(?!\p{L}))/iu;
const PIECE_LAST = /[（(【[][\d一二三四五六七八九十ivx上中下]+[）)】\]]$/iu;

function isPieceNumber(rest: string): boolean {
  return PIECE_FIRST.test(rest) || PIECE_LAST.test(rest);
}

/** Chapters whose titles the table of contents lists and the text lacks, if most of the titles were found. */
function missingTitles(contents: readonly ContentsEntry[], chapters: readonly Chapter[]): string[] {
  const titles = new Map<string, string>();
  for (const { title, number, isJoined } of contents) {
    if (number === null && !isJoined && recogniseHeading(title) === null) titles.set(keyOf(title), title);
  }
  // If there are as many chapters as titles, one of the two is misspelt.
  if (titles.size < FEWEST_TITLES || chapters.length >= titles.size) return [];
  const found = new Set(chapters.flatMap(({ title, part, includes = [] }) => [title, part, ...includes]).map(keyOf));
  const missing = [...titles].filter(([key]) => key.length >= SHORTEST_TITLE && !found.has(key));
  if (missing.length === 0 || missing.length > titles.size * MOST_MISSING) return [];
  const titlesInWords = missing.map(([, title]) => `“${title.trim()}”`);
  return [`The table of contents lists chapters that were not found: ${firstFew(titlesInWords, 5)}.`];
}

const FEWEST_TITLES = 4;
const SHORTEST_TITLE = 3;
/** If more are missing, the table is of another kind: sections, pictures, people. */
const MOST_MISSING = 0.4;

function keyOf(title: string | null | undefined): string {
  return headingKey(title ?? "");
}

/** Chapters whose numbers the table of contents lists and the text lacks: the file is cut, or a heading was missed. */
function missingNumbers(contents: readonly ContentsEntry[], chapters: readonly Chapter[]): string[] {
  const listed = new Set(contents.map(({ number }) => number));
  // Only an unbroken count is trusted: "L. Frank Baum" is not chapter 50.
  const promised = new Set<number>();
  while (listed.has(promised.size + 1)) promised.add(promised.size + 1);
  if (promised.size < 3) return [];
  const found = new Set(chapters.map(({ title }) => recogniseHeading(title ?? "")?.number ?? null));
  const numbered = [...promised].filter((number) => found.has(number)).length;
  // Chapters without numbers may still be all that the table lists.
  if (numbered === 0 && chapters.length >= promised.size) return [];
  const missing = [...promised].filter((number) => !found.has(number)).sort((one, other) => one - other);
  if (missing.length === 0 || (numbered === 0 && chapters.length > 1)) return [];
  return [`The table of contents lists chapters that were not found: ${firstFew(missing, 5)}.`];
}

/** Contradictions among the chapters, or with what the file itself says about them. */
function findingWarnings({ chapters, finding = {} }: Pick<Book, "chapters" | "finding">): string[] {
  const { contents = [], doubtfulTitles = [], unheededLines, pages = 1 } = finding;
  return [
    ...(unheededLines === undefined ? numberingWarnings(chapters) : withoutHeadings(chapters, unheededLines, pages)),
    ...doubtfulEnds(chapters, doubtfulTitles),
    ...missingNumbers(contents, chapters),
    ...missingTitles(contents, chapters),
    ...repeatedChapters(chapters),
    ...unheededPlaces(chapters.length, finding),
    ...unheededHeadings(chapters.length, finding),
  ];
}

/** The file declares chapters within which its headings begin others. Both readings are reported. */
function unheededHeadings(chapters: number, { unheededHeadings: inner = [] }: ChapterFinding): string[] {
  if (inner.length < FEWEST_LINES || inner.length < chapters * LARGEST_UNHEEDED) return [];
  return [
    `Inside the ${chapters} chapters that the file declares, ${inner.length} headings say that a chapter begins (${listed(inner)}): they were read as sections. If they are chapters, the book has about ${chapters + inner.length}.`,
  ];
}

/** The navigation lists places inside the chapters: scenes, or chapters that were missed. Both readings are reported. */
function unheededPlaces(chapters: number, { recognised, unheededPlaces: places = [] }: ChapterFinding): string[] {
  if (!recognised || places.length < FEWEST_LINES || places.length < chapters * LARGEST_UNHEEDED) return [];
  return [
    `The file's navigation names ${places.length} places inside the ${chapters} chapters (${listed(places)}): they were read as sections. If they are chapters, the book has about ${chapters + places.length}.`,
  ];
}

const LARGEST_UNHEEDED = 0.2;

const FEWEST_LINES = 3;

/** For a text that was cut by length. If a person named its chapters, only lines that begin none of them are mentioned. */
function withoutHeadings(chapters: readonly Chapter[], unheeded: readonly string[], pages: number): string[] {
  const isNamed = chapters.some(({ title }) => title !== null);
  const begun = new Set(isNamed ? chapters.flatMap(({ title, text }) => [title, text.split("\n", 1)[0]]) : []);
  const lines = unheeded.filter((line) => !begun.has(line));
  const cut = isNamed ? [] : cutText(chapters.length, pages);
  if (lines.length < FEWEST_LINES) return cut;
  return [...cut, `No chapter headings were found, but some lines may be headings: ${listed(lines)}.`];
}

function listed(titles: readonly string[]): string {
  return firstFew(
    titles.map((title) => `“${title}”`),
    MOST_LISTED,
  );
}

function cutText(pieces: number, pages: number): string[] {
  const from = pages > 1 ? ` in the file's ${pages} pages` : "";
  if (pieces > 1)
    return [
      `No chapter headings were found${from}: the text was cut into ${pieces} pieces at scene breaks and paragraph ends.`,
    ];
  return pages > 1 ? [`No chapter headings were found${from}: they were read as one chapter.`] : [];
}

function doubtfulEnds(chapters: readonly Chapter[], titles: readonly string[]): string[] {
  const doubtful = new Set(titles);
  const ends = chapters.filter(({ title }) => title !== null && doubtful.has(title));
  return ends.map(
    ({ index, title }) =>
      `Chapter ${index} “${title}” after the last numbered one has no number: it may be a headline or a letter inside that chapter.`,
  );
}

/** Files from the web sometimes contain one chapter's text under several headings, and a judge would count it each time. */
function repeatedChapters(chapters: readonly Chapter[]): string[] {
  const first = new Map<string, number>();
  const repeats: string[] = [];
  for (const { index, text } of chapters) {
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, index);
    else repeats.push(`${index} repeats ${earlier}`);
  }
  if (repeats.length === 0) return [];
  const shown = repeats.slice(0, 5).join(", ");
  return [`Some chapters hold the same text: ${shown}${repeats.length > 5 ? ` and ${repeats.length - 5} more` : ""}.`];
}

/** What the check looks at: a book before its warnings are complete. */
export type CheckedBook = Pick<Book, "chapters" | "removed" | "words" | "finding"> & {
  readonly source: Pick<Book["source"], "pages">;
  /** The titles of chapters that a person joined to others or set aside: the file is right to declare and number them. */
  readonly dissolved?: readonly (string | null)[];
};

/** Whether the reading makes sense. A verdict on a misread book is worthless, so whatever looks misread is reported. */
export function sanityWarnings(book: CheckedBook): string[] {
  return [
    ...findingWarnings(book),
    ...undivided(book),
    ...longChapters(book),
    ...(book.words >= FEWEST_WORDS ? brokenEnd(book.chapters) : []),
    ...missingBeginning(book),
    ...jumps(book),
    ...declaredChapters(book),
    ...removedStory(book),
  ];
}

/** A shorter text is a scene or a sample, which may end anywhere. */
const FEWEST_WORDS = 500;
const TIMES_THE_MEDIAN = 6;
const LONG_CHAPTER_WORDS = 1500;
/** If the file declares its chapters, a long one was intended. */
const TIMES_THE_MEDIAN_DECLARED = 12;
const FEWEST_CHAPTERS = 5;

function longChapters({ chapters, source }: CheckedBook): string[] {
  if (chapters.length < FEWEST_CHAPTERS) return [];
  const times = source.pages?.chapter ? TIMES_THE_MEDIAN_DECLARED : TIMES_THE_MEDIAN;
  const lengths = chapters.map(({ words }) => words).sort((one, other) => one - other);
  const median = lengths[lengths.length >> 1]!;
  return chapters
    .filter(({ words }) => words > LONG_CHAPTER_WORDS && words > times * median)
    .slice(0, MOST_LISTED)
    .map(
      ({ index, title, words }) =>
        `Chapter ${index}${named(title)} has ${count(words)} words, ${Math.round(words / median)} times the median: headings inside it may have been missed.`,
    );
}

/** Longer than any chapter and most stories. */
const NOVEL_WORDS = 20_000;

function undivided({ chapters }: CheckedBook): string[] {
  const words = chapters.length === 1 ? chapters[0]!.words : 0;
  if (words < NOVEL_WORDS) return [];
  return [`The text is not divided into chapters: it was read as one of ${count(words)} words.`];
}

const MOST_LISTED = 3;
const CLOSED = /[.!?…。！？」』》〉”“"’‘»«›‹')）\]*—–-]$|分解$|[—–-] ?\p{Lu}[\p{L}’'. ]{0,40}$|[\p{Lu}\d]$/u;

/** A file that was cut ends in mid-sentence; "THE END" and a signature do not. */
function brokenEnd(chapters: readonly Chapter[]): string[] {
  const last = chapters.at(-1);
  const paragraph = last?.text.slice(last.text.lastIndexOf("\n\n") + 1).trim() ?? "";
  if (!last || paragraph.length < 40 || CLOSED.test(paragraph)) return [];
  return [
    `The last paragraph of chapter ${last.index}${named(last.title)} ends in mid-sentence (“…${paragraph.slice(-40)}”): the file may be cut.`,
  ];
}

/** The numbers in the titles, part by part, as a reader of the table of contents would check them. */
function jumps({ chapters, dissolved = [] }: CheckedBook): string[] {
  const found: string[] = [];
  const gone = new Set(dissolved.map(numberIn));
  let previous: { number: number; part: string | undefined; series: string | undefined } | null = null;
  for (const { index, title, part } of chapters) {
    const heading = recogniseHeading(title ?? "");
    const written = numberOf(heading);
    // A title without a number may open a part that counts from one again.
    if (written === null || written === 0) {
      previous = null;
      continue;
    }
    const number: number =
      previous !== null && isWithoutZeros(written, previous.number + 1) ? previous.number + 1 : written;
    if (
      previous !== null &&
      previous.part === part &&
      previous.series === heading?.series &&
      number !== 1 &&
      number !== previous.number &&
      number !== followerOf(previous.number, gone)
    ) {
      found.push(`${previous.number} to ${number} at chapter ${index}`);
    }
    previous = { number, part, series: heading?.series };
  }
  if (found.length === 0) return [];
  return [`The numbering of the chapters jumps: ${firstFew(found, MOST_LISTED)}.`];
}

/** The next number that a chapter should have. */
function followerOf(number: number, gone: ReadonlySet<number | null>): number {
  let next = number + 1;
  while (gone.has(next)) next++;
  return next;
}

function numberIn(title: string | null): number | null {
  return numberOf(recogniseHeading(title ?? ""));
}

function numberOf(recognition: Recognition | null): number | null {
  return recognition?.kind === "chapter" || recognition?.kind === "numeral" ? recognition.number : null;
}

/** A file that was cut begins in the middle of the count. An opening without a number may be the first chapter. */
function missingBeginning({ chapters, dissolved = [] }: CheckedBook): string[] {
  const position = chapters.slice(0, 2).findIndex(({ title }) => numberIn(title) !== null);
  const number = numberIn(chapters[position]?.title ?? null) ?? 0;
  const first = followerOf(0, new Set(dissolved.map(numberIn)));
  if (position < 0 || number <= position + first) return [];
  return [
    `The first number of a chapter is ${number}, at chapter ${chapters[position]!.index}: the file may lack its beginning.`,
  ];
}

function declaredChapters({ chapters, source, dissolved = [] }: CheckedBook): string[] {
  const declared = source.pages?.chapter ?? 0;
  if (declared <= chapters.length + dissolved.length) return [];
  return [
    `The file declares ${count(declared)} pages as chapters, ${count(chapters.length)} chapters were found: look at the list of chapters.`,
  ];
}

const LARGEST_REMOVED_SHARE = 0.01;

/** Passages that no rule proves to be boilerplate. */
function removedStory({ removed, words }: CheckedBook): string[] {
  const doubtful = removed.filter(({ mayBeStory }) => mayBeStory);
  if (doubtful.length === 0) return [];
  const lost = sumBy(doubtful, ({ text, words: length }) => length ?? countWords(text));
  const places = doubtful.map(({ rule, where }) => (rule === where ? rule : `${rule} (${where})`));
  const share = lost / (words + lost);
  const much = share > LARGEST_REMOVED_SHARE ? `, ${(100 * share).toFixed(1)} % of the book` : "";
  return [
    `Removed, may be story: ${firstFew(places, MOST_LISTED)}; ${count(lost)} words${much}. Check them with \`fabula read --show-removed\`.`,
  ];
}

function named(title: string | null): string {
  return title === null ? "" : ` “${title.length > 60 ? `${title.slice(0, 60)}…` : title}”`;
}

function count(number: number): string {
  return number.toLocaleString("en-GB");
}
