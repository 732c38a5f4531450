import { INLINE_SCORE } from "./read-inline.ts";
import type { ReplyLine } from "./reply-lines.ts";

/** Fewer than these may be remarks that happen to begin with an aspect's name. */
const FEWEST = 3;
const OPENING = /^(?:the|as for(?: the)?|regarding(?: the)?|in terms of(?: the)?|with regard to(?: the)?)\s+/i;
const LONGEST_NAME = 4;

/**
 * Some replies have no labels at all: `The plot and structure are sound. Score: 74`, paragraph after paragraph. There the
 * words that a paragraph begins with say what its score is of. It holds only for a reply that goes on so, names each
 * aspect once and labels none; anywhere else such a sentence is a remark.
 */
export function sentenceSubjects(
  lines: readonly ReplyLine[],
  subjectOf: (head: string) => string | null,
  headOf: (text: string) => string | null,
): (text: string) => string | null {
  const subjects = lines.flatMap(({ text }) => {
    const name = nameIn(text, subjectOf);
    return name === null ? [] : [subjectOf(name)!];
  });
  const aspects = subjects.filter((subject) => subject !== "");
  const eachOnce = new Set(aspects).size === aspects.length;
  const labelled = () => lines.some(({ text }) => subjectOf(headOf(text) ?? ""));
  if (aspects.length < FEWEST || !eachOnce || labelled()) return () => null;
  return (text) => nameIn(text, subjectOf);
}

function nameIn(text: string, subjectOf: (head: string) => string | null): string | null {
  if (text.search(INLINE_SCORE) <= 0) return null;
  const words = text.replace(OPENING, "").split(/\s+/, LONGEST_NAME);
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(" ").replace(/,$/, "");
    if (subjectOf(name) !== null && !/[.:=]/.test(name)) return name;
  }
  return null;
}
