import { type Finding, findingId } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { RemarkReference, WrittenLetter } from "../../judge/letter/ask-letter.ts";
import type { EditLetter, LineNotesPart } from "../../judge/letter/parts.ts";
import { letterFindings } from "../../letter/findings.ts";
import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import type { ComparedFigure, ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import { wilsonInterval } from "../../stats/distribution.ts";
import { type LetterLanguage, timesInWords } from "./figure-words.ts";
import { fill, type LetterFacts, loadLetterTexts, wordLetter } from "./letter-words.ts";
import { type PlacesBehind, placesBehind, type Quoter } from "./passages-behind.ts";

/** The data from which a letter is made. */
export interface LetterSource {
  readonly map: ManuscriptMap;
  /** Findings made by rules and counting. */
  readonly counted: readonly Finding[];
  /** Null if there are no reference novels in this language. */
  readonly reference: ReferenceNovels | null;
  readonly figures: readonly ComparedFigure[];
  /** Null if line notes are not possible. */
  readonly notes: LineNotesPart | null;
  /** Why the text is not connected prose; null if it is, or if that is not known for its language. */
  readonly notConnected: string | null;
  readonly quoter: Quoter;
}

/** Fewer cases than this may be chance. */
const FEWEST_CASES = 5;
const SURE = 0.95;

/**
 * Whether a figure is outside the reference by more than chance, so that a short text is not blamed for it: a rate by
 * more than twice its own error (of a Poisson count), a share of counted things by its whole interval. Other figures
 * have no error.
 */
export function isBeyondChance(
  { unit, value, place, reference }: ComparedFigure,
  { touched, of }: PlacesBehind,
  words: number,
): boolean {
  if (reference === null || value === null || touched === 0) return false;
  if (of !== undefined) {
    if (of === 0) return false;
    const [low, high] = wilsonInterval(Math.round(value * of), of, SURE);
    return place === "above" ? low > reference.high : high < reference.low;
  }
  if (unit !== "per 1,000 words" || place === "below") return true;
  return touched >= FEWEST_CASES && (1000 * (touched - 2 * Math.sqrt(touched))) / words > reference.high;
}

const QUOTED = 3;
const MOST_RECURRING = 4;
/** If no letter was written, a remark that recurs this often becomes a finding. */
const RECURRING = 2;
/** The certainty of a judge's remark that no second reading has checked. */
const UNCHECKED = 0.5;

/** Data that is available only in some cases. */
export interface LetterExtras {
  /** A letter that a language model wrote from its own verdicts. */
  readonly written?: WrittenLetter | null;
  /** The findings of a close reading, and the page written from it. */
  readonly read?: Required<Pick<EditLetter, "findings" | "close">> | null;
  /** What judging the rest would cost. */
  readonly judgingCost?: EditLetter["judgingCost"] | null;
}

/** Makes the edit letter from all findings. It invents nothing: every sentence is based on a passage or a figure. */
export function buildLetter(
  source: LetterSource,
  evaluation: Omit<BookEvaluation, "letter">,
  language: LetterLanguage,
  { written = null, read = null, judgingCost = null }: LetterExtras = {},
): EditLetter {
  const { reference, notConnected, counted } = source;
  const said = read?.findings ?? remarkFindings(written, evaluation, source.quoter, language);
  const facts: LetterFacts = {
    findings: letterFindings(said, counted),
    outside: notConnected === null ? outsideFigures(source) : [],
    ...(written && { written: { well: written.well, standsOut: written.standsOut } }),
    ...(notConnected !== null && { notConnected }),
    ...(read && { close: read.close }),
    ...(judgingCost && { judgingCost }),
    reference:
      reference === null
        ? null
        : { id: reference.id, description: reference.description, novels: reference.novels.length },
  };
  return { ...facts, words: wordLetter(facts, evaluation, language) };
}

function outsideFigures({ figures, map }: LetterSource): string[] {
  return figures.flatMap((figure) => {
    if (figure.place !== "above" && figure.place !== "below") return [];
    const behind = placesBehind(figure.id, map);
    return behind !== null && isBeyondChance(figure, behind, map.shape.words) ? [figure.id] : [];
  });
}

/**
 * A judge's statements, each with the passages of the remarks it is based on; without a letter, its most frequent
 * remarks.
 */
function remarkFindings(
  written: WrittenLetter | null,
  evaluation: Omit<BookEvaluation, "letter">,
  quoter: Quoter,
  language: LetterLanguage,
): Finding[] {
  if (evaluation.jury) return [];
  if (written) {
    return written.items.flatMap(({ title, finding, advice, basis }) =>
      remarkFinding({ title, claim: finding, advice }, basis, evaluation, quoter),
    );
  }
  const text = loadLetterTexts(language).items.recurring!;
  return evaluation.aspects
    .flatMap(({ id, name, weaknesses }) =>
      weaknesses.map((said, remark) => ({ said, name, basis: { aspect: id, kind: "weakness" as const, remark } })),
    )
    .filter(({ said }) => (said.times ?? 1) >= RECURRING)
    .sort((left, right) => (right.said.times ?? 1) - (left.said.times ?? 1))
    .slice(0, MOST_RECURRING)
    .flatMap(({ said, name, basis }) => {
      const title = fill(text.title, { aspect: name, times: timesInWords(said.times ?? 1, language) });
      return remarkFinding({ title, claim: said.text, advice: text.advice }, [basis], evaluation, quoter);
    });
}

function remarkFinding(
  words: Pick<Finding, "title" | "claim" | "advice">,
  basis: readonly RemarkReference[],
  evaluation: Omit<BookEvaluation, "letter">,
  quoter: Quoter,
): Finding[] {
  const passages = basis.flatMap((reference) => passagesOf(reference, evaluation, quoter)).slice(0, QUOTED);
  const kind = basis[0]?.aspect ?? "remark";
  if (passages.length === 0) return [];
  const id = findingId(kind, passages);
  return [{ id, kind, ...words, severity: "should", certainty: UNCHECKED, origin: "read", passages }];
}

/** The book's own words at the places that were found; quotations that were not found are not shown. */
function passagesOf(
  { aspect, kind, remark }: RemarkReference,
  evaluation: Omit<BookEvaluation, "letter">,
  quoter: Quoter,
): Finding["passages"] {
  const result = evaluation.aspects.find(({ id }) => id === aspect);
  const said = (kind === "strength" ? result?.strengths : result?.weaknesses)?.[remark];
  return (said?.evidence ?? []).flatMap((place) => {
    const evidence = result!.evidence[place];
    if (!evidence?.found || evidence.start === null || evidence.end === null) return [];
    const found = quoter.quote({ chapter: evidence.chapter, start: evidence.start, end: evidence.end });
    return found ? [{ chapter: found.chapter, start: found.start, end: found.end, quote: found.quote }] : [];
  });
}
