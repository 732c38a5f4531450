import type { Book } from "../../text/book.ts";
import type { Suspicion } from "../evaluation.ts";
import { HIDDEN, type SuspectSpan, suspectSpans } from "./suspect-spans.ts";

/** Where the paragraph begins and ends that holds a position. Looked up, since a hostile text has many places in one endless paragraph. */
export function paragraphsOf(text: string): (position: number) => readonly [number, number] {
  const starts = [0];
  for (let at = text.indexOf("\n\n"); at !== -1; at = text.indexOf("\n\n", at + 2)) starts.push(at + 2);
  return (position) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    const next = starts[low + 1];
    return [starts[low]!, next === undefined ? text.length : next - 2];
  };
}

const SHOWN_CHARACTERS = 160;
const MOST = 50;

/** What a judge is shown of a book. */
export type ShownBook = Pick<Book, "title" | "genres" | "premise" | "chapters">;

/**
 * Passages that speak to a judge instead of a reader: orders to a model, forged verdicts, marks of chat templates, hidden
 * or encoded text, in the chapters and in everything else a judge is shown. `beside` names what stands in no chapter: the plot
 * of an outline. Fences and the reply's schema keep them from being obeyed as orders; whether they moved a score is not known.
 */
export function findSuspicions(book: ShownBook, beside: Readonly<Record<string, string | null>> = {}): Suspicion[] {
  const found: Suspicion[] = [];
  const first = book.chapters[0]?.index ?? 1;
  for (const [name, text] of Object.entries({ ...aboutBook(book), ...beside })) {
    const [span] = suspectSpans(text ?? "");
    if (span) found.push(outsideChapters(first, text!, span, `in the ${name}`));
  }
  for (const { index, title, text } of book.chapters) {
    const [span] = suspectSpans(title ?? "");
    if (span) found.push(outsideChapters(index, title!, span, "in the chapter's heading"));
    // One passage is named once, for the first reason found.
    const seen = new Set<number>();
    const paragraphAt = paragraphsOf(text);
    for (const { start, end, why } of suspectSpans(text)) {
      const [paragraph] = paragraphAt(start);
      if (seen.has(paragraph)) continue;
      seen.add(paragraph);
      const from = Math.max(paragraph, start - 40);
      const to = Math.min(text.length, Math.max(end, from + 1), from + SHOWN_CHARACTERS);
      found.push({ chapter: index, start: from, end: to, quote: shown(text.slice(from, to)), why });
      if (found.length >= MOST) break;
    }
    if (found.length >= MOST) break;
  }
  return found.sort((left, right) => left.chapter - right.chapter || left.start - right.start);
}

function aboutBook({ title, genres, premise }: ShownBook): Record<string, string | null> {
  return { title, genres: genres.join("\n\n"), premise };
}

/** It stands in no chapter's text, so it points at the chapter's beginning. */
function outsideChapters(chapter: number, text: string, { start, end, why }: SuspectSpan, where: string): Suspicion {
  const quote = shown(text.slice(start, Math.min(end, start + SHOWN_CHARACTERS)));
  return { chapter, start: 0, end: 0, quote, why: `${why}, ${where}` };
}

function shown(passage: string): string {
  return passage.replace(HIDDEN, "�").trim();
}
