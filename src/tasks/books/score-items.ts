import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { numberedLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { unscored, type Verdict } from "../../core/verdict.ts";
import { type AspectMap, aspectVerdicts, loadAspectMap } from "../../jury/aspects.ts";
import { loadGrader } from "../../jury/grader.ts";
import { type Juror, jurorNamed, type Opinion } from "../../jury/juror.ts";
import { loadJury } from "../../jury/jury.ts";
import { prepareText } from "../../jury/prepare-text.ts";
import { withoutInvisible } from "../../text/words.ts";

export interface ScoreRequest {
  /** A JSONL file of `{"id","text"}`; `-` is standard input. */
  readonly input: string;
  readonly output: string;
  /** The number of the first line, when the file is part of a longer one. */
  readonly firstLine?: number;
  /** The juror that scores; the grader by default. */
  readonly judge?: string;
  /** Fields of each input line that its output line keeps, such as a human rating. */
  readonly keep?: readonly string[];
  /** For the grader: `grader` for its own criteria, `long-story` for the matching aspects. */
  readonly rubric?: string;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

export interface ScoreSummary {
  readonly judge: string;
  readonly version: string;
  /** The criteria the grader used; null for a juror that has none. */
  readonly rubric: string | null;
  readonly items: number;
  readonly scored: number;
  readonly unscored: number;
  /** The numbers of lines without an id. */
  readonly unreadableLines: readonly number[];
}

interface ScoredItem {
  readonly id: string | number;
  /** Who gives the scores, and the ends of the scale. */
  readonly speaker: string;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly overall: Verdict;
  /** What must be said beside the score, such as that the text is unlike the juror's training data. */
  readonly caveat?: string;
  readonly criteria: Readonly<Record<string, Verdict>>;
}

const idSchema = z.object({ id: z.union([z.string(), z.number()]) });
const textSchema = z.object({ text: z.string() });

/**
 * Scores texts one line at a time, so that a hundred thousand need no more memory than one. A line that cannot be
 * scored gets the reason under its id; a line without an id is counted, and the rest continue.
 */
export async function scoreItems(request: ScoreRequest): Promise<ScoreSummary> {
  const id = jurorNamed(request.judge ?? "grader");
  const juror = (await loadJury()).jurors[id];
  const rubric = id === "grader" ? (request.rubric ?? "grader") : null;
  const criteriaOf = await criteriaReader(juror, request.rubric);
  const keep = keptFields(request.keep ?? []);
  const count = { items: 0, scored: 0 };
  const unreadableLines: number[] = [];

  async function* results(): AsyncGenerator<ScoredItem> {
    for await (const { number: place, line } of numberedLines(request.input)) {
      request.signal.throwIfAborted();
      const number = place + (request.firstLine ?? 1) - 1;
      const item = scoreLine(line, number, juror, criteriaOf, keep);
      if (item === null) {
        unreadableLines.push(number);
        continue;
      }
      count.items++;
      if (item.overall.kind === "scored") count.scored++;
      request.onProgress({ stage: "Scoring", done: count.items, total: null });
      yield item;
    }
  }
  await writeJsonLines(request.output, results());
  return {
    judge: juror.id,
    version: juror.version,
    rubric,
    items: count.items,
    scored: count.scored,
    unscored: count.items - count.scored,
    unreadableLines,
  };
}

type CriteriaReader = (opinion: Opinion) => Readonly<Record<string, Verdict>>;

async function criteriaReader(juror: Juror, rubric: string | undefined): Promise<CriteriaReader> {
  if (juror.id !== "grader") {
    if (rubric === undefined) return () => ({});
    throw new FabulaError(
      "E_RUBRIC_JUDGE",
      `The ${juror.id} gives one score and uses no rubric: leave out --rubric, or use --judge grader.`,
    );
  }
  const judge = await loadGrader();
  if (rubric === undefined || rubric === judge.rubric.id) return ({ criteria }) => criteria;
  const map: AspectMap = await loadAspectMap();
  if (rubric === map.to) return (opinion) => aspectVerdicts(judge, map, opinion);
  throw new FabulaError(
    "E_RUBRIC_JUDGE",
    `The grader cannot grade by the rubric "${rubric}": use --rubric ${judge.rubric.id} or --rubric ${map.to}.`,
  );
}

const OWN_FIELDS = ["id", "speaker", "scale", "overall", "caveat", "criteria"];

function keptFields(names: readonly string[]): readonly string[] {
  const own = names.find((name) => OWN_FIELDS.includes(name));
  if (own === undefined) return names;
  throw new FabulaError("E_USAGE", `--keep ${own}: the output has a field of that name already; rename yours.`);
}

function scoreLine(
  line: string,
  number: number,
  juror: Juror,
  criteriaOf: CriteriaReader,
  keep: readonly string[],
): ScoredItem | null {
  const item = identified(line, keep);
  if (!item) return null;
  const { speaker, scale } = juror;
  const content = textSchema.safeParse(parsed(line));
  if (!content.success) {
    return { ...item, speaker, scale, overall: unscored(`line ${number} has no "text" to score`), criteria: {} };
  }
  const opinion = juror.judge([prepareText(asRead(content.data.text))]);
  return {
    ...item,
    speaker,
    scale,
    overall: opinion.overall,
    ...(opinion.caveat !== null && { caveat: opinion.caveat }),
    criteria: criteriaOf(opinion),
  };
}

/** Gives every line of a text the reason why none of them was scored. */
export function unscoredLines(
  text: string,
  firstLine: number,
  { speaker, scale }: Juror,
  { reason, keep }: { readonly reason: string; readonly keep: readonly string[] },
): { readonly items: readonly ScoredItem[]; readonly unreadableLines: readonly number[] } {
  const items: ScoredItem[] = [];
  const unreadableLines: number[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const item = identified(line, keep);
    if (item) items.push({ ...item, speaker, scale, overall: unscored(reason), criteria: {} });
    else unreadableLines.push(firstLine + at);
  }
  return { items, unreadableLines };
}

/** The id of a line and the fields to keep; null for a line without an id. */
function identified(line: string, keep: readonly string[]): Pick<ScoredItem, "id"> | null {
  const value = parsed(line);
  const named = idSchema.safeParse(value);
  if (!named.success) return null;
  const fields = z.record(z.string(), z.unknown()).parse(value);
  const kept = keep.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : []));
  return { id: named.data.id, ...Object.fromEntries(kept) };
}

/**
 * A text in a table was not read from a file, so its line ends and invisible characters still have to be normalised.
 */
function asRead(text: string): string {
  return withoutInvisible(text.replace(/\r\n?/g, "\n")).normalize();
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
