import { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";
import { metadataText } from "../material/book-material.ts";
import type { Judging } from "../material/judging.ts";
import type { LedgerEntry } from "../methods/method.ts";
import { outcomeOf, unscoredOutcome } from "../methods/outcome.ts";
import { askFromSummary } from "../protocol.ts";
import type { Subject } from "./subject.ts";

/** A book whose summary exists already, one per line, as rated collections publish them. */
export const summarisedBookSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  title: z.string().min(1),
  author: z.string().nullish(),
  genres: z.array(z.string()).default([]),
  premise: z.string().nullish(),
  words: z.number().int().nonnegative().default(0),
  language: z.string().nullish(),
  plot_summary: z.string().min(1),
  characters: z.string().nullish(),
  excerpts: z.string().nullish(),
});
export type SummarisedBook = z.infer<typeof summarisedBookSchema>;

export function summarisedBook(row: SummarisedBook, judging: Judging): Subject {
  const book = bookOf(row);
  const { language } = judging;
  const values = {
    title: book.title,
    genres: book.genres,
    premise: book.premise,
    metadata: metadataText(book, language, judging.presentation),
    plot: row.plot_summary,
    characters: row.characters ?? null,
    excerpts: row.excerpts ?? null,
  };
  const entry: LedgerEntry = { segment: 1, chapters: [], words: row.words, seenAs: "summary", reason: null };
  return {
    book,
    method: "summary",
    basis: "given summary",
    beside: { plot: row.plot_summary, characters: row.characters ?? null },
    storyDetails: async () => ({ plot: row.plot_summary, characters: row.characters ?? null }),
    async judge(judge, run, signal) {
      const answer = await askFromSummary(judge, judging, values, run, signal);
      if (answer.kind === "answered")
        return { ...outcomeOf(answer.value, [entry]), quotedWords: countWords(row.excerpts ?? "") };
      return unscoredOutcome(judging, answer.reason, [{ ...entry, seenAs: "nothing", reason: answer.reason }]);
    },
  };
}

function bookOf(row: SummarisedBook): Book {
  // What the judge may quote stands in the excerpts alone, so they are the text that quotations are searched in.
  const text = row.excerpts ?? "";
  return {
    title: row.title,
    author: row.author ?? null,
    language: row.language ?? null,
    genres: row.genres,
    premise: row.premise ?? null,
    chapters: text === "" ? [] : [{ index: 1, title: null, text, words: 0 }],
    words: row.words,
    removed: [],
    warnings: [],
    source: { file: row.id, format: "summary", encoding: "utf-8", bytes: 0, sha256: sha256(row.plot_summary) },
  };
}
