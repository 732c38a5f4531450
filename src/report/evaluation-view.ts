import type { ReportPart, ReportSection } from "../api/evaluations.ts";
import { costInWords } from "../core/cost.ts";
import { isScored, type Verdict } from "../core/verdict.ts";
import { countOf, judgeInWords } from "../core/wording.ts";
import {
  type AspectResult,
  type AspectRow,
  aspectRows,
  type BookEvaluation,
  type Evidence,
  IMPORTED,
  type JurorResult,
  type JuryPart,
} from "../judge/evaluation.ts";
import type { LetterView } from "../judge/letter/parts.ts";
import { letterView, type NotesView, notesView } from "./letter/letter-view.ts";
import {
  chapterInWords,
  ordinal,
  positionOnScale,
  type Scale,
  scoreInWords,
  shareInWords,
  wordsSeenInWords,
} from "./wording.ts";

/** The section on text that addresses the judge; null if there is none. */
function injectionSection(evaluation: BookEvaluation): ReportSection | null {
  const { suspicions = [], jury } = evaluation;
  if (suspicions.length === 0) return null;
  const speak = `${countOf(suspicions.length, "passage")} in the text ${suspicions.length === 1 ? "addresses" : "address"} the judge`;
  const text = jury
    ? `This score may be manipulated: ${speak}. The embedded judges do not follow instructions, but measure those words with the rest.`
    : `This score may be manipulated: ${speak}.`;
  return { heading: null, parts: [{ kind: "text", text, strong: true }, ...maskedParts(evaluation)] };
}

/** Each score with and without those passages masked; empty if the book was judged only once. */
function maskedParts({ masked, overall, aspects, jury }: BookEvaluation): ReportPart[] {
  if (!masked) return [];
  const ofJurors = jury?.jurors.map(({ id, overall: own }) => rowOf(id, own, masked.jurors?.[id])) ?? [];
  const ofAspects = aspectRows(aspects).map(({ label, result }) =>
    rowOf(label, result.verdict, masked.aspects[result.id]),
  );
  const rows = [...(jury ? ofJurors : [rowOf("Overall", overall, masked.overall)]), ...ofAspects];
  return [
    { kind: "text", text: `Judged again with those passages masked (${countOf(masked.words, "word")}):` },
    {
      kind: "table",
      headings: ["", "as given", "masked", "moved by"],
      rows: rows.flatMap((row) => (row ? [row] : [])),
    },
  ];
}

/** The last is the score as given minus the masked one. An aspect that neither judging scored says nothing here. */
function rowOf(label: string, given: Verdict, again: Verdict | undefined): string[] | null {
  if (!again || (!isScored(given) && !isScored(again))) return null;
  const moved = isScored(given) && isScored(again) ? given.score - again.score : null;
  const difference = moved === null ? "–" : `${moved < 0 ? "−" : "+"}${Math.abs(moved).toFixed(1)}`;
  return [label, scoreInWords(given), scoreInWords(again), difference];
}

export interface JurorView {
  readonly result: JurorResult;
  /** "Crowd", or "Overall: crowd" for the headline juror. */
  readonly label: string;
  /** What must be shown beside the number: whose opinion it is, and the caveat if there is one. */
  readonly beside: string;
  /** Its percentile as a range with its reference, or why there is none. */
  readonly place: string;
}

export interface JuryView {
  readonly headline: JurorResult;
  readonly jurors: readonly JurorView[];
  /** Whether the jurors contradict each other; null if fewer than two gave a score. */
  readonly agreement: string | null;
  /** The grader, if it judged and has criteria to show. */
  readonly grader: JurorResult | null;
}

function juryView({ jury }: BookEvaluation): JuryView | null {
  if (!jury) return null;
  const grader = jury.jurors.find(({ criteria }) => criteria.length > 0) ?? null;
  return {
    headline: headlineOf(jury),
    jurors: jury.jurors.map((result) => ({
      result,
      label: result.id === jury.headline ? `Overall: ${result.id}` : capitalised(result.id),
      beside: besideScore(result),
      place: placeInWords(result),
    })),
    agreement: agreementInWords(jury),
    grader: grader && isScored(grader.overall) ? grader : null,
  };
}

function headlineOf({ jurors, headline }: JuryPart): JurorResult {
  return jurors.find(({ id }) => id === headline) ?? jurors[0]!;
}

function besideScore({ speaker, caveat }: JurorResult): string {
  return caveat === null ? speaker : `${speaker}; ${caveat}`;
}

function placeInWords({ percentile, noPercentile }: JurorResult): string {
  if (percentile === null) return noPercentile === null ? "" : `no percentile: ${noPercentile}`;
  const [low, high] = [percentile.low, percentile.high].map((value) => ordinal(Math.round(value)));
  return `${low} to ${high} percentile of ${percentile.reference}`;
}

function agreementInWords({ jurors, apart }: JuryPart): string | null {
  const scored = jurors.filter(({ overall }) => isScored(overall));
  if (scored.length < 2) return null;
  const ranges = scored.map(rangeOfHundred).join(", ");
  if (apart.length === 0) {
    return `The jurors cannot be told apart: on a common scale of 0 to 100 their ranges overlap (${ranges}). They are not averaged.`;
  }
  const pairs = apart.map(([left, right]) => `${left} and ${right}`).join(", ");
  return `The jurors disagree (${pairs}): on a common scale of 0 to 100 their ranges do not overlap (${ranges}). They are not averaged: readers, editors and graders want different things.`;
}

function rangeOfHundred({ id, overall, scale }: JurorResult): string {
  if (!isScored(overall)) return `${id} unscored`;
  const [low, high] = (overall.interval ?? [overall.score, overall.score]).map((score) =>
    (100 * (positionOnScale({ kind: "scored", score }, scale) ?? 0)).toFixed(0),
  );
  return `${id} ${low}–${high}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * A quotation in a report, with whether it was found in the book, and where. If found, the words are the book's;
 * whether the remark about them is right, nobody has checked.
 */
export interface PassageView {
  readonly quote: string;
  readonly where: string;
  /** For a line note: how likely an editor is to change it, and why. */
  readonly note: string | null;
  readonly found: boolean;
}

export interface AspectView extends AspectRow {
  readonly strengths: readonly RemarkView[];
  readonly weaknesses: readonly RemarkView[];
}

export interface RemarkView {
  readonly text: string;
  readonly passages: readonly PassageView[];
}

/** The content of every kind of report. It is decided here, and the terminal, Markdown and HTML only lay it out. */
export interface EvaluationView {
  readonly evaluation: BookEvaluation;
  readonly byline: string;
  /** What was judged, how, and how much of the book the judge saw. */
  readonly judged: string;
  /** How certain the overall score is and what it is compared with. */
  readonly sureness: string;
  /** Shown beside the number, because text that addresses the judge may have changed it; null if there is none. */
  readonly injection: ReportSection | null;
  /** Each followed by its parts. */
  readonly aspects: readonly AspectView[];
  readonly unscored: readonly AspectResult[];
  /** The embedded judges side by side; null if language models judged. */
  readonly jury: JuryView | null;
  /** The edit letter and the line notes; null for an evaluation without a letter. */
  readonly letter: LetterView | null;
  readonly notes: NotesView | null;
  readonly grounded: { readonly found: number; readonly total: number };
  readonly scale: Scale;
}

export function evaluationView(evaluation: BookEvaluation): EvaluationView {
  const evidence = evaluation.aspects.flatMap((aspect) => aspect.evidence);
  return {
    evaluation,
    byline: byline(evaluation),
    judged: judgedInWords(evaluation),
    sureness: `${surenessInWords(evaluation)}${peopleInWords(evaluation)}`,
    injection: injectionSection(evaluation),
    aspects: aspectRows(evaluation.aspects).map((row) => ({
      ...row,
      strengths: remarks(row.result, row.result.strengths, evaluation),
      weaknesses: remarks(row.result, row.result.weaknesses, evaluation),
    })),
    unscored: evaluation.aspects.filter((aspect) => aspect.verdict.kind === "unscored"),
    jury: juryView(evaluation),
    letter: letterView(evaluation),
    notes: notesView(evaluation),
    grounded: { found: evidence.filter((item) => item.found).length, total: evidence.length },
    scale: evaluation.scale,
  };
}

/**
 * The aspects with a verdict to show. The letter says once which aspects were not judged; without a letter each says
 * so itself.
 */
export function judgedAspects({ aspects, letter, jury }: EvaluationView): readonly AspectView[] {
  return letter && jury ? aspects.filter(({ result }) => result.verdict.kind === "scored") : aspects;
}

function byline({ book, map }: BookEvaluation): string {
  const told = map?.person && map.tense ? `${map.person} person, ${map.tense} tense` : null;
  return [
    book.author ? `by ${book.author}` : null,
    countOf(book.words, "word"),
    countOf(book.chapters.length, "chapter"),
    book.language,
    told,
  ]
    .filter(Boolean)
    .join(" · ");
}

function judgedInWords(evaluation: BookEvaluation): string {
  const { judge, method, coverage, calls, jury } = evaluation;
  if (jury) {
    const who = jury.jurors.length > 1 ? "the embedded jury" : `the embedded ${judge}`;
    return `Judged by ${who}; it saw ${shareInWords(coverage.share)} of the words; no language model was called and nothing was spent.`;
  }
  if (method === IMPORTED)
    return `Judged elsewhere by ${judge}${runsInWords(evaluation)}; ${wordsSeenInWords(coverage)}.`;
  // The report counts answers, but a call without an answer may have been billed too, which only the run knows.
  const spent =
    calls === 0
      ? "no call was answered, and `fabula runs show` says what failed calls may have cost"
      : `${countOf(calls, "call")}, ${costInWords(evaluation, true)}`;
  return `Judged by ${judgeInWords(judge)}, method ${method}${runsInWords(evaluation)}; ${wordsSeenInWords(coverage)}; ${spent}.`;
}

function runsInWords({ runs, panel }: BookEvaluation): string {
  const own = panel?.judges.map((member) => member.runs ?? runs) ?? [runs];
  if (own.some((count) => count !== own[0])) return `, ${own.join(" + ")} runs`;
  return own[0]! > 1 ? `, ${own[0]} runs${own.length > 1 ? " each" : ""}` : "";
}

function surenessInWords(evaluation: BookEvaluation): string {
  const { overall, overallPercentile, population, scale } = evaluation;
  if (overall.kind === "unscored") return `No overall score: ${overall.reason}.`;
  if (evaluation.jury) {
    const headline = headlineOf(evaluation.jury);
    const [low, high] = (overall.interval ?? [overall.score, overall.score]).map((end) => end.toFixed(1));
    return `${overall.score.toFixed(1)} on a scale of ${scale.minimum} to ${scale.maximum} by the ${headline.id} (${besideScore(headline)}). The range ${low} to ${high} includes this juror's own error for a text of this length; ${placeInWords(headline)}.`;
  }
  const range = overall.interval
    ? `The interval ${overall.interval[0].toFixed(1)} to ${overall.interval[1].toFixed(1)} is how far the score would move with ${evaluation.panel ? "other judges" : movedBy(evaluation)}.`
    : noIntervalInWords(evaluation);
  const place =
    population && overallPercentile !== null
      ? ` It is at the ${ordinal(Math.round(overallPercentile))} percentile of ${population.size} books: ${population.description}.`
      : "";
  return `${overall.score.toFixed(1)} on a scale of ${scale.minimum} to ${scale.maximum}. ${range}${place}`;
}

/** The rating people would give, if the judge was calibrated with texts that people rated. */
function peopleInWords({ people }: BookEvaluation): string {
  if (!people || people.verdict.kind === "unscored") return "";
  const { score, interval } = people.verdict;
  const range = interval ? ` (${interval[0].toFixed(1)} to ${interval[1].toFixed(1)}, ${100 * people.level} %)` : "";
  const beyond = people.isBeyond
    ? "; its score lies outside the range of those texts, so this is only the nearest value"
    : "";
  return ` On people's scale that is ${score.toFixed(1)}${range}, learnt from ${countOf(people.texts, "text")} that people rated${beyond}.`;
}

/** If all runs or judges agree, there is no spread from which to compute an interval. */
function noIntervalInWords({ repeats, panel }: BookEvaluation): string {
  const judges = panel?.judges.filter(({ overall }) => overall.kind === "scored").length ?? 0;
  if (judges > 1) return `All ${judges} judges gave the same score, which does not say how far others would differ.`;
  const runs = repeats?.scores.length ?? 0;
  if (runs > 1) return `All ${runs} runs gave the same score, which does not say how far it would move.`;
  return "There is no interval for this score.";
}

function movedBy({ runs, support }: BookEvaluation): string {
  const segments = support ? `other parts of the book (it is the average of ${support.scored} segments)` : null;
  const repeats = runs > 1 ? `other runs of the same judge (${runs} were made)` : null;
  return [repeats, segments].filter((part) => part !== null).join(" or ") || "other chapters of the same book";
}

function remarks(aspect: AspectResult, list: AspectResult["strengths"], evaluation: BookEvaluation): RemarkView[] {
  return list.map((remark) => ({
    text: remark.text + absentInWords(remark.absentNames),
    passages: remark.evidence.flatMap((position) => {
      const item = aspect.evidence[position];
      return item ? [passage(item, evaluation)] : [];
    }),
  }));
}

/** A judge that mentions people who are not in the book may be thinking of another one. */
function absentInWords(names: readonly string[] | undefined): string {
  return names && names.length > 0 ? ` [not in the book: ${names.join(", ")}]` : "";
}

function passage(item: Evidence, { book }: BookEvaluation): PassageView {
  const title = book.chapters.find((chapter) => chapter.index === item.chapter)?.title;
  return {
    quote: item.quote,
    where: chapterInWords(item.chapter, title),
    note: item.change === undefined ? null : noteInWords(item.change, item.why ?? null),
    found: item.found,
  };
}

function noteInWords(change: number, why: string | null): string {
  return `changed with probability ${change.toFixed(2)}${why === null ? "" : `: ${why}`}`;
}
