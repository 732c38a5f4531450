/** "HAMLET. ", "ANNA (aside): ", "Mrs. Hale: ": a speaker's name before what is said, in capitals or before a colon. */
const MARKED =
  /^(?:\p{Lu}[\p{Lu}’'. -]{0,30}\p{Lu}(?= ?(?:\([^)]{0,80}\) ?)?[.:] )|\p{Lu}\p{Ll}+\.?(?: \p{Lu}\p{Ll}+){0,2}(?= ?(?:\([^)]{0,80}\) ?)?: ))/u;
/** "HAMLET To be": the name stood on the line above, and reading joined it with the speech. */
const JOINED = /^\p{Lu}[\p{Lu}’'. -]{0,30}\p{Lu}(?= (?:\([^)]{0,80}\) )?["“‘'([]?\p{Lu}(?:\p{Ll}|[ ’']))/u;
/** A speaker's name on a line of its own, above what is said: "HAMLET", "FIRST WITCH (aside)". */
const NAME_ALONE = /^(\p{Lu}[\p{Lu}’'. -]{0,30}\p{Lu})[.:]?(?: \([^)]{0,80}\))?$/u;
const LONGEST_SCRIPT_LINE = 60;
/** A speaker says more than one thing, and has someone to say it to. */
const FEWEST_SPEECHES = 3;
const FEWEST_SPEAKERS = 2;

/** The part of the lines that are speeches of a play, or of a conversation set like one. */
export function playLines(texts: readonly string[]): { readonly lines: number; readonly part: number } {
  const speeches = new Map<string, number>();
  let lines = 0;
  for (const text of texts) {
    // A name above its speech is one line with it, and so are the speech's own short lines, as a script sets them.
    let speech: "awaited" | "begun" | null = null;
    for (const line of text.split("\n")) {
      const trimmed = line.trim();
      if (trimmed === "") {
        if (speech === "begun") speech = null;
        continue;
      }
      const alone = NAME_ALONE.exec(trimmed)?.[1];
      const speaker = alone ?? (MARKED.exec(trimmed) ?? JOINED.exec(trimmed))?.[0];
      if (speaker !== undefined) speeches.set(speaker, (speeches.get(speaker) ?? 0) + 1);
      const goesOn = speech === "begun" && speaker === undefined && trimmed.length <= LONGEST_SCRIPT_LINE;
      if (alone === undefined && !goesOn) lines++;
      if (alone !== undefined) speech = "awaited";
      else if (speaker !== undefined) speech = null;
      else if (speech === "awaited") speech = "begun";
    }
  }
  const counts = [...speeches.values()].filter((count) => count >= FEWEST_SPEECHES);
  const spoken = counts.length < FEWEST_SPEAKERS ? 0 : counts.reduce((sum, count) => sum + count, 0);
  return { lines, part: lines === 0 ? 0 : spoken / lines };
}
