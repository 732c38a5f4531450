import { sum } from "../stats/distribution/sum.ts";
import type { Book } from "../text/book.ts";
import type { Coverage, Ledger } from "./evaluation.ts";
import type { LedgerEntry, RunOutcome } from "./methods/method.ts";

/** A segment counts as seen when any run saw it; `runs` says how many did. */
export function mergeLedgers(ledgers: readonly (readonly LedgerEntry[])[]): Ledger {
  const [first = []] = ledgers;
  return first.map((entry, position) => {
    const entries = ledgers.map((ledger) => ledger[position] ?? entry);
    const seen = entries.filter(({ seenAs }) => seenAs !== "nothing");
    const { segment, chapters, words, seenAs, reason } = seen[0] ?? entry;
    return { segment, chapters: [...chapters], words, seenAs, reason, runs: seen.length };
  });
}

/** How much of a book a judge saw, and in what form: a summary of a chapter is not the chapter. */
export function coverageOf(book: Book, ledger: Ledger, outcomes: readonly RunOutcome[]): Coverage {
  const wordsSeen = (form: Ledger[number]["seenAs"]) =>
    Math.min(book.words, sum(ledger.filter(({ seenAs }) => seenAs === form).map(({ words }) => words)));
  const inFull = wordsSeen("text");
  const throughSummaries = Math.min(book.words - inFull, wordsSeen("summary"));
  const judgedWords = inFull + throughSummaries;
  return {
    words: book.words,
    judgedWords,
    share: book.words === 0 ? 0 : judgedWords / book.words,
    inFull,
    throughSummaries,
    quoted: Math.max(0, ...outcomes.map(({ quotedWords }) => quotedWords ?? 0)),
    skipped: ledger
      .filter(({ seenAs }) => seenAs === "nothing")
      .flatMap(({ chapters, reason }) => chapters.map((chapter) => ({ chapter, reason: reason ?? "not judged" }))),
  };
}
