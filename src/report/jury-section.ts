import type { JurorView, JuryView } from "./jury-view.ts";
import { escapeHtml, escapeMarkdown } from "./markup.ts";
import { intervalInWords, positionOnScale, type Scale, scoreInWords } from "./wording.ts";

type Verdict = JurorView["result"]["overall"];

/** The jurors side by side, each with who is speaking beside its number, and the grader's criteria as criteria. */
export function jurySectionHtml({ jurors, agreement, grader }: JuryView): string {
  const rows = jurors.map(({ label, result, beside, place }) => {
    const { overall, scale } = result;
    const name = `<th scope="row">${escapeHtml(label)}</th>`;
    if (overall.kind === "unscored") {
      return `<tr class="aspect unscored">${name}<td>–</td><td colspan="2">unscored: ${escapeHtml(overall.reason)}</td><td>${escapeHtml(beside)}</td></tr>`;
    }
    return `<tr class="aspect">${name}<td class="number">${scoreInWords(overall)} of ${scale.maximum}</td><td class="wide">${bar(overall, scale)}</td><td class="number">${intervalInWords(overall)}</td><td>${escapeHtml(beside)}<br><small>${escapeHtml(place)}</small></td></tr>`;
  });
  return `<section>
<h2>${jurors.length > 1 ? "Three jurors, side by side" : "The juror"}</h2>
<table class="aspects">
<thead><tr><th>Juror</th><th>Score</th><th class="wide">On its own scale</th><th>Range</th><th>Who is speaking</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${agreement === null ? "" : `<p>${escapeHtml(agreement)}</p>`}
${grader === null ? "" : criteriaTable(grader)}
</section>`;
}

function criteriaTable({ criteria, scale, speaker }: JurorView["result"]): string {
  const rows = criteria.map(
    ({ name, better, verdict }) =>
      `<tr class="part"><th scope="row">${escapeHtml(name)}${better === "lower" ? " <small>(less is better)</small>" : ""}</th><td class="number">${scoreInWords(verdict)}</td><td class="wide">${bar(verdict, scale)}</td><td class="number">${intervalInWords(verdict)}</td></tr>`,
  );
  return `<h3>The grader's own criteria <small>${escapeHtml(speaker)}, ${scale.minimum} to ${scale.maximum}</small></h3>
<table class="aspects">
<thead><tr><th>Criterion</th><th>Score</th><th class="wide">${scale.minimum} to ${scale.maximum}</th><th>Range</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

function bar(verdict: Verdict, scale: Scale): string {
  if (verdict.kind === "unscored") return "";
  const percent = (score: number) => 100 * (positionOnScale({ kind: "scored", score }, scale) ?? 0);
  const [low, high] = verdict.interval ?? [verdict.score, verdict.score];
  const whisker = `<i class="whisker" style="left:${percent(low).toFixed(1)}%;width:${(percent(high) - percent(low)).toFixed(1)}%"></i>`;
  return `<span class="bar"><i class="fill" style="width:${percent(verdict.score).toFixed(1)}%"></i>${whisker}</span>`;
}

export function jurySectionMarkdown({ jurors, agreement, grader }: JuryView): string[] {
  const cell = (verdict: Verdict, scale: Scale) =>
    verdict.kind === "scored"
      ? `${scoreInWords(verdict)} of ${scale.maximum} | ${intervalInWords(verdict)}`
      : `unscored: ${escapeMarkdown(verdict.reason)} | `;
  return [
    "| juror | score | range | who is speaking | percentile |",
    "| --- | --- | --- | --- | --- |",
    ...jurors.map(
      ({ label, result, beside, place }) =>
        `| ${label} | ${cell(result.overall, result.scale)} | ${escapeMarkdown(beside)} | ${escapeMarkdown(place)} |`,
    ),
    "",
    ...(agreement === null ? [] : [escapeMarkdown(agreement), ""]),
    ...(grader === null
      ? []
      : [
          `The grader's own criteria (${escapeMarkdown(grader.speaker)}):`,
          "",
          "| criterion | score | range |",
          "| --- | --- | --- |",
          ...grader.criteria.map(
            ({ name, better, verdict }) =>
              `| ${escapeMarkdown(name)}${better === "lower" ? " (less is better)" : ""} | ${cell(verdict, grader.scale)} |`,
          ),
          "",
        ]),
  ];
}
