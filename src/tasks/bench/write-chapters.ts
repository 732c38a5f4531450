import {
  benchFiles,
  type ChosenChapter,
  chosenChapterSchema,
  type SynopsisRow,
  synopsisRowSchema,
  type WrittenRow,
} from "../../bench/bench-folder.ts";
import { synopsisHash } from "../../bench/frozen.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { writeChapter } from "../../bench/writing.ts";
import { FabulaError } from "../../core/errors.ts";
import { countLines, jsonLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type Random, shuffled } from "../../core/random.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { Run } from "../../runner/open-run.ts";

export interface WritingWorkOptions {
  readonly folder: string;
  readonly writer: string;
  readonly rubric: Rubric;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  /** How many novels to write; if the population has more, they are drawn evenly over its percentiles. */
  readonly novels: number;
  readonly population: ReferencePopulation | null;
  readonly random: Random;
  /** Synopses that the caller already has; by default those of the folder are read, and novels are sampled from them. */
  readonly synopses?: readonly SynopsisRow[];
  /** Earlier rows; those written from the same synopsis with the same settings are reused. */
  readonly kept?: readonly WrittenRow[];
  /** Rows that workers have just written or tried to write; none of these is asked for again. */
  readonly made?: readonly WrittenRow[];
  /** A variant of the task, which becomes part of the writer's name. */
  readonly variant?: string;
  readonly prompts: PromptSource;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

/** Has a writer model expand the sampled synopses into chapters. */
export async function writeChapters(run: Run, options: WritingWorkOptions): Promise<WrittenRow[]> {
  const files = benchFiles(options.folder);
  const synopses = options.synopses ?? (await readJsonLines(files.synopses, synopsisRowSchema));
  const chosen = new Set(
    options.synopses ? synopses.map(({ novel }) => novel) : sampleNovels(retold(synopses), options),
  );
  const tasks = synopses.flatMap((row) =>
    row.synopsis && chosen.has(row.novel) ? [{ ...row, synopsis: row.synopsis }] : [],
  );
  if (tasks.length === 0) {
    throw new FabulaError(
      "E_BENCH_EMPTY",
      `There is no synopsis to write from in ${files.synopses}: run \`fabula bench synopsis\` first.`,
    );
  }
  const model = await run.model(options.writer);
  const name = writerName(options.writer, options, options.variant);
  const settings = writingInWords(options);
  const byPlace = (written: readonly WrittenRow[] = []) =>
    new Map(written.map((row) => [`${row.novel}\n${row.chapter}`, row]));
  const kept = byPlace(options.kept);
  const made = byPlace(options.made);
  let done = 0;
  const rows = await mapBounded(tasks, run.concurrency, async (task): Promise<WrittenRow> => {
    const place = `${task.novel}\n${task.chapter}`;
    const justMade = made.get(place);
    if (justMade) return justMade;
    const known = kept.get(place);
    if (known && known.text !== null && known.synopsisHash === synopsisHash(task.synopsis)) {
      options.onProgress?.({ stage: `Writing (${options.writer})`, done: ++done, total: tasks.length });
      return known;
    }
    const written = await writeChapter(
      model,
      task.synopsis,
      options.rubric,
      {
        language: task.language,
        maximumTokens: options.maximumTokens,
        temperature: options.temperature,
        words: options.words,
        prompts: options.prompts,
      },
      options.signal,
    );
    options.onProgress?.({ stage: `Writing (${options.writer})`, done: ++done, total: tasks.length });
    const { hash } = await options.prompts("bench-write", task.language);
    const base = {
      novel: task.novel,
      writer: name,
      chapter: task.chapter,
      language: task.language,
      settings,
      model: options.writer,
      promptHash: hash.slice(0, 12),
      synopsisHash: synopsisHash(task.synopsis),
    };
    return written.kind === "written"
      ? {
          ...base,
          text: written.text,
          cutOff: written.cutOff,
          reason: null,
          inputTokens: written.usage.inputTokens,
          outputTokens: written.usage.outputTokens,
        }
      : { ...base, text: null, cutOff: false, reason: written.reason, refused: written.refused };
  });
  if (!run.dryRun) await writeJsonLines(files.written(writerName(options.writer, options), options.variant), rows);
  return rows;
}

/** The default settings for writers: the paper's limit and temperature. */
export const WRITING_DEFAULTS = { maximumTokens: 4096, temperature: 0.6, words: 1000 } as const;

export type WritingSettings = Pick<WritingWorkOptions, "maximumTokens" | "temperature" | "words">;

/** A model with other settings counts as another writer, with its own files and rank. */
export function writerName(model: string, settings: WritingSettings, variant?: string): string {
  const own = [
    settings.maximumTokens === WRITING_DEFAULTS.maximumTokens ? null : `${settings.maximumTokens} tokens`,
    settings.temperature === WRITING_DEFAULTS.temperature ? null : `temperature ${settings.temperature}`,
    settings.words === WRITING_DEFAULTS.words ? null : `${settings.words} words`,
    variant ?? null,
  ].filter((part) => part !== null);
  return own.length === 0 ? model : `${model} (${own.join(", ")})`;
}

function writingInWords({ maximumTokens, temperature, words }: WritingSettings): string {
  return `temperature ${temperature}, at most ${maximumTokens} tokens, about ${words} words`;
}

/**
 * Samples novels from the whole range of the population, as the paper does: sorts the composites, cuts them into as
 * many equal parts as novels are wanted, and draws one from each. Without a population it draws at random.
 */
export function sampleNovels(
  available: readonly string[],
  { novels: wanted, population, random }: Pick<WritingWorkOptions, "novels" | "population" | "random">,
): string[] {
  if (available.length <= wanted) return [...available];
  if (!population) return shuffled(available, random).slice(0, wanted);
  const composite = new Map(population.novels.map((novel) => [novel.novel, novel.composite]));
  const ordered = available
    .filter((novel) => composite.has(novel))
    .sort((left, right) => composite.get(left)! - composite.get(right)!);
  const parts = Math.min(wanted, ordered.length);
  return Array.from({ length: parts }, (_, part) => {
    const start = Math.floor((part * ordered.length) / parts);
    const end = Math.floor(((part + 1) * ordered.length) / parts);
    return ordered[start + Math.floor(random() * (end - start))]!;
  });
}

/**
 * Extends an earlier draw, first from those parts of the population that it lacks. Novels that are no longer in the
 * corpus are dropped.
 */
export function extendedDraw(
  before: readonly string[],
  available: readonly string[],
  options: Pick<WritingWorkOptions, "novels" | "population" | "random">,
): string[] {
  const held = new Set(available);
  const kept = before.filter((novel) => held.has(novel));
  if (kept.length === 0) return sampleNovels(available, options);
  if (kept.length >= options.novels) return kept;
  const known = new Set(kept);
  const { population } = options;
  const composite = new Map(population?.novels.map((novel) => [novel.novel, novel.composite]));
  const rest = available.filter((novel) => !known.has(novel) && (!population || composite.has(novel)));
  const ordered = [...kept, ...rest].sort((left, right) => (composite.get(left) ?? 0) - (composite.get(right) ?? 0));
  const part = new Map(ordered.map((novel, at) => [novel, Math.floor((at * options.novels) / ordered.length)]));
  const taken = new Set(kept.map((novel) => part.get(novel)));
  const shuffledRest = shuffled(rest, options.random);
  const added: string[] = [];
  for (const isOpen of [true, false]) {
    for (const novel of shuffledRest) {
      if (kept.length + added.length >= options.novels) break;
      if (added.includes(novel) || (isOpen && taken.has(part.get(novel)))) continue;
      added.push(novel);
      taken.add(part.get(novel));
    }
  }
  return [...kept, ...added];
}

/** The novels of which at least one chapter was retold. */
export function retold(synopses: readonly SynopsisRow[]): string[] {
  return [...new Set(synopses.flatMap(({ synopsis, novel }) => (synopsis ? [novel] : [])))];
}

/** The chapters of the human novels, read as they are needed, and how many there are. */
export async function chosenChapters(
  folder: string,
): Promise<{ chapters: AsyncIterable<ChosenChapter>; total: number }> {
  const { chapters } = benchFiles(folder);
  return { chapters: jsonLines(chapters, chosenChapterSchema), total: await countLines(chapters) };
}
