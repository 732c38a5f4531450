const FILLERS = new Set([
  "the",
  "a",
  "an",
  "of",
  "and",
  "in",
  "to",
  "for",
  "its",
  "overall",
  "general",
  "book",
  "novel",
]);

/**
 * One spelling for the many ways a name is written: lower case, no punctuation, no filler words, singulars. "The
 * Book's Overall Pacing" and "pacing" are the same name.
 */
export function normaliseName(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/['’]s\b/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ");
  const telling = words.filter((word) => !FILLERS.has(word)).map(singular);
  return (telling.length > 0 ? telling : words).join(" ");
}

function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
