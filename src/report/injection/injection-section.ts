import { escapeHtml, escapeMarkdown } from "../markup.ts";
import { type InjectionView, MASKED_COLUMNS, type MaskedRow } from "./injection-view.ts";

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

export function injectionHtml({ sentence, masked }: InjectionView): string {
  const rows = masked?.rows.map(({ label, given, masked: again, difference }) => {
    const figures = [given, again, difference].map((figure) => `<td class="number">${escapeHtml(figure)}</td>`);
    return `<tr class="aspect"><th scope="row">${escapeHtml(label)}</th>${figures.join("")}</tr>`;
  });
  const table = rows
    ? `<p>${escapeHtml(masked!.heading)}</p>
<table class="aspects">
<thead><tr>${MASKED_COLUMNS.map((name) => `<th>${name}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`
    : "";
  return `<section>
<p><strong>${escapeHtml(sentence)}</strong></p>
${table}
</section>`;
}

function cellsOf({ label, given, masked, difference }: MaskedRow): string[] {
  return [label, given, masked, difference];
}
