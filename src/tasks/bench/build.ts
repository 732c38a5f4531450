import { benchFiles, folderLanguage, scoreRowSchema } from "../../bench/bench-folder.ts";
import { buildPopulation } from "../../bench/population/build-population.ts";
import { type NovelExclusion, NovelSums } from "../../bench/population/novel-scores.ts";
import { memberComposite, memberOf, panelRecipe } from "../../bench/population/panel.ts";
import { anchorsOn, compositeOf, singleChapterDistribution } from "../../bench/population/place-on-population.ts";
import type { PanelMember, ReferencePopulation } from "../../bench/population/reference-population.ts";
import { type ChapterScorer, scoreRow } from "../../bench/scoring.ts";
import { type BenchWords, wordsIn } from "../../bench/words.ts";
import { writeWholeFile } from "../../core/files.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { genresOf, languageWarnings, rubricInNames, withGenres } from "./folder.ts";
import { populationFromSums } from "./population.ts";
import { type RepeatCheckOptions, repeatCheck, SampleOfTexts } from "./repeats.ts";
import { isUnscored, scoredChapter, scoreEach } from "./scoring.ts";
import { chosenChapters } from "./write-chapters.ts";

interface PanelOptions {
  readonly folder: string;
  readonly id: string;
  readonly description: string;
  readonly anchors: string | null;
}

/** Builds the panel's population from the scores that its judges have just given. */
export async function buildPanel(
  populations: readonly ReferencePopulation[],
  scorers: readonly Pick<ChapterScorer, "rubric">[],
  { folder, id, description, anchors }: PanelOptions,
): Promise<{ population: ReferencePopulation; excluded: readonly NovelExclusion[] }> {
  const files = benchFiles(folder);
  const members = populations.map(memberOf);
  const recipe = panelRecipe(populations, { id, description });
  const scoresOf = async ({ judge, rubric }: PanelMember) =>
    files.scores(judge.id, await rubricInNames(folder, judge.id, rubric.id));
  const anchorScoresOf = async ({ judge, rubric }: PanelMember) =>
    files.anchorScores(judge.id, await rubricInNames(folder, judge.id, rubric.id));
  const chapters = new PanelChapters(members.length);
  const sums = await composites(members, scorers, scoresOf, recipe.dimensions, chapters);
  const { population, excluded } = buildPopulation(sums, recipe);
  const { language } = populations[0]!;
  const singleChapters = singleChapterDistribution(chapters.composites(population));
  const whole = {
    ...population,
    ...(singleChapters && { singleChapters }),
    ...(language !== undefined && { language }),
    novels: withGenres(population.novels, await genresOf(folder)),
    panel: members,
    warnings: [...new Set([...population.warnings, ...populations.flatMap(({ warnings }) => warnings)])],
  };
  if (anchors === null) return { population: whole, excluded };
  const classics = await composites(members, scorers, anchorScoresOf, recipe.dimensions);
  return { population: { ...whole, anchors: anchorsOn(population, classics) }, excluded };
}

/**
 * Each judge's composites, averaged by novel. A row counts for its own judge only, so the files may come in any
 * order. A novel that some judge did not score is excluded, with the reason.
 */
async function composites(
  members: readonly PanelMember[],
  scorers: readonly Pick<ChapterScorer, "rubric">[],
  fileOf: (member: PanelMember) => Promise<string>,
  dimensions: readonly string[],
  chapters: PanelChapters | null = null,
): Promise<NovelSums> {
  const sums = new NovelSums(dimensions);
  for (const [index, member] of members.entries()) {
    const order = orderOf(member, scorers[index]!.rubric);
    for await (const row of jsonLines(await fileOf(member), scoreRowSchema)) {
      const numbers = scoreRow(row.scores, scorers[index]!.rubric);
      const composite = memberComposite(
        member,
        order.map((at) => numbers[at] ?? null),
      );
      chapters?.add(index, row, composite);
      const scores = members.map((_, position) => (position === index ? composite : null));
      sums.add({ ...row, scores }, index > 0 || row.repeat > 1);
    }
  }
  return sums;
}

function orderOf(member: PanelMember, rubric: Rubric): number[] {
  return member.dimensions.map((dimension) => rubric.criteria.findIndex(({ id }) => id === dimension));
}

/** Keeps every judge's composite of each chapter, so that a panel can place a single chapter among single chapters. */
class PanelChapters {
  readonly #members: number;
  readonly #chapters = new Map<string, { readonly sums: Float64Array; readonly counts: Float64Array }>();

  constructor(members: number) {
    this.#members = members;
  }

  add(
    member: number,
    { novel, chapter }: { readonly novel: string; readonly chapter: number },
    composite: number | null,
  ) {
    if (composite === null) return;
    const key = `${novel}\u0000${chapter}`;
    const known = this.#chapters.get(key) ?? {
      sums: new Float64Array(this.#members),
      counts: new Float64Array(this.#members),
    };
    this.#chapters.set(key, known);
    known.sums[member]! += composite;
    known.counts[member]!++;
  }

  /** The panel's composites of the chapters that every judge scored. */
  composites(population: ReferencePopulation): number[] {
    return [...this.#chapters.values()].flatMap(({ sums, counts }) =>
      counts.every((count) => count > 0)
        ? [
            compositeOf(
              Array.from(sums, (sum, member) => sum / counts[member]!),
              population,
            ),
          ]
        : [],
    );
  }
}

export interface BuildWorkOptions {
  readonly folder: string;
  readonly id: string;
  readonly description: string;
  readonly repeats: number;
  readonly check: RepeatCheckOptions;
  /** A prepared folder of novels that should rank above the others; null for none. */
  readonly anchors: string | null;
  /** The chapters, where the caller has them already; read from the folder otherwise. */
  readonly chapters?: Awaited<ReturnType<typeof chosenChapters>>;
  readonly concurrency: number;
  /** Only count the calls; write nothing. */
  readonly dryRun: boolean;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface BuiltPopulation {
  readonly population: ReferencePopulation;
  readonly excluded: readonly NovelExclusion[];
  readonly unscored: number;
  readonly file: string;
}

/**
 * Scores every chosen chapter and builds a population from the scores: one for each judge and, with several judges,
 * the panel's last. A dry run returns none.
 */
export async function buildPopulations(
  scorers: readonly ChapterScorer[],
  options: BuildWorkOptions,
): Promise<readonly BuiltPopulation[]> {
  const built: BuiltPopulation[] = [];
  for (const scorer of scorers) {
    const one = await buildOne(scorer, options);
    if (one) built.push(one);
  }
  if (built.length < 2) return built;
  const panel = await buildPanel(
    built.map(({ population }) => population),
    scorers,
    options,
  );
  const variants = await Promise.all(scorers.map(({ id, rubric }) => rubricInNames(options.folder, id, rubric.id)));
  const variant = variants.find((rubric) => rubric !== null) ?? null;
  const file = await written(panel.population, options.folder, variant);
  return [...built, { ...panel, unscored: 0, file }];
}

async function buildOne(scorer: ChapterScorer, options: BuildWorkOptions): Promise<BuiltPopulation | null> {
  const files = benchFiles(options.folder);
  const variant = await rubricInNames(options.folder, scorer.id, scorer.rubric.id);
  const sample = new SampleOfTexts(options.check.texts);
  const scoresFile = files.scores(scorer.id, variant);
  const texts = options.chapters ?? (await chosenChapters(options.folder));
  const own = await scoreTexts(scorer, texts, options, scoresFile, sample);
  const repeatability = await repeatCheck(sample.texts(), scorer, options);
  const classics =
    options.anchors === null
      ? null
      : await scoreTexts(
          scorer,
          await chosenChapters(options.anchors),
          options,
          files.anchorScores(scorer.id, variant),
          null,
        );
  if (options.dryRun) return null;
  const basis = await scorer.basis?.();
  const language = await folderLanguage(options.folder);
  const { population, excluded } = populationFromSums(own.sums, {
    id: options.id,
    description: options.description,
    judge: { id: scorer.id, version: scorer.version },
    rubric: scorer.rubric,
    ...(basis && { prompt: basis.prompt, settings: basis.settings(options.repeats > 1) }),
    ...(language !== null && { language }),
  });
  const singleChapters = await chapterDistribution(scoresFile, scorer.rubric, population);
  const complete = {
    ...population,
    novels: withGenres(population.novels, await genresOf(options.folder)),
    ...(classics && { anchors: anchorsOn(population, classics.sums) }),
    ...(repeatability.length > 0 && { repeatability }),
    ...(singleChapters && { singleChapters }),
    warnings: [
      ...population.warnings,
      ...(await languageWarnings(options.folder)),
      ...(classics && options.anchors !== null ? overlapWarnings(own.texts, classics.texts, wordsIn(language)) : []),
    ],
  };
  const file = await written(complete, options.folder, variant);
  return { population: complete, excluded, unscored: own.unscored + (classics?.unscored ?? 0), file };
}

/** Scores chapters as they are read; rows go to the file, and only sums by novel stay in memory. */
async function scoreTexts(
  scorer: ChapterScorer,
  { chapters, total }: Awaited<ReturnType<typeof chosenChapters>>,
  options: BuildWorkOptions,
  file: string,
  sample: SampleOfTexts | null,
): Promise<{ sums: NovelSums; unscored: number; texts: TextHashes }> {
  const sums = new NovelSums(scorer.rubric.criteria.map(({ id }) => id));
  const texts: TextHashes = new Map();
  let unscored = 0;
  async function* rows() {
    for await (const { text, rows: repeats } of scoreEach(chapters, scorer, { ...options, total })) {
      sums.add(scoredChapter(repeats, scorer.rubric));
      sample?.offer(text);
      if (options.anchors !== null) texts.set(repeats[0]!.textHash!, text.novel);
      unscored += repeats.filter(isUnscored).length;
      yield* repeats;
    }
  }
  if (options.dryRun) for await (const _ of rows());
  else await writeJsonLines(file, rows());
  return { sums, unscored, texts };
}

/** The novel of each chapter's text, by its hash. */
type TextHashes = Map<string, string>;

/** Finds anchors that are also in the population: they would be compared with themselves. */
function overlapWarnings(own: TextHashes, anchors: TextHashes, { warnings }: BenchWords): string[] {
  const both = new Set([...anchors].flatMap(([hash, novel]) => (own.has(hash) ? [novel] : [])));
  return both.size === 0 ? [] : [warnings.anchorsInPopulation([...both])];
}

/**
 * Composites of single chapters, computed from the rows just written, because the population's weights are known only
 * now.
 */
async function chapterDistribution(file: string, rubric: Rubric, population: ReferencePopulation) {
  const order = population.dimensions.map((dimension) => rubric.criteria.findIndex(({ id }) => id === dimension));
  const composites: number[] = [];
  for await (const row of jsonLines(file, scoreRowSchema)) {
    const numbers = scoreRow(row.scores, rubric);
    const scores = order.map((at) => numbers[at] ?? null);
    if (scores.every((score) => score !== null)) composites.push(compositeOf(scores, population));
  }
  return singleChapterDistribution(composites);
}

async function written(population: ReferencePopulation, folder: string, variant: string | null): Promise<string> {
  const file = benchFiles(folder).population(population.judge.id, variant);
  await writeWholeFile(file, `${JSON.stringify(population)}\n`);
  return file;
}
