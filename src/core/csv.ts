import { FabulaError } from "./errors.ts";

/** Rows of a CSV text (RFC 4180: quoted fields may hold commas, line ends and doubled quotes), keyed by its header line. */
export function parseCsv(text: string, name: string): Record<string, string>[] {
  const [header, ...records] = csvRecords(text.replace(/^\ufeff/, ""), name);
  if (!header) throw new FabulaError("E_CSV", `"${name}" is empty: a header line and rows are expected.`);
  return records.map((record, index) => {
    if (record.length !== header.length) {
      throw new FabulaError(
        "E_CSV",
        `Row ${index + 1} of "${name}" has ${record.length} fields where the header has ${header.length}: mend that row.`,
      );
    }
    return Object.fromEntries(header.map((field, column) => [field, record[column]!]));
  });
}

function csvRecords(text: string, name: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let position = 0;
  while (position < text.length) {
    const { field, end } = text[position] === '"' ? quotedField(text, position, name) : plainField(text, position);
    record.push(field);
    position = end + 1;
    if (text[end] === ",") {
      if (position >= text.length) record.push("");
      else continue;
    }
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  }
  return records;
}

function plainField(text: string, start: number): { field: string; end: number } {
  const run = /[^,\n]*/y;
  run.lastIndex = start;
  const field = run.exec(text)![0];
  return { field: field.replace(/\r$/, ""), end: start + field.length };
}

function quotedField(text: string, start: number, name: string): { field: string; end: number } {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new FabulaError("E_CSV", `"${name}" has a quotation mark that is never closed: mend it.`);
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') {
      const end = text[quote + 1] === "\r" ? quote + 2 : quote + 1;
      return { field: parts.join(""), end };
    }
    parts.push('"');
    from = quote + 2;
  }
}

/** One line of CSV, without its line end: fields that need quotation marks get them. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return fields
    .map((field) => {
      const text = field === null ? "" : String(field);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(",");
}
