import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { numberedLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { unscored, type Verdict } from "../../core/verdict.ts";
import { type AspectMap, aspectVerdicts, loadAspectMap } from "../../jury/aspects.ts";
import { loadPocketJudge, type PocketJudge, type PocketVerdicts } from "../../jury/pocket-judge.ts";

export interface ScoreRequest {
  /** A JSONL file of `{"id","text"}`; `-` is standard input. */
  readonly input: string;
  readonly output: string;
  /** The number of the first line, when the file is a part of a longer one. */
  readonly firstLine?: number;
  /** `pocket` for the judge's own criteria, `long-story` for the aspects they speak to. */
  readonly rubric: string;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

export interface ScoreSummary {
  readonly judge: string;
  readonly version: string;
  readonly rubric: string;
  readonly items: number;
  readonly scored: number;
  readonly unscored: number;
  /** Lines that carry no id to answer to, by number. */
  readonly unreadableLines: readonly number[];
}

interface ScoredItem {
  readonly id: string | number;
  readonly overall: Verdict;
  readonly criteria: Readonly<Record<string, Verdict>>;
}

const idSchema = z.object({ id: z.union([z.string(), z.number()]) });
const textSchema = z.object({ text: z.string() });

/**
 * Scores texts one line at a time, so that a hundred thousand need no more memory than one. A line that cannot be
 * scored is answered with the reason under its id; a line without an id is counted, and the rest goes on.
 */
export async function scoreItems(request: ScoreRequest): Promise<ScoreSummary> {
  const judge = await loadPocketJudge();
  const criteriaOf = await criteriaReader(judge, request.rubric);
  const count = { items: 0, scored: 0 };
  const unreadableLines: number[] = [];

  async function* results(): AsyncGenerator<ScoredItem> {
    for await (const { number: place, line } of numberedLines(request.input)) {
      request.signal.throwIfAborted();
      const number = place + (request.firstLine ?? 1) - 1;
      const item = scoreLine(line, number, judge, criteriaOf);
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
    judge: judge.id,
    version: judge.version,
    rubric: request.rubric,
    items: count.items,
    scored: count.scored,
    unscored: count.items - count.scored,
    unreadableLines,
  };
}

type CriteriaReader = (verdicts: PocketVerdicts) => Readonly<Record<string, Verdict>>;

async function criteriaReader(judge: PocketJudge, rubric: string): Promise<CriteriaReader> {
  if (rubric === judge.rubric.id) return (verdicts) => verdicts.criteria;
  const map: AspectMap = await loadAspectMap();
  if (rubric === map.to) return (verdicts) => aspectVerdicts(judge, map, verdicts);
  throw new FabulaError(
    "E_RUBRIC_JUDGE",
    `The pocket judge cannot grade by the rubric "${rubric}": use --rubric ${judge.rubric.id} or --rubric ${map.to}.`,
  );
}

function scoreLine(line: string, number: number, judge: PocketJudge, criteriaOf: CriteriaReader): ScoredItem | null {
  const value = parsed(line);
  const named = idSchema.safeParse(value);
  if (!named.success) return null;
  const { id } = named.data;
  const content = textSchema.safeParse(value);
  if (!content.success) return { id, overall: unscored(`line ${number} has no "text" to score`), criteria: {} };
  const verdicts = judge.score(content.data.text);
  return { id, overall: verdicts.overall, criteria: criteriaOf(verdicts) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
