import { benchFiles } from "../../../bench/bench-folder.ts";
import { panelId } from "../../../bench/population/panel.ts";
import { loadPopulation, type ReferencePopulation } from "../../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../../bench/scoring/chapter-scorer.ts";
import { contentHash } from "../../../core/hash.ts";
import type { Run } from "../../../runner/open-run.ts";
import { buildPopulations } from "../build.ts";
import { rubricInNames } from "../folder/rubric-of-folder.ts";
import { scorerNamed } from "../scorer.ts";
import { DoneOnce } from "./done-once.ts";
import type { LeaderboardOptions } from "./leaderboard-options.ts";

/**
 * The populations of the judges, and the panel's last: read where the same judges have built them of the same chapters, and
 * built otherwise. Empty for a dry run that would have to build.
 */
export async function buildOnce(
  run: Run,
  options: LeaderboardOptions & { readonly rubric: string; readonly prepared: string },
): Promise<readonly ReferencePopulation[]> {
  const { folder, judges, prepared, repeats, check, anchors, description } = options;
  const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, options, run)));
  const bases = await Promise.all(
    scorers.map(async (scorer) => [scorer.id, scorer.version, (await scorer.basis?.())?.prompt ?? null]),
  );
  const key = contentHash({ prepared, bases, repeats, check, anchors, description });
  const step = `build ${judges.join(" ")}`;
  const done = await DoneOnce.in(folder);
  if (done.isDone(step, key)) return readBuilt(folder, scorers);
  const built = await buildPopulations(scorers, {
    folder,
    id: folder.replace(/\/+$/, ""),
    description,
    repeats,
    check,
    anchors,
    dryRun: run.dryRun,
    concurrency: run.concurrency,
    ...(options.onProgress && { onProgress: options.onProgress }),
    signal: options.signal,
  });
  // A gap that a provider's failure left is asked for again next time.
  const isWhole = built.every(({ unscored }) => unscored === 0);
  if (!run.dryRun && isWhole) await done.note(step, key);
  return built.map(({ population }) => population);
}

async function readBuilt(folder: string, scorers: readonly ChapterScorer[]): Promise<ReferencePopulation[]> {
  const files = benchFiles(folder);
  const variants = await Promise.all(scorers.map(({ id, rubric }) => rubricInNames(folder, id, rubric.id)));
  const names = scorers.map(({ id }, index) => files.population(id, variants[index]));
  if (scorers.length > 1) {
    const variant = variants.find((rubric) => rubric !== null) ?? null;
    names.push(files.population(panelId(scorers.map(({ id }) => id)), variant));
  }
  return Promise.all(names.map((name) => loadPopulation(name)));
}
