import { isScored, type Verdict } from "../core/verdict.ts";
import { countOf } from "../core/wording.ts";
import { aspectRows } from "../judge/aspect-rows.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { escapeMarkdown } from "./markup.ts";
import { scoreInWords } from "./wording.ts";

/** What a report says of a text that speaks to its judge. */
export interface InjectionView {
  readonly sentence: string;
  /** Each score as given and with those passages masked; null where the book was judged once. */
  readonly masked: { readonly heading: string; readonly rows: readonly MaskedRow[] } | null;
}

export interface MaskedRow {
  readonly label: string;
  readonly given: string;
  readonly masked: string;
  /** The score as given minus the masked one: what the passages are worth to this judge. */
  readonly difference: string;
}

export const MASKED_COLUMNS = ["", "as given", "masked", "moved by"] as const;

/** Null for a text in which nothing speaks to a judge. */
export function injectionView(evaluation: BookEvaluation): InjectionView | null {
  const { suspicions = [], jury } = evaluation;
  if (suspicions.length === 0) return null;
  const speak = `${countOf(suspicions.length, "passage")} in the text ${suspicions.length === 1 ? "speaks" : "speak"} to the judge`;
  return {
    sentence: jury
      ? `This score may be manipulated: ${speak}. The embedded judges follow no orders, but measure those words with the rest.`
      : `This score may be manipulated: ${speak}.`,
    masked: maskedView(evaluation),
  };
}

function maskedView({ masked, overall, aspects, jury }: BookEvaluation): InjectionView["masked"] {
  if (!masked) return null;
  const ofJurors = jury?.jurors.map(({ id, overall: own }) => rowOf(id, own, masked.jurors?.[id])) ?? [];
  const ofAspects = aspectRows(aspects).map(({ label, result }) =>
    rowOf(label, result.verdict, masked.aspects[result.id]),
  );
  const rows = [...(jury ? ofJurors : [rowOf("Overall", overall, masked.overall)]), ...ofAspects];
  return {
    heading: `Judged again with those passages masked (${countOf(masked.words, "word")}):`,
    rows: rows.flatMap((row) => row ?? []),
  };
}

/** An aspect that neither judging scored says nothing here. */
function rowOf(label: string, given: Verdict, again: Verdict | undefined): MaskedRow | null {
  if (!again || (!isScored(given) && !isScored(again))) return null;
  const moved = isScored(given) && isScored(again) ? given.score - again.score : null;
  return {
    label,
    given: scoreInWords(given),
    masked: scoreInWords(again),
    difference: moved === null ? "–" : `${moved < 0 ? "−" : "+"}${Math.abs(moved).toFixed(1)}`,
  };
}

export function injectionLines({ sentence, masked }: InjectionView): string[] {
  if (!masked) return [sentence];
  const table = [[...MASKED_COLUMNS], ...masked.rows.map(cellsOf)];
  const widths = MASKED_COLUMNS.map((_, at) => Math.max(...table.map((cells) => cells[at]!.length)));
  const lines = table.map((cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("  "),
  );
  return [sentence, masked.heading, ...lines.map((line) => `  ${line}`)];
}

export function injectionMarkdown({ sentence, masked }: InjectionView): string[] {
  if (!masked) return [`**${escapeMarkdown(sentence)}**`, ""];
  return [
    `**${escapeMarkdown(sentence)}**`,
    "",
    escapeMarkdown(masked.heading),
    "",
    `| ${MASKED_COLUMNS.join(" | ")} |`,
    `| ${MASKED_COLUMNS.map(() => "---").join(" | ")} |`,
    ...masked.rows.map((row) => `| ${cellsOf(row).map(escapeMarkdown).join(" | ")} |`),
    "",
  ];
}

function cellsOf({ label, given, masked, difference }: MaskedRow): string[] {
  return [label, given, masked, difference];
}
