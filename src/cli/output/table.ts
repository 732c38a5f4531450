import type { ReportTable } from "../../report/agreement/report-table.ts";

/** A table of a report as text: its title, its rows, and the note under them. */
export function titledTable({ title, headings, rows, note }: ReportTable): string {
  return [title, "", textTable(headings, rows), ...(note ? ["", note] : []), ""].join("\n");
}

/** Rows under their headings, columns as wide as needed; numbers and their placeholders are right-aligned. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), heading.length),
  );
  const numeric = headings.map((_, column) =>
    rows.every((row) => /^(?:[-−–]|[-−+]?[\d.,]+.*)?$/.test(row[column] ?? "")),
  );
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) =>
        numeric[column] ? (cells[column] ?? "").padStart(width) : (cells[column] ?? "").padEnd(width),
      )
      .join("  ")
      .trimEnd();
  return [line(headings), ...rows.map(line)].join("\n");
}
