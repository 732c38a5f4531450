import type { Chapter } from "../../book.ts";

/** Files from the web now and then hold one chapter's text under several headings: a judge would count it each time. */
export function repeatedChapters(chapters: readonly Chapter[]): string[] {
  const first = new Map<string, number>();
  const repeats: string[] = [];
  for (const { index, text } of chapters) {
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, index);
    else repeats.push(`${index} repeats ${earlier}`);
  }
  if (repeats.length === 0) return [];
  const shown = repeats.slice(0, 5).join(", ");
  return [`Some chapters hold the same text: ${shown}${repeats.length > 5 ? ` and ${repeats.length - 5} more` : ""}.`];
}
