import { z } from "zod";
import type { Book } from "../../text/book.ts";
import { distinctWords, looksLikePlay, matchSummary, SAME_BOOK_SHARE } from "../../text/document-filters.ts";
import type { QaDocument } from "../dataset/document.ts";

/** A document that does not belong in a collection of narratives, for review. */
export const removalSchema = z.object({
  document_id: z.string(),
  title: z.string(),
  reason: z.string(),
  evidence: z.array(z.string()),
  /** Who decided this: the data set, a rule, or a model by name. */
  by: z.string(),
  questions: z.number().int(),
  /** The summary, so that blind reviewers see the same for removed books as for kept ones. */
  summary: z.string().optional(),
  /** Change it to `keep` to override the removal. */
  decision: z.enum(["remove", "keep"]),
});

export type DocumentRemoval = z.infer<typeof removalSchema>;

const TRUE_TO_LIFE =
  /\b(?:non-?fiction|essays?|treatise|philosophy|rhetoric|sermons?|speech(?:es)?|biography|memoirs?|autobiography|history book)\b/i;

/** Removes films and non-fiction according to the data set's metadata. */
export function removalByRecord(document: QaDocument): DocumentRemoval | null {
  if (document.kind === "movie") return removal(document, "movie", ["kind: movie"], "data set");
  const genres = document.metadata?.genre_tags;
  const tag = typeof genres === "string" ? genres.split(/[;,]/).find((name) => TRUE_TO_LIFE.test(name)) : undefined;
  return tag === undefined ? null : removal(document, "non-fiction", [`genre: ${tag.trim()}`], "data set");
}

/** Removes documents by their text: the layout of a play, or characters that the summary does not mention. */
export function removalByText(document: QaDocument, book: Book): DocumentRemoval | null {
  const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
  const play = looksLikePlay(book);
  if (play.answer === "yes") {
    const evidence = play.signals
      .filter(({ value }) => value > 0)
      .flatMap(({ name, value, examples }) => [`${Math.round(value * 100)}% ${name}`, ...examples]);
    return removal(document, "play", evidence, "rule: layout of a play");
  }
  const { share, found, absent } = matchSummary(document.summary, distinctWords(text));
  if (share !== null && share < SAME_BOOK_SHARE) {
    const evidence = [`in the summary but not in the text: ${absent.slice(0, 12).join(", ")}`];
    if (found.length > 0) evidence.push(`in both: ${found.slice(0, 12).join(", ")}`);
    return removal(document, "mismatched summary", evidence, "rule: names of the summary");
  }
  return null;
}

export function removal(
  { document_id, title, qas, summary }: QaDocument,
  reason: string,
  evidence: readonly string[],
  by: string,
): DocumentRemoval {
  return {
    document_id,
    title,
    reason,
    evidence: [...evidence],
    by,
    questions: qas.length,
    summary,
    decision: "remove",
  };
}
