import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { extname } from "node:path";
import { PassThrough, Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { z } from "zod";
import { FabulaError } from "./errors.ts";
import { writeFailure } from "./files.ts";
import { countOf, issueInWords, plainOutput } from "./wording.ts";

/** A line longer than this is no row of data but a file of another kind. */
const LONGEST_LINE = 256 * 1024 * 1024;

/**
 * The rows of a JSONL file, each parsed by its schema as it is read; `-` is standard input, and `.gz` is unpacked. The
 * first line that does not fit ends the reading with its number and what is wrong with it.
 */
export async function* jsonLines<Row>(path: string, schema: z.ZodType<Row>): AsyncGenerator<Row> {
  for await (const { number, line } of numberedLines(path)) yield parseLine(line, number, path, schema);
}

/** The same with the number of each row's line, for what only the reader can see is wrong with it. */
export async function* numberedRows<Row>(
  path: string,
  schema: z.ZodType<Row>,
): AsyncGenerator<{ number: number; row: Row }> {
  for await (const { number, line } of numberedLines(path))
    yield { number, row: parseLine(line, number, path, schema) };
}

/** The lines themselves with their numbers, blank ones left out: for readers that go on after a line that does not fit. */
export async function* numberedLines(path: string): AsyncGenerator<{ number: number; line: string }> {
  let number = 0;
  for await (const lines of lineBatches(path)) {
    for (const line of lines) {
      number++;
      if (line.trim() !== "") yield { number, line };
    }
  }
}

export async function readJsonLines<Row>(path: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let number = 0;
  // A file that is read whole needs no pause between two lines.
  for await (const lines of lineBatches(path)) {
    for (const line of lines) {
      number++;
      if (line.trim() !== "") rows.push(parseLine(line, number, path, schema));
    }
  }
  return rows;
}

/** A line that could not be used, and why. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

/**
 * The rows that fit and the lines that do not, for data in which a row can be missing without making the others wrong.
 * Whoever reads them has to say which lines are left out. A file without any row that fits is refused with its first fault.
 */
export async function readFittingLines<Row>(
  path: string,
  schema: z.ZodType<Row>,
): Promise<{ readonly rows: Row[]; readonly bad: BadLine[] }> {
  const rows: Row[] = [];
  const bad: BadLine[] = [];
  let first: string | null = null;
  for await (const { number, line } of numberedLines(path)) {
    const read = fitLine(line, schema);
    if (read.kind === "row") rows.push(read.row);
    else {
      first ??= line;
      bad.push({ line: number, reason: read.reason });
    }
  }
  if (rows.length === 0 && first !== null) parseLine(first, bad[0]!.line, path, schema);
  return { rows, bad };
}

const MOST_NAMED = 5;

/** Which lines of a file are left out, and why. */
export function badLinesInWords(lines: readonly BadLine[], file: string): string {
  const named = lines.slice(0, MOST_NAMED).map(({ line, reason }) => `line ${line} ${reason}`);
  const rest = lines.length > MOST_NAMED ? [`and ${lines.length - MOST_NAMED} more`] : [];
  const parts = [...named, ...rest].join("; ");
  return `${countOf(lines.length, "line")} of "${file}" left out: ${parts}.`;
}

/** How many rows a file has, without parsing them; for progress over files that are read as a stream. */
export async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const lines of lineBatches(path)) for (const line of lines) if (line !== "") count++;
  return count;
}

/**
 * Writes one row per line; `-` is standard output, and `.gz` is packed. A file appears whole or not at all: it is written beside
 * and renamed. A name that promises another format is refused.
 */
export async function writeJsonLines(path: string, rows: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  checkJsonLinesName(path);
  await writeLines(path, serialised(rows));
}

/** For work that is paid for before it is written: a name that will be refused is refused at once. */
export function checkJsonLinesName(path: string): void {
  const ending = extname(path.replace(/\.gz$/i, ""));
  if (/^(?:\.jsonl|\.ndjson)?$/i.test(ending)) return;
  throw new FabulaError("E_USAGE", `"${path}" would hold JSONL: end the file's name with .jsonl or .jsonl.gz.`);
}

/** The same for lines that are written out already, each with its end; the file may have any name. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  if (path === "-") return writeStandardOutput(lines);
  const unfinished = `${path}.${process.pid}.unfinished`;
  const packing = path.endsWith(".gz") ? [createGzip()] : [];
  try {
    await pipeline([Readable.from(inPieces(lines)), ...packing, createWriteStream(unfinished)]);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw writeFailure(path, cause);
  }
}

/** A file of rows that come one at a time beside other work; it appears whole with `finish`, or not at all. */
export interface JsonLinesFile {
  write(row: unknown): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

export function openJsonLines(path: string): JsonLinesFile {
  const waiting = new PassThrough({ objectMode: true, highWaterMark: 16 });
  const written = writeJsonLines(path, waiting);
  // Whoever writes learns of a failure with the next row or from `finish`; until then it must not end the process.
  written.catch(() => waiting.destroy());
  return {
    async write(row) {
      if (waiting.destroyed) await written;
      else if (!waiting.write(row)) await Promise.race([once(waiting, "drain"), written]);
    },
    async finish() {
      waiting.end();
      await written;
    },
    async abandon() {
      waiting.destroy(new Error("abandoned"));
      await written.catch(() => {});
    },
  };
}

/** Characters that are written at once: a line at a time, the stream would take longer than the disk. */
const PIECE = 64 * 1024;

/** Lines joined into larger pieces. Only for a file, which is not looked at before it is whole. */
async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

export async function* serialised(rows: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

async function* lineBatches(path: string): AsyncGenerator<string[]> {
  let rest = "";
  try {
    for await (const chunk of decoded(path)) {
      const lines = chunk.split("\n");
      lines[0] = rest + lines[0];
      rest = lines.pop()!;
      if (rest.length > LONGEST_LINE) {
        throw new FabulaError("E_JSONL_LINE", `"${path}" has no line breaks: is it really JSONL?`);
      }
      yield lines;
    }
  } catch (cause) {
    if (!isFileError(cause)) throw cause;
    const advice = cause.code === "ENOENT" ? "there is no such file" : `it could not be read (${cause.code})`;
    throw new FabulaError("E_FILE_READ", `"${path}": ${advice}. Check the path.`, { cause });
  }
  yield [rest];
}

async function* decoded(path: string): AsyncGenerator<string> {
  const raw = path === "-" ? process.stdin : createReadStream(path);
  const bytes = path.endsWith(".gz") ? unpacked(raw) : raw;
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** `pipe` alone would leave a missing file to end the process: the source's error is the reader's to see. */
function unpacked(source: Readable): Readable {
  const unpacking = createGunzip();
  source.on("error", (error) => unpacking.destroy(error));
  return source.pipe(unpacking);
}

type FittedLine<Row> =
  | { readonly kind: "row"; readonly row: Row }
  | { readonly kind: "bad"; readonly reason: string; readonly cause?: unknown };

function fitLine<Row>(line: string, schema: z.ZodType<Row>): FittedLine<Row> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    return { kind: "bad", reason: "is not JSON", cause };
  }
  const result = schema.safeParse(value);
  if (result.success) return { kind: "row", row: result.data };
  const issue = result.error.issues[0]!;
  const place = issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  return { kind: "bad", reason: `does not fit${place}: ${issueInWords(issue)}` };
}

function parseLine<Row>(line: string, number: number, path: string, schema: z.ZodType<Row>): Row {
  const read = fitLine(line, schema);
  if (read.kind === "row") return read.row;
  const advice = read.cause === undefined ? "" : ": correct that line and try again";
  throw new FabulaError("E_JSONL_LINE", `Line ${number} of "${path}" ${read.reason}${advice}.`, {
    ...(read.cause !== undefined && { cause: read.cause }),
    evidence: line.slice(0, 500),
  });
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && /^(E[A-Z]+|Z_.*)$/.test(error.code)
  );
}

/**
 * Writes lines to standard output. A terminal obeys control characters, and a model's words or a manuscript may hold some:
 * there they are shown as escapes. A file or a program behind a pipe gets every byte unchanged.
 */
export async function writeStandardOutput(
  lines: AsyncIterable<string>,
  output: Writable & { readonly isTTY?: boolean } = process.stdout,
): Promise<void> {
  await pipeline(Readable.from(output.isTTY ? plain(lines) : lines), output, { end: false });
}

async function* plain(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield plainOutput(line, { colours: false });
}
