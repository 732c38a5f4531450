import { copyFile, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { RENAMED, type ScoreRow, scoreRowSchema, type WrittenRow } from "../../../bench/bench-folder.ts";
import { driftRounds, driftRowSchema } from "../../../bench/drift.ts";
import { FROZEN_FILE, type FrozenBenchmark, PROMPTS_FILE, readFrozen } from "../../../bench/frozen.ts";
import type { ScoredChapter } from "../../../bench/population/novel-scores.ts";
import { panelChapters } from "../../../bench/population/panel.ts";
import { loadPopulation, type ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { alignScores } from "../../../bench/read-scores.ts";
import { writingRates } from "../../../bench/writing.ts";
import { FabulaError } from "../../../core/errors.ts";
import { inTemporaryFolder, makeFolder, writeWholeFile } from "../../../core/files.ts";
import { groupBy } from "../../../core/group-by.ts";
import { readJsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import type { ProgressListener } from "../../../core/progress.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { type PriceTable, priceOf } from "../../../models/prices.ts";
import { shippedPrompts } from "../../../prompts/own-prompts.ts";
import type { SiteData } from "../../../report/bench/site/site-data.ts";
import { buildPanel } from "../build.ts";
import { collectSite } from "../leaderboard/collect-site.ts";
import {
  type JudgeRecord,
  type MadeLeaderboard,
  type PlacedRun,
  statedVersions,
} from "../leaderboard/make-leaderboard.ts";
import { writeSite } from "../leaderboard/write-site.ts";
import { DUEL_VOTES_FILE, DUELS_FILE, votesWithoutNames } from "../run-duels.ts";
import { hasWholeScores } from "../scorer.ts";
import { scoredChapter, unscoredChapters } from "../scoring.ts";
import { driftFileOf, readRecognised, renamedRows, writerCards, writerScoresIn, writtenRows } from "./files.ts";
import { readOverlaps } from "./overlaps.ts";

/** What is needed, besides the benchmark's folder, to rebuild a site byte for byte. */
const siteSettingsSchema = z.object({
  schema: z.literal("fabula-leaderboard-site-1"),
  title: z.string(),
  date: z.string(),
  /** US dollars per million tokens, by model; null where no price was known. */
  prices: z.record(z.string(), z.object({ input: z.number(), output: z.number() }).nullable()),
});
type SiteSettings = z.infer<typeof siteSettingsSchema>;

const BENCHMARK_IN_SITE = join("data", "benchmark");
const SETTINGS_IN_SITE = join("data", "site.json");

export interface FrozenBoard {
  readonly made: MadeLeaderboard;
  /** Writers that some judge has not scored, and which are therefore not on the board. */
  readonly incomplete: readonly { readonly writer: string; readonly judges: readonly string[] }[];
}

/** Builds the leaderboard from nothing but a frozen benchmark's files. */
export async function frozenBoard(folder: string, frozen: FrozenBenchmark): Promise<FrozenBoard> {
  const own = await Promise.all(frozen.judges.map(({ population }) => loadPopulation(join(folder, population))));
  const rubrics = await Promise.all(own.map(({ rubric }) => loadRubric(rubric.id)));
  const named = { folder, id: frozen.title, description: own[0]!.description, anchors: null };
  const panel =
    own.length < 2
      ? null
      : (
          await buildPanel(
            own,
            rubrics.map((rubric) => ({ rubric })),
            named,
          )
        ).population;
  const asked = new Set(
    frozen.novels.flatMap(({ novel, chapters }) => chapters.map(({ chapter }) => `${novel}\n${chapter}`)),
  );
  const cards = new Map((await writerCards(folder)).map((card) => [card.writer, card]));
  const written = (await writtenRows(folder)).filter(({ novel, chapter }) => asked.has(`${novel}\n${chapter}`));
  const placed = (opinions: readonly ScoredChapter[][]) =>
    panel ? panelChapters(panel.panel!, opinions) : opinions[0]!;
  const runs: PlacedRun[] = [];
  const renamed: { readonly chapters: readonly ScoredChapter[] }[] = [];
  const incomplete: { writer: string; judges: string[] }[] = [];
  for (const [writer, rows] of groupBy(written, (row) => row.writer)) {
    const files = frozen.judges.map((judge) => writerScoresIn(folder, writer, judge));
    const scores = await Promise.all(files.map((file) => readJsonLines(file, scoreRowSchema).catch(() => [])));
    const lacking = frozen.judges.filter((_, index) => scores[index]!.length === 0).map(({ id }) => id);
    if (lacking.length > 0) {
      incomplete.push({ writer, judges: lacking });
      continue;
    }
    const opinions = scores.map((given, index) => opinionOf(given, rows, own[index]!, rubrics[index]!));
    const { model, cutOff, ...about } = cards.get(writer) ?? { model: rows[0]!.model ?? writer, cutOff: null };
    runs.push({
      name: writer,
      listed: { model, cutOff, ...about },
      written: rows,
      scores: files,
      unwritten: rows.filter(({ text }) => text === null).length,
      unscored: unscoredChapters(scores.flat()),
      rates: writingRates(rows, frozen.writing.words),
      chapters: placed(opinions),
    });
    // Without scores by all judges of these texts, the check is left out: with fewer judges it would measure
    // something else.
    const others = await renamedRows(folder, writer);
    const given = await Promise.all(
      frozen.judges.map((judge) =>
        readJsonLines(writerScoresIn(folder, writer, judge, RENAMED), scoreRowSchema).catch(() => []),
      ),
    );
    renamed.push({
      chapters: placed(given.map((one, index) => opinionOf(one, others, own[index]!, rubrics[index]!))),
    });
  }
  const populations: ReferencePopulation[] = panel ? [...own, panel] : own;
  const records = new Map<string, JudgeRecord>();
  for (const [index, judge] of frozen.judges.entries()) {
    const files = [join(folder, judge.scores), ...runs.map(({ name }) => writerScoresIn(folder, name, judge))];
    const rounds = await readJsonLines(driftFileOf(folder, judge), driftRowSchema).catch(() => []);
    records.set(judge.id, { stated: await statedVersions(files), drift: driftRounds(rounds, rubrics[index]!) });
  }
  const recognised = await readRecognised(folder);
  const made = { rubric: frozen.rubric.id, populations, runs, renamed, recognised, records };
  return { made, incomplete };
}

/** A judge's rows as chapters of its population, without those of chapters that have been written again since. */
function opinionOf(
  scores: readonly ScoreRow[],
  written: readonly WrittenRow[],
  population: ReferencePopulation,
  rubric: Awaited<ReturnType<typeof loadRubric>>,
): ScoredChapter[] {
  const known = new Set(written.map(({ novel, chapter }) => `${novel}\n${chapter}`));
  const byChapter = groupBy(scores, ({ novel, chapter }) => `${novel}\n${chapter}`);
  const chapters = [...byChapter].flatMap(([key, rows]) => (known.has(key) ? [scoredChapter(rows, rubric)] : []));
  return alignScores(chapters, rubric, population);
}

export interface FrozenSiteOptions {
  readonly folder: string;
  readonly out: string;
  readonly title: string | undefined;
  readonly date: string;
  readonly prices: PriceTable;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface FrozenSite {
  readonly site: string;
  readonly folder: string;
  readonly version: number;
  readonly data: SiteData;
  readonly incomplete: FrozenBoard["incomplete"];
}

/** Writes the site of a frozen benchmark together with all the data it was made from. */
export async function writeFrozenSite(options: FrozenSiteOptions): Promise<FrozenSite> {
  const frozen = await readFrozen(options.folder);
  const models = (await writtenRows(options.folder)).flatMap(({ model }) => model ?? []);
  const prices = Object.fromEntries(
    [...new Set(models)].sort().map((model) => {
      const price = priceOf(options.prices, model);
      return [model, price && { input: price.input, output: price.output }];
    }),
  );
  const title = options.title ?? frozen.title;
  const settings: SiteSettings = { schema: "fabula-leaderboard-site-1", title, date: options.date, prices };
  const { data, incomplete } = await makeSite(options.folder, frozen, settings, {
    ...options,
    keepsFindings: true,
  });
  await makeFolder(join(options.out, BENCHMARK_IN_SITE));
  await writeWholeFile(join(options.out, SETTINGS_IN_SITE), `${JSON.stringify(settings, null, 1)}\n`);
  for (const file of await publishedFiles(options.folder, frozen)) {
    const published = join(options.out, BENCHMARK_IN_SITE, file);
    if (file === DUEL_VOTES_FILE) await writeJsonLines(published, await votesWithoutNames(options.folder));
    else await copyFile(join(options.folder, file), published);
  }
  return { site: options.out, folder: options.folder, version: frozen.version, data, incomplete };
}

/** The published files of a benchmark's folder; includes the originals only if they were frozen with it. */
async function publishedFiles(folder: string, frozen: FrozenBenchmark): Promise<string[]> {
  const names = (await readdir(folder)).sort();
  return names.filter(
    (name) =>
      name in frozen.files ||
      name === FROZEN_FILE ||
      /^(?:(?:renamed-)?(?:written|scores)|drift)\..*\.jsonl$/.test(name) ||
      name === DUELS_FILE ||
      name === DUEL_VOTES_FILE ||
      /^(?:writers|overlaps|recognised)\.json$/.test(name),
  );
}

async function makeSite(
  folder: string,
  frozen: FrozenBenchmark,
  settings: SiteSettings,
  options: Pick<FrozenSiteOptions, "out" | "onProgress" | "signal"> & { readonly keepsFindings: boolean },
) {
  const { made, incomplete } = await frozenBoard(folder, frozen);
  if (made.runs.length === 0) {
    throw new FabulaError(
      "E_BENCH_EMPTY",
      `No writer in ${folder} has scores of every judge: run \`fabula bench extend ${folder}\` first.`,
    );
  }
  const data = await collectSite(made, {
    ...frozen.writing,
    folder,
    title: settings.title,
    date: settings.date,
    prices: { date: settings.date, models: Object.fromEntries(Object.entries(settings.prices).flatMap(priced)) },
    prompts: shippedPrompts,
    keptPrompts: promptsSchema.parse(JSON.parse(await readFile(join(folder, PROMPTS_FILE), "utf8"))),
    overlaps: await readOverlaps(folder),
    wholeNumbers: hasWholeScores(made.populations[0]!),
    chapters: frozen.chaptersPerNovel,
    synopsisModel: frozen.synopsesBy ?? "–",
    repeats: frozen.repeats,
    seed: frozen.seed,
    frozen,
    ...(options.onProgress && { onProgress: options.onProgress }),
    signal: options.signal,
  });
  await writeSite(options.out, data, made, { ...options, folder });
  return { data, incomplete };
}

const promptsSchema = z.array(z.object({ name: z.string(), hash: z.string(), text: z.string() }));

function priced([model, price]: [string, SiteSettings["prices"][string]]) {
  return price ? [[model, price] as const] : [];
}

export interface SiteVerification {
  readonly site: string;
  readonly version: number;
  /** Pages and tables that were rebuilt and compared. */
  readonly files: number;
  /** Files that differ or are missing. */
  readonly different: readonly string[];
}

/** Rebuilds a published site from the data it publishes, and compares every file. */
export async function verifySite(
  site: string,
  options: Pick<FrozenSiteOptions, "onProgress" | "signal">,
): Promise<SiteVerification> {
  const folder = join(site, BENCHMARK_IN_SITE);
  const source = await readFile(join(site, SETTINGS_IN_SITE), "utf8").catch((cause) => {
    throw new FabulaError(
      "E_FROZEN_READ",
      `${site} does not publish what it was made of: only a site of \`fabula bench site\` can be verified.`,
      { cause },
    );
  });
  const settings = siteSettingsSchema.parse(JSON.parse(source));
  const frozen = await readFrozen(folder);
  return inTemporaryFolder("verify-site", async (out) => {
    await makeSite(folder, frozen, settings, { ...options, out, keepsFindings: false });
    const names = await readdir(out, { recursive: true, withFileTypes: true });
    const files = names
      .filter((entry) => entry.isFile())
      .map((entry) => relative(out, join(entry.parentPath, entry.name)));
    const different: string[] = [];
    for (const file of files.sort()) {
      const [made, published] = await Promise.all(
        [out, site].map((place) => readFile(join(place, file)).catch(() => null)),
      );
      if (!made || !published || !made.equals(published)) different.push(file);
    }
    return { site, version: frozen.version, files: files.length, different };
  });
}
