import { setImmediate } from "node:timers/promises";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { loadJury } from "../../jury/jury.ts";
import { loadPrices } from "../../models/prices.ts";
import type { ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import type { Story } from "../../reader/predictor/story.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import type { BookReadOptions } from "../../text/read-book.ts";
import type { BookInput } from "../define/book-input.ts";
import { bookStory, withGivenDetails } from "./book-story.ts";
import { withJuryChanges } from "./drafts/jury-draft.ts";
import { evaluateWithJury, type JuryOptions } from "./jury/evaluate-with-jury.ts";
import { openBook } from "./open-book.ts";
import { requireEnglish } from "./population.ts";

export interface EvaluateOptions extends BookReadOptions, Omit<JuryOptions, "letter" | "onChapter"> {
  /** A reader whose own verdict is wanted beside the general one. */
  readonly reader?: ReaderProfile;
  /** Story details for that reader's verdict, overriding the file's: the jury writes no summaries. */
  readonly story?: Partial<Story>;
  /** Novels to compare figures with, instead of those that ship with Fabula. */
  readonly reference?: ReferenceNovels;
  /** An earlier draft: the evaluation then says what changed since. */
  readonly against?: BookInput;
}

/** Evaluates a book with the judges that ship with Fabula, without a key or a network. `judgeBooks` uses language models. */
export async function evaluateBook(source: BookInput, options: EvaluateOptions = {}): Promise<BookEvaluation> {
  const { metadata, keptCharacters, aspects, reader, story, against, reference, ...rest } = options;
  if (aspects) await checkAspects(aspects);
  const opening = openBook(source, { ...(metadata && { metadata }), ...(keptCharacters && { keptCharacters }) });
  // Another process reads the file, and what judging needs is loaded meanwhile, once the question is on its way. Whatever fails says so
  // below, where it is awaited.
  opening.catch(() => {});
  await setImmediate();
  await Promise.allSettled([opening, loadJury(), loadRubric("long-story"), loadPrices()]);
  const book = await opening;
  if (reference) requireEnglish(book, "The book cannot be compared with this reference");
  const asked = { ...rest, ...(aspects ? { aspects } : {}), ...(reference && { letter: { reference } }) };
  const judged = await evaluateWithJury(book, asked);
  const language = metadata?.language;
  const earlier =
    against === undefined ? null : await openBook(against, language === undefined ? {} : { metadata: { language } });
  const evaluation = earlier === null ? judged : await withJuryChanges(judged, book, earlier, asked);
  if (!reader) return evaluation;
  const { embeddedPart } = await import("../readers/personal-part.ts");
  return {
    ...evaluation,
    personal: await embeddedPart(reader, withGivenDetails(bookStory(book), story ?? {}), evaluation),
  };
}

export async function checkAspects(aspects: readonly string[]): Promise<void> {
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const unknown = aspects.find((aspect) => !known.includes(aspect));
  if (unknown !== undefined) {
    throw new FabulaError("E_ASPECT_UNKNOWN", `There is no aspect "${unknown}": choose among ${known.join(", ")}.`);
  }
}
