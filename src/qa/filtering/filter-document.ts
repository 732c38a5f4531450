import { z } from "zod";
import type { Book } from "../../text/book.ts";
import { distinctWords, looksLikePlay, matchSummary, SAME_BOOK_SHARE } from "../../text/document-filters.ts";
import type { QaDocument } from "../dataset/document.ts";

/** A document that does not belong in a collection of narratives, as shown for review. */
export const removalSchema = z.object({
  document_id: z.string(),
  title: z.string(),
  reason: z.string(),
  evidence: z.array(z.string()),
  /** Who says so: the data set, a rule, or a model by name. */
  by: z.string(),
  questions: z.number().int(),
  /** So that blind reviewers see the same for removed books as for kept ones. */
  summary: z.string().optional(),
  /** Edit it to `keep` to overrule. */
  decision: z.enum(["remove", "keep"]),
});

export type DocumentRemoval = z.infer<typeof removalSchema>;

const TRUE_TO_LIFE =
  /\b(?:non-?fiction|essays?|treatise|philosophy|rhetoric|sermons?|speech(?:es)?|biography|memoirs?|autobiography|history book)\b/i;

/** What the data set's metadata says: films, and non-fiction genres. */
export function removalByRecord(document: QaDocument): DocumentRemoval | null {
  if (document.kind === "movie") return removal(document, "movie", ["kind: movie"], "data set");
  const genres = document.metadata?.genre_tags;
  const tag = typeof genres === "string" ? genres.split(/[;,]/).find((name) => TRUE_TO_LIFE.test(name)) : undefined;
  return tag === undefined ? null : removal(document, "non-fiction", [`genre: ${tag.trim()}`], "data set");
}

/** What the text shows: the layout of a play, or characters that the summary does not mention. */
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
