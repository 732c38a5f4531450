const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]+/g;
/** Any space but a single plain one: most paragraphs have none, and a search that finds nothing is cheap. */
const UNEVEN_SPACE = / {2,}\s*|[\t\n\v\f\r\u00A0\u1680\u2000-\u200A\u2029\u202F\u205F\u3000]\s*/g;

/** One space between words, none at the ends; soft hyphens and invisible joiners go. */
export function squeeze(text: string): string {
  return text.trim().replace(INVISIBLE, "").replace(UNEVEN_SPACE, " ").trim();
}
