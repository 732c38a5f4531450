import type { Block } from "../manuscript.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey } from "./titles.ts";

/** Where a table of contents stands, and the titles it promises. */
export interface Contents {
  readonly regions: readonly { readonly from: number; readonly to: number }[];
  readonly titles: ReadonlySet<string>;
}

/** Prose after an entry of a list is a line or two; after a heading it goes on. */
const MOST_WORDS_AFTER_ENTRY = 25;
const SHORTEST_RUN = 4;
const CONTENTS_WORDS = new Set(["contents", "table of contents", "the contents", "目录", "目錄", "目次", "もくじ"]);

/** A table of contents is not taken for chapters: headings that follow one another without prose between them. */
export function findContents(outline: Outline, extraTitles: readonly string[] = []): Contents {
  const { candidates, blocks } = outline;
  const regions: { from: number; to: number }[] = [];
  const titles = new Set(extraTitles.map(headingKey));
  for (let index = 0; index < candidates.length; index++) {
    const first = candidates[index]!;
    const isTitled = isContentsHeading(first);
    let last = index;
    while (last < candidates.length && isEntry(candidates[last]!)) last++;
    // The candidate that ends the run has prose after it: it is the first real heading.
    const run = last - index;
    if (isTitled ? run < 1 : run < SHORTEST_RUN || !isList(candidates.slice(index, last))) {
      if (!isTitled) continue;
    }
    const from = first.at;
    const to = endOfList(outline, isTitled ? index : last - 1, candidates[last]?.at ?? blocks.length);
    if (to - from < 2) continue;
    regions.push({ from, to });
    for (const title of entryTitles(blocks.slice(from, to))) titles.add(headingKey(title));
    while (index + 1 < candidates.length && candidates[index + 1]!.at < to) index++;
  }
  return { regions, titles };
}

function isContentsHeading({ recognition }: Candidate): boolean {
  return recognition?.kind === "paratext" && CONTENTS_WORDS.has(recognition.series.toLowerCase());
}

function isEntry(candidate: Candidate): boolean {
  return candidate.wordsAfter <= MOST_WORDS_AFTER_ENTRY;
}

/** Four headings in a row may be a part, a book and a chapter; a list counts up. */
function isList(run: readonly Candidate[]): boolean {
  let steps = 0;
  for (let index = 1; index < run.length; index++) {
    const previous = run[index - 1]!.recognition;
    const current = run[index]!.recognition;
    if (
      previous?.number != null &&
      current?.number != null &&
      current.series === previous.series &&
      current.number === previous.number + 1
    )
      steps++;
  }
  return steps >= 2;
}

const LONGEST_ENTRY_WORDS = 30;

/** The list goes on over short lines that are no candidates, up to prose or the first real heading. */
function endOfList(outline: Outline, lastCandidate: number, limit: number): number {
  const { blocks, wordsBefore, candidates } = outline;
  let at = candidates[lastCandidate]!.at + 1;
  while (at < limit) {
    const words = wordsBefore[at + 1]! - wordsBefore[at]!;
    if (words > LONGEST_ENTRY_WORDS || blocks[at]?.kind === "section") break;
    at++;
  }
  return at;
}

function entryTitles(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "heading") return [block.lines.join(" "), ...block.lines];
    return block.kind === "paragraph" ? block.text.split("\n") : [];
  });
}
