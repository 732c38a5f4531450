import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import type { DecodedText } from "../encoding.ts";
import { FabulaError } from "../errors.ts";
import type { Table } from "./table.ts";

const DELIMITERS = [",", ";", "\t"] as const;
const LARGEST = 400 * 1024 * 1024;
/** Library exports write ="0123" so that a spreadsheet keeps the leading zero: a quote that opens no field. */
const SPREADSHEET_TEXT = /[,;\t]="/;
const recordsSchema = z.array(z.array(z.string()));

/** CSV with a heading, quotes and line breaks inside quotes included; the delimiter is the one the heading uses most. */
export async function readCsv(path: string): Promise<Table> {
  const text = await textOf(path);
  const delimiter = delimiterOf(text);
  let records: string[][];
  try {
    records = recordsSchema.parse(
      parse(text, {
        bom: true,
        delimiter,
        skip_empty_lines: true,
        relax_quotes: SPREADSHEET_TEXT.test(text),
      }),
    );
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const place = typeof cause.lines === "number" ? ` near line ${cause.lines}` : "";
    throw new FabulaError(
      "E_TABLE_READ",
      `"${path}" is not well-formed CSV${place}: ${firstSentence(cause.message)}.`,
      {
        cause,
      },
    );
  }
  const columns = records.shift()?.map((name) => name.trim()) ?? [];
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new FabulaError("E_TABLE_READ", `"${path}" has two columns named "${twice}": give each its own name.`);
  }
  const hasDecimalCommas = delimiter === ";";
  const rows = records.map((record) => Object.fromEntries(columns.map((name, index) => [name, record[index] ?? ""])));
  return { source: path, columns, rows, ...(hasDecimalCommas && { hasDecimalCommas }) };
}

async function textOf(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = path === "-" ? await buffer(process.stdin) : await readFile(path);
    if (path.toLowerCase().endsWith(".gz")) bytes = gunzipSync(bytes, { maxOutputLength: LARGEST });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    const advice = code === "ENOENT" ? "there is no such file" : `it could not be read (${String(code)})`;
    throw new FabulaError("E_TABLE_READ", `"${path}": ${advice}. Check the path.`, { cause });
  }
  if (bytes.length > LARGEST) {
    throw new FabulaError("E_TABLE_READ", `"${path}" is larger than 400 MB: convert it to Parquet or split it.`);
  }
  return decoded(bytes, path);
}

/** Spreadsheets save CSV in the encoding of their country, or as UTF-16. A name with a sign replaced would match no other table's. */
async function decoded(bytes: Buffer, path: string): Promise<string> {
  const isWide = bytes.length > 1 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0));
  if (!isWide && bytes.includes(0)) throw notText(path);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const { decodeText } = await import("../encoding.ts");
  let found: DecodedText;
  try {
    found = decodeText(bytes, path);
  } catch (cause) {
    throw notText(path, cause);
  }
  if (found.undecodable > 0) {
    throw new FabulaError(
      "E_TABLE_READ",
      `"${path}" holds bytes that are no text in ${found.encoding}, its likely encoding: save it as UTF-8 and try again.`,
    );
  }
  return found.text;
}

function notText(path: string, cause?: unknown): FabulaError {
  return new FabulaError("E_TABLE_READ", `"${path}" is not text: CSV with a heading is expected.`, { cause });
}

function delimiterOf(text: string): string {
  const heading = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  const uses = (delimiter: string) => heading.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (uses(delimiter) > uses(best) ? delimiter : best));
}

function firstSentence(message: string): string {
  return message.split(/[.,:]\s/)[0] ?? message;
}
