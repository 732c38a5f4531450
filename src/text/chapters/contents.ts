import { countLeading } from "../../core/count-leading.ts";
import type { ContentsEntry } from "../book.ts";
import type { Block } from "../manuscript.ts";
import type { Candidate, Outline } from "./outline.ts";
import { recogniseHeading } from "./recognise.ts";
import { headingKey } from "./titles.ts";

interface Region {
  readonly from: number;
  readonly to: number;
}

/** The tables of contents among the blocks, and their entries. */
export class Contents {
  readonly regions: readonly Region[];
  readonly entries: readonly ContentsEntry[];
  /** The keys of the titles, each with its number where the table gives one. */
  readonly titles: ReadonlyMap<string, number | null>;
  /** The block after the last table. */
  readonly end: number;

  constructor(regions: readonly Region[], entries: readonly ContentsEntry[]) {
    this.regions = regions;
    this.entries = entries;
    const titles = new Map<string, number | null>();
    for (const { title, number } of entries) {
      // "IV. The Wedding" promises the heading "The Wedding" as well.
      const bare = title.replace(LEADING_NUMBER, "");
      for (const name of bare === title ? [title] : [title, bare]) {
        const key = headingKey(name);
        if (key !== "" && !titles.has(key)) titles.set(key, number);
      }
    }
    this.titles = titles;
    this.end = regions.at(-1)?.to ?? 0;
  }

  holds(at: number): boolean {
    // The tables are in order, so this finds the first that ends after the block.
    const region = this.regions[countLeading(this.regions, ({ to }) => to <= at)];
    return region !== undefined && region.from <= at;
  }
}

const LEADING_NUMBER = /^[\s]*(?:[IVXLC]+|\d+)[.)\s—–-]+/;
/** At most a line or two of prose follows an entry of a list; more follows a heading. */
const MOST_WORDS_AFTER_ENTRY = 25;
/** Old books sum a chapter up in its entry; the same heading then comes again, over the chapter itself. */
const MOST_WORDS_OF_SUMMARY = 150;
const SHORTEST_RUN = 4;
const FRONT_SHARE = 0.05;
/** A table is short compared with its book; if it would be half of it, its entries are short chapters. */
const LARGEST_SHARE = 0.5;
/** Each part may have its own table, but a file that says "CONTENTS" thousands of times is not a book. */
const MOST_TITLED_AGAIN = 20;
const CONTENTS_WORDS = new Set(["contents", "table of contents", "the contents", "目录", "目錄", "目次", "もくじ"]);

/** Finds tables of contents, so that they are not read as chapters: headings that follow one another without prose between them. */
export function findContents(outline: Outline): Contents {
  const { candidates, blocks, wordsBefore } = outline;
  const total = wordsBefore[blocks.length]!;
  const lastSeen = new Map(candidates.map((candidate, index) => [entryKey(candidate), index]));
  const regions: Region[] = [];
  const entries: ContentsEntry[] = [];
  let refused = 0;
  let titledAgain = 0;
  for (let index = 0; index < candidates.length; index++) {
    const first = candidates[index]!;
    const isTitled = isContentsHeading(first);
    // A list that was rejected as a whole is not tried again from its second entry on, so that a million labels take one pass.
    if (index < refused && !(isTitled && titledAgain++ < MOST_TITLED_AGAIN)) continue;
    if (!isTitled && first.recognition?.number == null) continue;
    const last = endOfRun(outline, index, isTitled, lastSeen);
    refused = last;
    if (!isTitled) {
      const run = candidates.slice(index, last);
      if (run.length < SHORTEST_RUN || !countsUp(run)) continue;
      // Past the front, a list is the story's own (a coroner's points, a character's rules) unless its entries come again.
      const isFront = wordsBefore[first.at]! < FRONT_SHARE * total;
      const comesAgain = (entry: Candidate, offset: number) => lastSeen.get(entryKey(entry))! > index + offset;
      if (!isFront && run.filter(comesAgain).length < run.length / 2) continue;
    }
    const to = endOfList(outline, Math.max(index, last - 1), candidates[last]?.at ?? blocks.length);
    if (to - first.at < 2 || wordsBefore[to]! - wordsBefore[first.at]! > LARGEST_SHARE * total) continue;
    regions.push({ from: first.at, to });
    for (const entry of entriesOf(blocks.slice(first.at + (isTitled ? 1 : 0), to))) entries.push(entry);
    while (index + 1 < candidates.length && candidates[index + 1]!.at < to) index++;
  }
  return new Contents(regions, entries);
}

/** The first candidate after the run of entries that begins here. */
function endOfRun(outline: Outline, index: number, isTitled: boolean, lastSeen: ReadonlyMap<string, number>): number {
  const { candidates } = outline;
  const limit = isTitled ? MOST_WORDS_OF_SUMMARY : MOST_WORDS_AFTER_ENTRY;
  const listed = new Set<string>();
  let division = "";
  let last = index + (isTitled ? 1 : 0);
  for (; last < candidates.length; last++) {
    const candidate = candidates[last]!;
    if (isTitled) for (const title of linesAbove(outline, last)) listed.add(`${division} ${title}`);
    if (candidate.recognition?.kind === "division") division = entryKey(candidate);
    // Each part may number its chapters from one, so only an entry that recurs within its part is the heading of its chapter.
    const keys = namesOf(candidate).map((name) => `${division} ${name}`);
    if (keys.some((key) => listed.has(key)) && isFollowedByProse(candidates, last)) break;
    for (const key of keys) listed.add(key);
    if (!isEntry(outline, last, limit, lastSeen, isTitled)) break;
  }
  return isLabelOf(candidates[last - 1], candidates[last]) ? last - 1 : last;
}

/**
 * The short lines since the previous candidate. Entries in lower case are not candidates themselves, but the same title may come
 * again over its story, in capitals or with an "I" under it.
 */
function linesAbove({ blocks, candidates, wordsBefore }: Outline, index: number): string[] {
  const titles: string[] = [];
  for (let at = (candidates[index - 1]?.at ?? -1) + 1; at < candidates[index]!.at; at++) {
    const block = blocks[at]!;
    if (block.kind !== "paragraph" || wordsBefore[at + 1]! - wordsBefore[at]! > LONGEST_ENTRY_WORDS) continue;
    const title = headingKey(block.text);
    if (title.length >= SHORTEST_TITLE_KEY) titles.push(title);
  }
  return titles;
}

/** What an entry is recognised by when it comes again: its kind and number, and its title. */
function namesOf(candidate: Candidate): string[] {
  const { recognition, lines } = candidate;
  const title = headingKey(recognition?.rest || (lines.length > 1 ? (lines[1] ?? "") : ""));
  const names = [entryKey(candidate), ...(title.length >= SHORTEST_TITLE_KEY ? [title] : [])];
  return recognition === null && names[0]!.length < SHORTEST_TITLE_KEY ? [] : names;
}

const SHORTEST_TITLE_KEY = 4;

/** A part, its first label and its title may follow one another before the prose begins. */
function isFollowedByProse(candidates: readonly Candidate[], at: number): boolean {
  return candidates.slice(at, at + 4).some(({ wordsAfter }) => wordsAfter > MOST_WORDS_OF_SUMMARY);
}

function isContentsHeading({ recognition }: Candidate): boolean {
  return recognition?.kind === "paratext" && CONTENTS_WORDS.has(recognition.series.toLowerCase());
}

function entryKey({ recognition, lines }: Candidate): string {
  if (recognition?.number == null) return headingKey(lines[0] ?? "");
  // The table may say "IV." where the text says "CHAPTER IV".
  return `${recognition.kind === "division" ? recognition.series : "number"} ${recognition.number}`;
}

function isEntry(
  outline: Outline,
  index: number,
  limit: number,
  lastSeen: ReadonlyMap<string, number>,
  isTitled: boolean,
): boolean {
  const candidate = outline.candidates[index]!;
  if (candidate.wordsAfter <= MOST_WORDS_AFTER_ENTRY) return true;
  if (isTitled && isListAfter(outline, index)) return true;
  return candidate.wordsAfter <= limit && (lastSeen.get(entryKey(candidate)) ?? index) > index;
}

const LONGEST_ENTRY_WORDS = 30;
const LONGEST_LIST_LINE = 30;

/** Below "PART ONE" in a table there are lines that are not headings by themselves: all short, and hardly any a sentence. */
function isListAfter({ blocks, candidates, wordsBefore }: Outline, index: number): boolean {
  const from = candidates[index]!.at + 1;
  const to = candidates[index + 1]?.at ?? blocks.length;
  let sentences = 0;
  for (let at = from; at < to; at++) {
    const block = blocks[at]!;
    if (block.kind === "section" || wordsBefore[at + 1]! - wordsBefore[at]! > LONGEST_LIST_LINE) return false;
    if (block.kind === "paragraph" && /\p{Ll}[.!?]["”’]?$|[。！？]$/u.test(block.text)) sentences++;
  }
  return sentences <= (to - from) * 0.2;
}

/** The first real heading may end the run, with nothing under it but its title. */
function isLabelOf(label: Candidate | undefined, title: Candidate | undefined): boolean {
  if (!label || !title || title.recognition !== null) return false;
  return label.recognition !== null && label.recognition.rest === "" && label.at === title.at - 1;
}

/** Four headings in a row may be a part, a book and a chapter; a list counts up. */
function countsUp(run: readonly Candidate[]): boolean {
  let steps = 0;
  for (let index = 1; index < run.length; index++) {
    const previous = run[index - 1]!.recognition;
    const current = run[index]!.recognition;
    if (previous?.number == null || current?.number == null || current.series !== previous.series) continue;
    if (current.number === previous.number + 1) steps++;
  }
  return steps >= 2;
}

/** The list continues over short lines that are no candidates, up to prose or the first real heading. */
function endOfList(outline: Outline, lastCandidate: number, limit: number): number {
  const { blocks, wordsBefore, candidates } = outline;
  let at = candidates[lastCandidate]!.at + 1;
  const listed = new Set<string>();
  for (; at < limit; at++) {
    const block: Block = blocks[at]!;
    const words = wordsBefore[at + 1]! - wordsBefore[at]!;
    if (words > LONGEST_ENTRY_WORDS || block.kind === "section") break;
    if (block.kind !== "paragraph") continue;
    // An entry that recurs is not an entry but the heading of its chapter.
    const key = headingKey(block.text);
    if (listed.has(key)) break;
    listed.add(key);
  }
  return at;
}

/** The entries of a table of contents; a bare "CHAPTER IV" numbers the line under it. */
function entriesOf(blocks: readonly Block[]): ContentsEntry[] {
  const entries: ContentsEntry[] = [];
  let label: number | null = null;
  for (const block of blocks) {
    const lines = block.kind === "heading" ? block.lines : block.kind === "paragraph" ? block.text.split("\n") : [];
    for (const line of lines) {
      if (/^\W*page\W*$/i.test(line)) continue;
      const recognition = recogniseHeading(line);
      // A list of illustrations promises pictures, not chapters.
      if (recognition?.kind === "paratext" && /illustrations|plates|maps/i.test(recognition.series)) return entries;
      const isNumbered = recognition?.kind === "chapter" || recognition?.kind === "numeral";
      const number = isNumbered ? recognition.number : recognition === null ? label : null;
      label = isNumbered && recognition.rest === "" ? recognition.number : null;
      entries.push({ title: line, number });
      if (isNumbered && recognition.rest !== "") entries.push({ title: recognition.rest, number });
    }
    if (lines.length > 1) entries.push({ title: lines.join(" "), number: null, isJoined: true });
  }
  return entries;
}
