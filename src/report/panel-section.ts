import { isScored } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { htmlFigure } from "./html-page.ts";
import { escapeHtml } from "./markup.ts";
import { type IntervalDot, intervalDots } from "./plots/interval-dots.ts";
import { scoreInWords } from "./wording.ts";

/** What each judge of a panel said, how far they agree, and what the whole would be without each of them. */
export function panelSection({ panel, overall, aspects }: BookEvaluation): string {
  if (!panel) return "";
  const dots = [
    ...panel.judges.map(({ judge, overall: verdict }) => dotOf(shortName(judge), verdict)),
    dotOf("all together", overall),
    ...panel.without.map(({ judge, overall: verdict }) => dotOf(`without ${shortName(judge)}`, verdict)),
  ].filter((dot) => dot !== null);
  const values = dots.flatMap(({ value, interval }) => [value, ...interval]);
  const room = Math.max(1, (Math.max(...values) - Math.min(...values)) * 0.1);
  const plot =
    dots.length === 0
      ? ""
      : htmlFigure(
          intervalDots(dots, [Math.min(...values) - room, Math.max(...values) + room], "Overall score by judge"),
          "The overall score of each judge with the interval of its own runs, of all together, and with each judge left out.",
        );
  const head = panel.judges.map(({ judge }) => `<th>${escapeHtml(shortName(judge))}</th>`).join("");
  const rows = aspects.map(({ id, name, verdict }) => {
    const cells = panel.judges.map(
      ({ aspects: own }) => `<td class="number">${own[id] ? scoreInWords(own[id]) : "–"}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.join("")}<td class="number">${scoreInWords(verdict)}</td></tr>`;
  });
  return `<section>
<h2>What each judge said</h2>
${plot}
<p>${escapeHtml(agreementInWords(panel))}</p>
<table class="panel"><thead><tr><th>Aspect</th>${head}<th>together</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>
</section>`;
}

function agreementInWords({ difference, concordance }: NonNullable<BookEvaluation["panel"]>): string {
  return [
    difference === null ? "" : `Two judges differ by ${difference.toFixed(1)} points on an aspect, on average.`,
    concordance === null
      ? ""
      : `Their agreement on which aspects are better (Kendall's W) is ${concordance.toFixed(2)}; 1 is full agreement, 0 none.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function dotOf(label: string, verdict: BookEvaluation["overall"]): IntervalDot | null {
  if (!isScored(verdict)) return null;
  const interval = verdict.interval ?? [verdict.score, verdict.score];
  return { label, value: verdict.score, interval, note: scoreInWords(verdict) };
}

/** `model@http://host/v1` is known by its model; the address stands at the head of the report. */
function shortName(judge: string): string {
  return judge.replace(/@https?:\/\/\S+$/, "");
}
