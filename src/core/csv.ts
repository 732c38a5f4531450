/**
 * One line of CSV, without its line end: fields that need quotation marks get them. A text whose leading sign a spreadsheet would
 * run as a formula is made text: titles, names and replies come from anyone.
 */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return fields
    .map((field) => {
      const text = typeof field === "string" ? harmless(field) : field === null ? "" : String(field);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(",");
}

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
