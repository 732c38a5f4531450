import { countOf } from "../core/wording/count-of.ts";
import { plainLine } from "../report/markup.ts";
import { Planner } from "../runner/planning.ts";
import { type ReadOptions, readBook } from "../text/read-book.ts";
import type { FailedBookListener } from "../workflows/books/failed-book.ts";
import { openOrReport } from "../workflows/books/failed-book.ts";
import { jsonDocument } from "./output/json-document.ts";
import type { Terminal } from "./terminal.ts";

interface Surroundings {
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Ends a dry run of a judge that ships inside: nothing is judged, and `work` says what would be. */
export function showFreePlan(work: string, { json, terminal }: Pick<Surroundings, "json" | "terminal">): 0 {
  terminal.endProgress();
  const sentence = `Nothing was judged. The embedded judge would ${work}, on this machine: no calls to a model, no cost.`;
  terminal.print(json ? jsonDocument("plan", { plan: new Planner(false).plan(), work: sentence }) : sentence);
  return 0;
}

/** A dry run over books: they are read, so that one that cannot be is known now, and not judged. */
export async function planEmbedded(
  files: readonly string[],
  metadata: ReadOptions["metadata"],
  { onFailed }: { readonly onFailed?: FailedBookListener },
  surroundings: Surroundings,
): Promise<0> {
  const found: string[] = [];
  for (const file of files) {
    const read = () => readBook(file, metadata ? { metadata } : {});
    const book = await openOrReport(file, read, onFailed, surroundings.signal);
    if (book) found.push(`“${plainLine(book.title)}” (${countOf(book.chapters.length, "chapter")})`);
  }
  return showFreePlan(`read ${countOf(found.length, "book")}, ${found.join(", ")}`, surroundings);
}
