import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import type { Book } from "../../text/book.ts";
import { segmentBook } from "../../text/segments.ts";
import { bookText } from "../material/book-material.ts";
import { chooseExcerpts } from "../material/excerpts.ts";
import { excerptsText } from "../methods/summary.ts";
import { notesText } from "../summary/notes.ts";
import { summariseBook } from "../summary/summarise.ts";

/** A book short enough to be shown whole beside another. */
const SHOWN_WHOLE_WORDS = 4000;

export type Digest =
  | { readonly kind: "digest"; readonly text: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * A book as it is shown beside another: whole when it is short, otherwise genres, premise, summary, characters and excerpts.
 * Title and author are left out, since fame is no merit.
 */
export async function digestBook(
  summariser: ChatModel,
  book: Book,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Digest> {
  if (book.words <= SHOWN_WHOLE_WORDS) return { kind: "digest", text: bookText(book, language) };
  const segments = segmentBook(book);
  const { notes, missing } = await summariseBook(summariser, { book, segments, language }, signal).whole;
  const [hole] = missing;
  if (hole || !notes) {
    return {
      kind: "failed",
      reason: hole ? `segment ${hole.segment} could not be summarised: ${hole.reason}` : "it has no text",
    };
  }
  const facts = [book.genres.join(", "), book.premise].filter(Boolean).join("\n");
  const text = [facts, notesText(notes), excerptsText(chooseExcerpts(book), language)].filter(Boolean).join("\n\n");
  return { kind: "digest", text };
}
