import { type Finding, findingId, SEVERITIES } from "../../core/finding.ts";
import { countOf } from "../../core/wording.ts";
import type { Book } from "../../text/book.ts";
import { NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { type BookProse, type ChapterMemory, type ChapterText, readManuscript } from "../map/book-prose.ts";
import { attributeConflicts } from "./attributes.ts";
import { chapterOrder } from "./chapter-order.ts";
import { CHECK_KINDS, type Check, type CheckKind, type Suspicion } from "./check.ts";
import { nameVariants } from "./name-variant.ts";
import { expositionBlocks, quietStretches } from "./pace.ts";
import { stateConflicts, vanishedCharacters } from "./people.ts";
import { otherMinds } from "./point-of-view.ts";
import { overused, repeatedPassages } from "./repetition.ts";
import { personShifts, tenseShifts } from "./tense-and-person.ts";

/**
 * How often a finding of each kind is right, for a book with one such fault in 100,000 words: recall on planted
 * faults, divided by recall plus false findings. The figures are printed by `npx tsx evals/scorecard.ts --only
 * planted --check-data FOLDER`, for authors on whom no setting was chosen. Findings that only first-person or only
 * third-person books can have are counted over those books.
 */
export const MEASURED_PRECISION: Readonly<Record<string, number>> = {
  "repeated-passage": 0.87,
  "name-variant": 0.76,
  "tense-shift: third person": 0.77,
  "tense-shift: first person": 0.51,
  "person-shift": 0.81,
  "attribute-conflict": 0.77,
  "attribute-conflict: age": 0.87,
  "attribute-conflict: eyes": 0.93,
  "attribute-conflict: hair": 0.97,
  "attribute-conflict: side": 1,
  "attribute-conflict: number": 0.94,
  "attribute-conflict: kin": 1,
  "attribute-conflict: born": 1,
  "state-conflict": 0.86,
  "state-conflict: dead": 0.87,
  "state-conflict: gone": 1,
  "vanished-character": 0.61,
  "chapter-order": 0.94,
  "point-of-view": 0.59,
  "exposition-block": 0.6,
  "quiet-stretch": 0.67,
  overused: 0.84,
};

/** Null if it was not measured. */
export function measuredPrecision({ kind, detail }: Pick<Suspicion, "kind" | "detail">): number | null {
  return (
    (detail === undefined ? undefined : MEASURED_PRECISION[`${kind}: ${detail}`]) ?? MEASURED_PRECISION[kind] ?? null
  );
}

/** What was found by rules, and what was not checked. */
export interface CheckedBook {
  /** Most serious findings first. */
  readonly findings: readonly Finding[];
  readonly notTried: readonly { readonly kind: CheckKind; readonly why: string }[];
}

const CHECKS: Readonly<Record<CheckKind, Check>> = {
  "repeated-passage": repeatedPassages,
  "name-variant": nameVariants,
  "tense-shift": tenseShifts,
  "person-shift": personShifts,
  "attribute-conflict": attributeConflicts,
  "state-conflict": stateConflicts,
  "vanished-character": vanishedCharacters,
  "chapter-order": chapterOrder,
  "point-of-view": otherMinds,
  "exposition-block": expositionBlocks,
  "quiet-stretch": quietStretches,
  overused,
};
/** These work on words and numbers of any language; the others know only English. */
const ANY_LANGUAGE: readonly CheckKind[] = ["repeated-passage", "chapter-order"];
/** A shorter text has nothing that could be repeated, change or be missing. */
const FEWEST_WORDS = 30;

/**
 * From this measured precision on a finding is stated as a claim; down to the second value as a question; below that
 * it is not shown.
 */
export const CLAIM = 0.6;
export const QUESTION = 0.4;

/**
 * Whether a finding is put as a question because its kind is right less often than a claim should be. A dead person
 * who acts may be a namesake, a memory or an actor, and a vanished character may be meant to leave: only the author
 * knows.
 */
export function isQuestion({ kind, origin, certainty }: Pick<Finding, "kind" | "origin" | "certainty">): boolean {
  return origin === "counted" && (certainty < CLAIM || kind === "state-conflict" || kind === "vanished-character");
}

/** What rules alone find in a book. */
export function checkBook(
  book: Pick<Book, "chapters" | "language" | "characterCorrections">,
  memory?: ChapterMemory,
): CheckedBook {
  const bookProse = readManuscript(book.chapters, book.characterCorrections ?? NO_CORRECTIONS, memory);
  return checkProse(bookProse, book.chapters, book.language);
}

/** The same for a book that was already parsed. */
export function checkProse(
  bookProse: BookProse,
  chapters: readonly ChapterText[],
  language: string | null,
): CheckedBook {
  const texts = new Map(chapters.map(({ index, text }) => [index, text]));
  const findings = suspicionsIn(bookProse, language).flatMap((suspicion): Finding[] => {
    const certainty = measuredPrecision(suspicion);
    if (certainty === null || certainty < QUESTION) return [];
    const { kind, title, claim, severity, places, advice } = suspicion;
    const passages = places.map((place) => {
      const { chapter, start, end } = bookProse.locate(place);
      return { chapter, start, end, quote: texts.get(chapter)!.slice(start, end) };
    });
    return [
      { id: findingId(kind, passages), kind, title, claim, severity, certainty, origin: "counted", passages, advice },
    ];
  });
  return { findings: ordered(findings), notTried: notTriedIn(bookProse, language) };
}

/** All suspicions of the checks, however unreliable, to measure them. */
export function suspicionsIn(
  bookProse: BookProse,
  language: string | null,
  kinds: readonly CheckKind[] = CHECK_KINDS,
): Suspicion[] {
  if (isTooShort(bookProse)) return [];
  return kinds.filter((kind) => isTried(kind, language)).flatMap((kind) => CHECKS[kind](bookProse));
}

const isTooShort = ({ prose }: BookProse) => prose.wordCount < FEWEST_WORDS;

const isTried = (kind: CheckKind, language: string | null) => isEnglish(language) || ANY_LANGUAGE.includes(kind);

const isEnglish = (language: string | null) => language === null || language === "en";

function notTriedIn(bookProse: BookProse, language: string | null): CheckedBook["notTried"] {
  if (isTooShort(bookProse)) {
    const why = `a text of ${countOf(bookProse.prose.wordCount, "word")} is too short`;
    return CHECK_KINDS.map((kind) => ({ kind, why }));
  }
  const why = "it reads English only";
  return CHECK_KINDS.filter((kind) => !isTried(kind, language)).map((kind) => ({ kind, why }));
}

/** Claims before questions, then by severity, then in the order of the book. */
function ordered(findings: readonly Finding[]): Finding[] {
  const rank = (finding: Finding) =>
    (isQuestion(finding) ? SEVERITIES.length : 0) + SEVERITIES.indexOf(finding.severity);
  const first = ({ passages: [passage] }: Finding) => passage!;
  return findings.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      right.certainty - left.certainty ||
      first(left).chapter - first(right).chapter ||
      first(left).start - first(right).start,
  );
}
