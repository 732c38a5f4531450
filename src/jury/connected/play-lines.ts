/** "HAMLET. ", "ANNA (aside): ", "Tom: ": a speaker's name before what is said, in capitals or before a colon. */
const SPEAKER =
  /^(\p{Lu}[\p{Lu}’'. -]{0,30}\p{Lu}(?= ?(?:\([^)]*\) ?)?[.:] )|\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?= ?(?:\([^)]*\) ?)?: ))/u;
/** A speaker's name on a line of its own, above what is said: "HAMLET", "FIRST WITCH". */
const NAME_ALONE = /^\p{Lu}[\p{Lu}’'. -]{0,30}\p{Lu}[.:]?$/u;
/** A speaker says more than one thing, and has someone to say it to. */
const FEWEST_SPEECHES = 3;
const FEWEST_SPEAKERS = 2;

/** The part of the lines that are speeches of a play, or of a conversation set like one. */
export function playLines(texts: readonly string[]): { readonly lines: number; readonly part: number } {
  const speeches = new Map<string, number>();
  let lines = 0;
  for (const text of texts) {
    for (const line of text.split("\n")) {
      const trimmed = line.trim();
      if (trimmed === "") continue;
      const alone = NAME_ALONE.exec(trimmed)?.[0];
      // A name above its speech is one line with it.
      if (alone === undefined) lines++;
      const speaker = alone ?? SPEAKER.exec(trimmed)?.[0];
      if (speaker !== undefined) speeches.set(speaker, (speeches.get(speaker) ?? 0) + 1);
    }
  }
  const counts = [...speeches.values()].filter((count) => count >= FEWEST_SPEECHES);
  const spoken = counts.length < FEWEST_SPEAKERS ? 0 : counts.reduce((sum, count) => sum + count, 0);
  return { lines, part: lines === 0 ? 0 : spoken / lines };
}
