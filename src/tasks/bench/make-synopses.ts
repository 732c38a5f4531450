import { benchFiles, type ChosenChapter, chosenChapterSchema, type SynopsisRow } from "../../bench/bench-folder.ts";
import { makeSynopsis } from "../../bench/synopsis.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { Run } from "../../runner/open-run.ts";

export interface SynopsisWorkOptions {
  readonly folder: string;
  readonly model: string;
  readonly leakLimit: number;
  readonly attempts: number;
  readonly prompts: PromptSource;
  /** Retell only these novels; all by default. */
  readonly novels?: ReadonlySet<string>;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

/** Retells every chosen chapter. Answers are stored, so a second run asks again only for those that failed. */
export async function makeSynopses(run: Run, options: SynopsisWorkOptions): Promise<SynopsisRow[]> {
  const files = benchFiles(options.folder);
  const chapters: ChosenChapter[] = [];
  for await (const chapter of jsonLines(files.chapters, chosenChapterSchema))
    if (options.novels?.has(chapter.novel) ?? true) chapters.push(chapter);
  const model = await run.model(options.model);
  let done = 0;
  const rows = await mapBounded(chapters, run.concurrency, async (chapter: ChosenChapter): Promise<SynopsisRow> => {
    const result = await makeSynopsis(
      model,
      chapter.text,
      {
        language: chapter.language,
        leakLimit: options.leakLimit,
        attempts: options.attempts,
        prompts: options.prompts,
      },
      options.signal,
    );
    options.onProgress?.({ stage: "Retelling", done: ++done, total: chapters.length });
    const { novel, chapter: index, language } = chapter;
    return result.kind === "made"
      ? {
          novel,
          chapter: index,
          language,
          synopsis: result.synopsis,
          leak: result.leak.share,
          attempts: result.attempts,
          reason: null,
          model: options.model,
        }
      : {
          novel,
          chapter: index,
          language,
          synopsis: null,
          leak: null,
          attempts: result.attempts,
          reason: result.reason,
        };
  });
  if (!run.dryRun) await writeJsonLines(files.synopses, rows);
  return rows;
}
