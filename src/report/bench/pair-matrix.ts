import type { WriterComparison } from "../../bench/writers/compare-writers.ts";
import type { Leaderboard } from "../../bench/writers/leaderboard.ts";
import { escapeHtml } from "../markup.ts";
import type { ReportWords } from "./words/report-words.ts";

/** Every two writers as a table: the difference of composites, row minus column; p and effect size in the cell's title. */
export function pairMatrix({ rows, comparisons }: Leaderboard, { matrix }: ReportWords): string {
  const found = new Map(comparisons.pairs.map((pair) => [`${pair.first}\u0000${pair.second}`, pair]));
  const head = rows.map(({ rank }) => `<th scope="col">${rank}</th>`).join("");
  const lines = rows.map(({ rank, writer }) => {
    const cells = rows.map((column) => cell(writer, column.writer, found, comparisons.significance, matrix));
    return `<tr><th scope="row">${rank} ${escapeHtml(writer)}</th>${cells.join("")}</tr>`;
  });
  return `<div class="table-scroller" role="region" aria-label="${escapeHtml(matrix.label)}" tabindex="0"><table class="matrix"><thead><tr><th></th>${head}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function cell(
  row: string,
  column: string,
  found: ReadonlyMap<string, WriterComparison>,
  significance: number,
  matrix: ReportWords["matrix"],
): string {
  if (row === column) return '<td class="same">·</td>';
  const pair = found.get(`${row}\u0000${column}`) ?? found.get(`${column}\u0000${row}`);
  if (!pair) return "<td></td>";
  const difference = pair.first === row ? pair.difference : -pair.difference;
  const isApart = pair.adjusted !== null && pair.adjusted < significance;
  const words = [
    `${row} − ${column}: ${difference.toFixed(2)}`,
    pair.effect === null ? null : matrix.effect(Math.abs(pair.effect).toFixed(2)),
    pair.p === null ? null : matrix.significance(pInWords(pair.p), pInWords(pair.adjusted ?? 1)),
    pair.design === "paired" ? matrix.shared(pair.shared) : matrix.unpaired,
  ].filter((part) => part !== null);
  const text = signed(difference);
  return `<td class="${isApart ? "apart" : "level"}" title="${escapeHtml(words.join("; "))}">${isApart ? `<b>${text}</b>` : text}<small>${pair.adjusted === null ? "" : pInWords(pair.adjusted)}</small></td>`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

export function pInWords(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
