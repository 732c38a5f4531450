/** Rows under their headings, columns as wide as needed; numbers and their placeholders are right-aligned. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
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
