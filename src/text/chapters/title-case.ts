/** Most long words begin with a capital: "The Old Pyncheon Family". */
export function isTitleCase(text: string): boolean {
  const words = text.replace(/[_*]/g, "").split(/\s+/);
  const long = words.filter((word) => word.length > 3);
  const capitals = long.filter((word) => /^\p{Lu}/u.test(word)).length;
  return /^["“‘'«]?\p{Lu}/u.test(words[0] ?? "") && capitals >= long.length * 0.75;
}

/** Short lines that begin like a title and do not end like a sentence. */
export function mayBeTitle(lines: readonly string[]): boolean {
  return (
    /^["“‘'«【《]?[\p{Lu}\p{Lo}\d]/u.test(lines[0] ?? "") &&
    !/[.,;:!?…—–。，；：！？-]["”’']?$/u.test(lines.at(-1) ?? "")
  );
}

const LONGEST_TITLE = 80;

/** Also no longer than a title: a whole letter may be set in bold. */
export function isShortTitle(lines: readonly string[]): boolean {
  return lines.reduce((sum, line) => sum + line.length, 0) <= LONGEST_TITLE && mayBeTitle(lines);
}
