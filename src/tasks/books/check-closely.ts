import { costFields } from "../../core/cost.ts";
import { isStrength } from "../../core/finding.ts";
import { findingOf } from "../../letter/close-letter.ts";
import { letterFindings } from "../../letter/findings.ts";
import { type CheckedBook, checkBook } from "../../prose/checks/check-book.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { isIntended } from "../../story/author-says.ts";
import { type CloseReading, readClosely } from "../../story/close-reading.ts";
import type { CloseReadingOptions } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import type { CloseInput } from "../define/model-fields.ts";
import type { TaskServices } from "../define/task.ts";

/** What was found in a text, by code alone or by a model as well. */
export interface CheckedText extends CheckedBook {
  /** Questions that the model gave no usable answer to: what was not looked for. */
  readonly unanswered?: CloseReading["unanswered"];
}

export type Check = (book: Book) => Promise<CheckedText>;

export interface Checking<Result> {
  readonly result: Result;
  /** Who read and what it cost, where a model did. */
  readonly model: {
    readonly judge: string;
    readonly depth: CloseReadingOptions["depth"];
    readonly calls: number;
    readonly cost: number | null;
  } | null;
  readonly plan: Plan | null;
  readonly run: FinishedRun | null;
}

/** Checks by code alone, or inside a run with a model that reads closely. */
export async function checking<Result>(
  { judge, ...input }: Omit<CloseInput, "judge"> & { readonly judge?: CloseInput["judge"] },
  services: TaskServices,
  work: (check: Check) => Promise<Result>,
): Promise<Checking<Result>> {
  if (judge === undefined) {
    const result = await work(async (book) => checkedByCode(book));
    return { result, model: null, plan: null, run: null };
  }
  const { withReader } = await import("./read-story.ts");
  const read = await withReader({ ...input, judge }, services, (optionsFor) =>
    work((book) => checkClosely(book, optionsFor(book), services.signal)),
  );
  const { result, plan, run } = read;
  const model = { judge: read.judge, depth: input.depth, calls: run.summary.calls, ...costFields(run.summary) };
  return { result, model, plan, run };
}

/** What code finds, without what the author says is meant. */
function checkedByCode(book: Book): CheckedBook {
  const checked = checkBook(book);
  return { ...checked, findings: checked.findings.filter((finding) => !isIntended(finding, book)) };
}

/** What a model read and what was counted; of a finding that both have, the words of the one who read. */
export async function checkClosely(
  book: Book,
  options: CloseReadingOptions,
  signal: AbortSignal,
): Promise<CheckedText> {
  const { claims, unanswered } = await readClosely(book, options, signal);
  const counted = checkedByCode(book);
  const read = claims.map(findingOf).filter((finding) => !isStrength(finding));
  return { ...counted, findings: letterFindings(read, counted.findings), ...(unanswered.length > 0 && { unanswered }) };
}
