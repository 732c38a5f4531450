import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { Forecast, Forecaster, NoForecast } from "../../forecast/forecast.ts";
import { FIELDS, type ForecastInput, forecastInputSchema } from "../../forecast/forecast-input.ts";
import { isOutline, readOutline } from "../../forecast/read-outline.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";
import { type BookInput, isBookInput } from "../define/shared-fields.ts";
import { fileOf, openBook } from "./open-book.ts";

export interface FileForecast {
  readonly file: string;
  /** How the file was read: a book provides its metadata and length, an outline all it says. */
  readonly readAs: "book" | "outline" | "json";
  readonly forecast: Forecast | NoForecast;
}

export type ReadAs = FileForecast["readAs"];

/** The parts of a book that a forecast can use: the description, since it reads no prose. */
export function inputOfBook({ title, genres, premise, words }: Book): ForecastInput {
  return { title, genres: genres.length > 0 ? [...genres] : null, premise, words };
}

export async function forecastFile(file: string, forecast: Forecaster, readAs?: ReadAs): Promise<FileForecast> {
  const { input, kind } = await readInput(file, readAs);
  return { file, readAs: kind, forecast: forecast(input) };
}

/** Does the same for anything a program may give: a file, a text, a book that was already read, or a description. */
export async function forecastSource(
  source: BookInput | ForecastInput,
  forecast: Forecaster,
  readAs?: ReadAs,
): Promise<FileForecast> {
  if (typeof source === "string") return forecastFile(source, forecast, readAs);
  if (isBookInput(source)) {
    return { file: fileOf(source), readAs: "book", forecast: forecast(inputOfBook(await openBook(source))) };
  }
  return { file: source.title ?? "description", readAs: "json", forecast: forecast(forecastInputSchema.parse(source)) };
}

/** One line of output per line of input. A line that cannot be forecast carries the reason, and the others go on. */
export type ForecastLine = { readonly id: string | number } & (Omit<Forecast, "kind"> | { readonly unscored: string });

const lineSchema = z.looseObject({ id: z.union([z.string(), z.number()]).optional() });

export async function* forecastLines(
  path: string,
  forecast: Forecaster,
  onProgress: ProgressListener,
  signal: AbortSignal,
): AsyncGenerator<ForecastLine> {
  let done = 0;
  for await (const line of jsonLines(path, lineSchema)) {
    signal.throwIfAborted();
    done++;
    if (done % 100 === 0) onProgress({ stage: "Forecasting", done, total: null });
    yield { id: line.id ?? done, ...forecastLine(line, forecast) };
  }
}

/** Forecasts a file of books into a file, or into memory if no file is named. */
export async function writeForecasts(request: {
  readonly input: string;
  readonly output: string | undefined;
  readonly forecast: Forecaster;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}): Promise<{ readonly forecasts: readonly ForecastLine[]; readonly unscored: number }> {
  const forecasts: ForecastLine[] = [];
  let unscored = 0;
  async function* lines(): AsyncGenerator<ForecastLine> {
    for await (const line of forecastLines(request.input, request.forecast, request.onProgress, request.signal)) {
      if ("unscored" in line) unscored++;
      yield line;
    }
  }
  if (request.output !== undefined) await writeJsonLines(request.output, lines());
  else for await (const line of lines()) forecasts.push(line);
  return { forecasts, unscored };
}

function forecastLine(line: unknown, forecast: Forecaster): Omit<Forecast, "kind"> | { unscored: string } {
  const input = forecastInputSchema.safeParse(line);
  if (!input.success) {
    const issue = input.error.issues[0]!;
    return { unscored: `${issue.path.join(".")}: ${issue.message}` };
  }
  const { kind, ...result } = forecast(input.data);
  return "reason" in result ? { unscored: result.reason } : result;
}

const PLAIN_TEXT = new Set([".md", ".markdown", ".txt", ".text", ""]);

async function readInput(file: string, readAs?: ReadAs): Promise<{ input: ForecastInput; kind: ReadAs }> {
  const extension = extname(file).toLowerCase();
  if (extension === ".jsonl") throw new FabulaError("E_USAGE", `${file} holds many books: give it with --in ${file}.`);
  if (readAs === "json" || (readAs === undefined && extension === ".json")) {
    return { input: parseJson(await readText(file), file), kind: "json" };
  }
  if (readAs === "outline" || (readAs === undefined && PLAIN_TEXT.has(extension))) {
    const text = await readText(file);
    if (readAs === "outline" || isOutline(text)) return { input: readOutline(text, file).book, kind: "outline" };
  }
  return { input: inputOfBook(await readBook(file)), kind: "book" };
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new FabulaError("E_NOT_READABLE", `${file} cannot be read: check the path.`, { cause });
  }
}

function parseJson(text: string, file: string): ForecastInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FabulaError("E_JSON", `${file} is not JSON: correct it, or name it .md if it is an outline.`, { cause });
  }
  const input = forecastInputSchema.safeParse(value);
  if (
    input.success &&
    value !== null &&
    typeof value === "object" &&
    FIELDS.some((field) => Object.hasOwn(value, field))
  ) {
    return input.data;
  }
  const wrong = input.error?.issues[0];
  const detail =
    wrong && wrong.path.length > 0
      ? `${wrong.path.join(".")}: ${wrong.message}`
      : `it has none of ${FIELDS.join(", ")}`;
  throw new FabulaError("E_JSON", `${file} is not a description of a book (${detail}).`);
}
