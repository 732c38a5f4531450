import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { isAtCeiling } from "../../../bench/validity.ts";
import { leaderboard } from "../../../bench/writers/leaderboard.ts";
import { ratesInWords } from "../../../bench/writing.ts";
import { FabulaError } from "../../../core/errors.ts";
import { seededRandom } from "../../../core/random.ts";
import { reportWordsIn } from "../../../report/bench/words.ts";
import { populationOfFolder } from "../../../workflows/bench/folder.ts";
import { runWriter, type WriterRun } from "../../../workflows/bench/run.ts";
import { hasWholeScores } from "../../../workflows/bench/scorer.ts";
import { WRITING_DEFAULTS } from "../../../workflows/bench/writers.ts";
import { piecesOfWriting } from "../../../workflows/queue/jobs/bench.ts";
import { rubricText } from "../../../workflows/queue/jobs/rubric-text.ts";
import { inRun } from "../../../workflows/runs/in-run.ts";
import { defineCommand } from "../../command.ts";
import { asksLanguageModels, BENCH_JUDGE_FLAGS, benchJudges, benchPrompts } from "../../flags/bench-flags.ts";
import { listed } from "../../flags/embedded-judge.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { SHARING_FLAGS } from "../../flags/sharing-flags.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";
import { runHereOrShared, sharesWork } from "../../shared-run.ts";

const GRADER_CANNOT =
  "The embedded grader speaks for a language-model grader and reads no story: it cannot tell expert prose from a good imitation, and near 100 its scale ends. For a leaderboard, name language models as judges.";

export default defineCommand({
  summary: "Have a writer model expand sampled synopses, score what it wrote, and place it among the population.",
  operands: "FOLDER",
  flags: {
    writer: { type: "string", value: "MODEL", repeats: true, help: "the model that writes; M1,M2 for several" },
    ...BENCH_JUDGE_FLAGS,
    population: { type: "string", value: "NAME|FILE", help: "the population; the folder's own by default" },
    novels: {
      type: "number",
      value: "N",
      default: 100,
      minimum: 1,
      integer: true,
      help: "novels to write, one per part of the population",
    },
    repeats: {
      type: "number",
      value: "N",
      default: 1,
      minimum: 1,
      maximum: 100,
      integer: true,
      help: "scores per chapter, averaged; as the population was built",
    },
    "max-tokens": {
      type: "number",
      value: "N",
      default: WRITING_DEFAULTS.maximumTokens,
      minimum: 16,
      integer: true,
      help: "tokens a chapter may have",
    },
    temperature: {
      type: "number",
      value: "T",
      default: WRITING_DEFAULTS.temperature,
      minimum: 0,
      maximum: 2,
      help: "the writer's temperature",
    },
    words: {
      type: "number",
      value: "N",
      default: WRITING_DEFAULTS.words,
      minimum: 50,
      integer: true,
      help: "about how long a chapter should be",
    },
    seed: {
      type: "number",
      value: "N",
      default: 1,
      integer: true,
      help: "the random seed for the choice of novels and the intervals",
    },
    ...MODEL_FLAGS,
    priority: SHARING_FLAGS.priority,
  },
  examples: [
    "fabula bench run bench/ --writer openai:gpt-4o --max-cost 10",
    "fabula bench run bench/ --writer ollama:llama3 --dry-run",
    "fabula bench run bench/ --writer openai:gpt-4o,anthropic:claude-sonnet-4-5 --max-cost 20",
    "fabula bench run bench/ --writer openai:gpt-4o --panel anthropic:claude-sonnet-4-5,google:gemini-2.5-pro",
  ],
  async run({ operands, flags, terminal, signal }) {
    const folder = operands[0];
    if (!folder) throw new FabulaError("E_USAGE", "Give the benchmark's folder: `fabula bench run bench/ --writer …`.");
    const writers = [...new Set((flags.writer ?? []).flatMap((names) => listed(names)))];
    const writer = requireFlag("bench run", "writer", writers[0]);
    const judges = benchJudges(flags);
    const isEmbeddedAlone = !asksLanguageModels(judges);
    const { population, rubric } = await populationOfFolder(folder, judges, flags);
    const writing = {
      judges,
      rubric,
      repeats: flags.repeats,
      maximumTokens: flags["max-tokens"],
      temperature: flags.temperature,
      words: flags.words,
    };
    const sample = { novels: flags.novels, population, seed: flags.seed };
    const prompts = benchPrompts(flags);
    const settings = runSettings(flags);
    if (writers.length > 1 && sharesWork(settings, flags)) {
      throw new FabulaError(
        "E_USAGE",
        "Workers of a shared store take one --writer at a time: give one, or add --local.",
      );
    }
    const outcome = await runHereOrShared(
      settings,
      { ...flags, local: flags.local || flags.prompts !== undefined },
      { terminal, signal },
      async () => ({
        kind: "write-chapters",
        options: { ...writing, writer, wholeNumbers: hasWholeScores(population), rubricText: await rubricText(rubric) },
        models: [writer, ...judges.filter((judge) => judge !== "grader")],
        pieces: piecesOfWriting(folder, sample),
      }),
      (own) =>
        inRun(own, runServices(terminal, signal), async (opened) => {
          const work = { ...writing, ...sample, prompts, folder, onProgress: terminal.progress, signal };
          const runs: Written[] = [];
          for (const name of writers)
            runs.push({ writer: name, ...(await runWriter(opened, { ...work, writer: name })) });
          return runs;
        }),
    );
    if (!outcome) return 0;
    const { result, plan, run } = outcome;
    terminal.endProgress();
    if (plan) return showPlan(plan, flags.json, terminal);
    if (flags.json) {
      const documents = result.map((written) => asDocument(written, run.id));
      terminal.print(jsonDocument("bench-writers", documents.length === 1 ? documents[0]! : { writers: documents }));
    } else {
      for (const written of result) {
        for (const line of inWords(written, isEmbeddedAlone, population.language)) terminal.print(line);
      }
      if (result.length > 1) for (const line of tiesInWords(result, population, flags.seed)) terminal.print(line);
      const files = result.flatMap(({ scores }) => scores);
      terminal.note(`Scores are in ${files.join(", ")}: rank writers with \`fabula bench report\`.`);
    }
    if (isEmbeddedAlone) terminal.note(GRADER_CANNOT);
    terminal.note(runInWords(run));
    return result.some(({ level, unwritten, unscored }) => !level || unwritten + unscored > 0) ? 3 : 0;
  },
});

type Written = WriterRun & { readonly writer: string };

/** The writer's level according to each judge, when there are several. */
function levelsByJudge({ byJudge }: WriterRun) {
  return byJudge.flatMap(({ judge, board }) =>
    board.rows.map((row) => ({ judge, level: row.level, interval: row.interval })),
  );
}

/** Which of the writers can be told apart, over the novels they share. */
function* tiesInWords(written: readonly Written[], population: ReferencePopulation, seed: number): Generator<string> {
  const chapters = written.flatMap((one) => one.chapters);
  const { comparisons } = leaderboard(chapters, population, seededRandom(seed));
  const words = reportWordsIn(population.language).run;
  for (const { first, second, adjusted, difference } of comparisons.pairs) {
    const apart = adjusted !== null && adjusted < comparisons.significance;
    const [better, worse] = difference >= 0 ? [first, second] : [second, first];
    yield apart
      ? words.above(better, worse, Math.abs(difference).toFixed(2), adjusted.toFixed(4))
      : words.tied(first, second);
  }
  yield comparisons.method;
}

function asDocument(result: Written, run: string | null): object {
  const { writer, name, level, unwritten, unscored, rates, scores } = result;
  const judges = levelsByJudge(result);
  return {
    writer,
    ...(name !== writer && { name }),
    level,
    unwritten,
    unscored,
    rates,
    scores: scores[0],
    run,
    ...(judges.length > 0 && { judges, scoreFiles: scores }),
  };
}

function* inWords(result: Written, isEmbeddedAlone: boolean, language: string | undefined): Generator<string> {
  const { name, level, unscored, rates } = result;
  const words = reportWordsIn(language).run;
  const range = (interval: readonly number[]) => interval.map((end) => end.toFixed(1)).join("–");
  const speaking = isEmbeddedAlone ? `${words.byGrader}${name}` : name;
  yield level
    ? words.level(speaking, level.level.toFixed(1), range(level.interval), level.novels)
    : words.unplaced(name);
  if (level && isAtCeiling(level)) yield `  ${words.ceiling(level.composite.toFixed(2))}`;
  for (const { judge, level: own, interval } of levelsByJudge(result))
    yield `  ${judge}: ${own.toFixed(1)} (${range(interval)})`;
  const kept = ratesInWords(name, rates, language);
  if (kept) yield kept;
  if (unscored > 0) yield words.unscored(unscored);
}
