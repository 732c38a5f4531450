import type { Block } from "../manuscript.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey } from "./titles.ts";

interface Region {
  readonly from: number;
  readonly to: number;
}

/** Where tables of contents stand among the blocks, and the titles they promise. */
export class Contents {
  readonly regions: readonly Region[];
  readonly titles: ReadonlySet<string>;
  /** The block after the last table. */
  readonly end: number;

  constructor(regions: readonly Region[], titles: ReadonlySet<string>) {
    this.regions = regions;
    this.titles = titles;
    this.end = regions.at(-1)?.to ?? 0;
  }

  holds(at: number): boolean {
    return this.regions.some(({ from, to }) => at >= from && at < to);
  }
}

/** Prose after an entry of a list is a line or two; after a heading it goes on. */
const MOST_WORDS_AFTER_ENTRY = 25;
/** Old books sum a chapter up in its entry; the same heading then comes again, over the chapter itself. */
const MOST_WORDS_OF_SUMMARY = 150;
const SHORTEST_RUN = 4;
const FRONT_SHARE = 0.05;
const CONTENTS_WORDS = new Set(["contents", "table of contents", "the contents", "目录", "目錄", "目次", "もくじ"]);

/** A table of contents is not taken for chapters: headings that follow one another without prose between them. */
export function findContents(outline: Outline): Contents {
  const { candidates, blocks } = outline;
  const lastSeen = new Map(candidates.map((candidate, index) => [entryKey(candidate), index]));
  const regions: Region[] = [];
  const titles = new Set<string>();
  for (let index = 0; index < candidates.length; index++) {
    const first = candidates[index]!;
    const isTitled = isContentsHeading(first);
    if (!isTitled && first.recognition?.number == null) continue;
    const limit = isTitled ? MOST_WORDS_OF_SUMMARY : MOST_WORDS_AFTER_ENTRY;
    let last = index + (isTitled ? 1 : 0);
    while (last < candidates.length && isEntry(candidates[last]!, last, limit, lastSeen)) last++;
    if (isLabelOf(candidates[last - 1], candidates[last])) last--;
    if (!isTitled) {
      const run = candidates.slice(index, last);
      if (run.length < SHORTEST_RUN || !countsUp(run)) continue;
      // Past the front, a list is the story's own (a coroner's points, a character's rules) unless its entries come again.
      const isFront = outline.wordsBefore[first.at]! < FRONT_SHARE * outline.wordsBefore[blocks.length]!;
      const again = run.filter((entry, offset) => lastSeen.get(entryKey(entry))! > index + offset).length;
      if (!isFront && again < run.length / 2) continue;
    }
    const to = endOfList(outline, Math.max(index, last - 1), candidates[last]?.at ?? blocks.length);
    if (to - first.at < 2) continue;
    regions.push({ from: first.at, to });
    for (const title of entryTitles(blocks.slice(first.at + (isTitled ? 1 : 0), to))) titles.add(headingKey(title));
    while (index + 1 < candidates.length && candidates[index + 1]!.at < to) index++;
  }
  titles.delete("");
  return new Contents(regions, titles);
}

function isContentsHeading({ recognition }: Candidate): boolean {
  return recognition?.kind === "paratext" && CONTENTS_WORDS.has(recognition.series.toLowerCase());
}

function entryKey({ recognition, lines }: Candidate): string {
  return recognition?.number == null ? headingKey(lines[0] ?? "") : `${recognition.kind} ${recognition.number}`;
}

function isEntry(candidate: Candidate, index: number, limit: number, lastSeen: ReadonlyMap<string, number>): boolean {
  if (candidate.wordsAfter <= MOST_WORDS_AFTER_ENTRY) return true;
  return candidate.wordsAfter <= limit && (lastSeen.get(entryKey(candidate)) ?? index) > index;
}

/** The first real heading may end the run with nothing under it but its title. */
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

const LONGEST_ENTRY_WORDS = 30;

/** The list goes on over short lines that are no candidates, up to prose or the first real heading. */
function endOfList(outline: Outline, lastCandidate: number, limit: number): number {
  const { blocks, wordsBefore, candidates } = outline;
  let at = candidates[lastCandidate]!.at + 1;
  const listed = new Set<string>();
  for (; at < limit; at++) {
    const block = blocks[at]!;
    const words = wordsBefore[at + 1]! - wordsBefore[at]!;
    if (words > LONGEST_ENTRY_WORDS || block.kind === "section") break;
    if (block.kind !== "paragraph") continue;
    // An entry that comes again is no entry: it stands over its chapter.
    const key = headingKey(block.text);
    if (listed.has(key)) break;
    listed.add(key);
  }
  return at;
}

function entryTitles(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    const lines =
      block.kind === "heading"
        ? [block.lines.join(" "), ...block.lines]
        : block.kind === "paragraph"
          ? block.text.split("\n")
          : [];
    // "IV. The Wedding" promises the heading "The Wedding" as well.
    return lines.flatMap((line) => [line, line.replace(/^[\s]*(?:[IVXLC]+|\d+)[.)\s—–-]+/, "")]);
  });
}
