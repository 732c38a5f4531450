import { FabulaError } from "../errors.ts";
import { verdictSchema } from "../verdict.ts";

/** Rows as a file holds them: values are read, and judged, only when a column is asked for. */
export interface Table {
  readonly source: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Whether numbers are written 4,5: a spreadsheet separates columns with semicolons where it does so. */
  readonly hasDecimalCommas?: boolean;
}

/** How spreadsheets, R, pandas and JSON write "nothing here". */
const MISSING = new Set(["", "na", "n/a", "nan", "null", "none", "-", "–"]);

/**
 * A column of numbers, NaN where there is none. A verdict counts as its score, and an unscored one as missing. A name
 * may lead into objects: `criteria.pacing`.
 */
export function numberColumn(table: Table, name: string): Float64Array {
  requireColumn(table, name);
  return Float64Array.from(table.rows, (row, index) => {
    const value = valueAt(row, name);
    const number = numberIn(value, table.hasDecimalCommas);
    if (number !== undefined) return number;
    throw new FabulaError(
      "E_TABLE_NUMBER",
      `Row ${index + 1} of "${table.source}" holds ${JSON.stringify(value)?.slice(0, 60)} in column "${name}": a number is needed there, or nothing${adviceFor(value)}.`,
      { evidence: row },
    );
  });
}

/** A column of names, such as systems or groups. A row without one cannot be placed, so it is an error. */
export function nameColumn(table: Table, name: string): string[] {
  requireColumn(table, name);
  return table.rows.map((row, index) => {
    const value = valueAt(row, name);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
    throw new FabulaError(
      "E_TABLE_NAME",
      `Row ${index + 1} of "${table.source}" has nothing in column "${name}": every row needs a value.`,
    );
  });
}

export function hasColumn(table: Table, name: string): boolean {
  return table.columns.includes(name) || table.rows.some((row) => valueAt(row, name) !== undefined);
}

function requireColumn(table: Table, name: string): void {
  if (hasColumn(table, name)) return;
  const known = table.columns.slice(0, 30).join(", ");
  throw new FabulaError("E_TABLE_COLUMN", `"${table.source}" has no column "${name}". It has: ${known}.`);
}

export function valueAt(row: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(row, name)) return row[name];
  let value: unknown = row;
  for (const key of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const DECIMAL_COMMA = /^[-+]?\d+,\d+$/;
/** 2026-04-05, 5-Apr, 05.04.2026: what a spreadsheet makes of 4/5 or 4-5. */
const DATE =
  /^\d{4}-\d{1,2}-\d{1,2}|^\d{1,2}[-. /]\p{L}{3,}|^\p{L}{3,}[-. /]\d{1,4}$|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/u;

/** Advice for a cell that holds no number. */
function adviceFor(value: unknown): string {
  if (typeof value !== "string") return "";
  const text = value.trim();
  if (DATE.test(text))
    return " (a spreadsheet has probably made a date of it: format the column as text and enter it again)";
  if (/^[\d.,]+\s*(\/|out of|of)\s*[\d.,]+$/.test(text)) return " (leave out what it is out of: 4, not 4/5)";
  if (DECIMAL_COMMA.test(text)) return " (write decimals with a point, or separate the columns with semicolons)";
  if (/^[-+]?[\d.,]+\s*%$/.test(text)) return " (leave out the sign: 85, not 85%)";
  return /\d/.test(text) ? "" : " (where answers are words or signs, give each a number, such as 1 for the lowest)";
}

/** NaN for a missing value, undefined for one that is not a number at all. */
function numberIn(value: unknown, hasDecimalCommas = false): number | undefined {
  switch (typeof value) {
    case "number":
      return value;
    case "bigint":
      return Number(value);
    case "undefined":
      return Number.NaN;
    case "string": {
      const text = value.trim();
      if (MISSING.has(text.toLowerCase())) return Number.NaN;
      const number = Number(hasDecimalCommas && DECIMAL_COMMA.test(text) ? text.replace(",", ".") : text);
      return Number.isNaN(number) ? undefined : number;
    }
    case "object": {
      if (value === null) return Number.NaN;
      const verdict = verdictSchema.safeParse(value);
      if (!verdict.success) return undefined;
      return verdict.data.kind === "scored" ? verdict.data.score : Number.NaN;
    }
    default:
      return undefined;
  }
}
