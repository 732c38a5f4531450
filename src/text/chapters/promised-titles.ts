import type { Contents } from "./contents/contents.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey } from "./titles.ts";

const LONGEST_TITLE = 100;

/** Adds the lines that stand alone after the table of contents and say what one of its entries says. */
export function withPromisedTitles(outline: Outline, contents: Contents): readonly Candidate[] {
  const { blocks, candidates, wordsBefore } = outline;
  if (contents.regions.length === 0) return candidates;
  const known = new Set(candidates.map(({ at }) => at));
  const found: Candidate[] = [...candidates];
  for (let at = contents.end; at < blocks.length; at++) {
    const block = blocks[at]!;
    if (block.kind !== "paragraph" || block.text.length > LONGEST_TITLE || known.has(at)) continue;
    if (!contents.titles.has(headingKey(block.text))) continue;
    found.push({
      at,
      lines: block.text.split("\n"),
      level: 0,
      recognition: null,
      wordsBefore: wordsBefore[at]!,
      wordsAfter: 0,
      space: null,
      isListed: false,
    });
  }
  if (found.length === candidates.length) return candidates;
  found.sort((left, right) => left.at - right.at);
  return found.map((candidate, index) => ({
    ...candidate,
    wordsAfter: wordsBefore[found[index + 1]?.at ?? blocks.length]! - wordsBefore[candidate.at + 1]!,
  }));
}
