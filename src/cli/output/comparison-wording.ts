import type { Verdict } from "../../core/verdict.ts";
import { countOf } from "../../core/wording.ts";
import { FEWEST_ANSWERS, type Tally } from "../../judge/pairwise.ts";
import { plainLine } from "../../report/markup.ts";
import { textTable } from "../../report/report-forms.ts";
import { intervalInWords, scoreInWords } from "../../report/wording.ts";
import type { BookComparison } from "../../tasks/books/compare-books.ts";
import type { Contrast, JuryComparison } from "../../tasks/books/compare-with-jury.ts";

const TITLE_WIDTH = 40;

/** Describes the result of pairwise comparisons by a language model. */
export function* comparisonInWords({
  books,
  aspects,
  standings,
  positionBias,
  failures,
  settled,
}: BookComparison): Generator<string> {
  const [left, right] = books.map(({ title }) => plainLine(title));
  if (aspects.length > 0 && left !== undefined && right !== undefined) {
    yield `${left}  against  ${right}`;
    for (const { name, left: won, right: lost, ties, better, reasons } of aspects) {
      const verdict = better === null ? "no answer" : { left, right, tie: "cannot be told apart" }[better];
      const reason = reasons[0] ? `: ${plainLine(reasons[0])}` : "";
      yield `  ${name.padEnd(28)} ${verdict} (${won}–${lost}, ${countOf(ties, "tie")})${reason}`;
    }
    yield* tooFewAnswers(aspects);
  } else {
    const titles = new Map(books.map(({ file, title }) => [file, plainLine(title)]));
    for (const [position, { id, strength, interval, comparisons }] of (standings.overall ?? []).entries()) {
      const [low, high] = interval.map((bound) => bound.toFixed(2));
      yield `${String(position + 1).padStart(3)}. ${titles.get(id) ?? id}  ${strength.toFixed(2)} [${low}, ${high}], ${countOf(comparisons, "comparison")}`;
    }
  }
  if (settled) yield settled;
  if (positionBias.bias !== null && positionBias.interval) {
    const [low, high] = positionBias.interval.map((bound) => `${(100 * bound).toFixed(0)} %`);
    yield `The judge chose the book shown first in ${positionBias.first} of ${positionBias.decisions} decisions: position bias ${(100 * positionBias.bias).toFixed(0)} % [${low}, ${high}].`;
  }
  for (const failure of failures) yield `Not answered: ${failure}`;
}

/** Advice for comparisons with too few answers to tell the books apart. */
export function tooFewAnswers(tallies: readonly Pick<Tally, "left" | "right" | "ties">[]): string[] {
  const most = Math.max(...tallies.map(({ left, right, ties }) => left + right + ties));
  if (most === 0 || most >= FEWEST_ANSWERS) return [];
  return [
    `${countOf(most, "answer")} cannot tell a preference from chance: with --runs ${FEWEST_ANSWERS / 2} there are ${FEWEST_ANSWERS}, and ${FEWEST_ANSWERS} that agree can.`,
  ];
}

/** Describes how the embedded jury compares two books, juror by juror, or how one juror ranks more. */
export function* juryComparisonInWords(comparison: JuryComparison): Generator<string> {
  const { books, jurors, ranking, speaker, notes } = comparison;
  const [left, right] = books.map(({ title }) => plainLine(title));
  if (jurors.length > 0 && left !== undefined && right !== undefined) {
    yield `${left}  against  ${right}`;
    yield textTable(
      ["who speaks", "better", "first", "second", "difference", ""],
      jurors.map((contrast) => [
        `${contrast.name}: ${contrast.speaker}`,
        contrast.better === null
          ? "–"
          : { left, right, tie: "cannot be told apart" }[contrast.better].slice(0, TITLE_WIDTH),
        withRange(contrast.left),
        withRange(contrast.right),
        differenceInWords(contrast),
        contrast.caveat ?? "",
      ]),
    );
  }
  if (ranking.length > 0) yield `Ranked as ${speaker} would rank them, as far as the ${comparison.judge} can tell:`;
  for (const [position, { title, overall, belowThePrevious }] of ranking.entries()) {
    const apart = belowThePrevious?.better === "tie" ? ", cannot be told apart from the one before" : "";
    yield `${String(position + 1).padStart(3)}. ${plainLine(title)}  ${withRange(overall)}${apart}`;
  }
  for (const { name, left: first, right: second } of jurors) {
    const silent = [first, second].find((verdict) => verdict.kind === "unscored");
    if (silent?.kind === "unscored") yield `No score from the ${name}: ${silent.reason}`;
  }
  yield* notes;
}

function withRange(verdict: Verdict): string {
  return verdict.kind === "scored"
    ? `${scoreInWords(verdict)} ${intervalInWords(verdict)}`
    : `unscored: ${verdict.reason}`;
}

function differenceInWords({ difference, interval }: Contrast): string {
  if (difference === null || interval === null) return "–";
  const signed = (points: number) => `${points >= 0 ? "+" : "−"}${Math.abs(points).toFixed(1)}`;
  return `${signed(difference)} [${signed(interval[0])}, ${signed(interval[1])}]`;
}
