import { FabulaError } from "../../../core/errors.ts";
import { writeWholeFile } from "../../../core/files/write-whole-file.ts";
import { countOf } from "../../../core/wording.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { builtInWords, builtSummary } from "../../../report/bench/built-population.ts";
import { buildPopulations } from "../../../workflows/bench/build.ts";
import { refuseForeignFolder } from "../../../workflows/bench/english-only.ts";
import { defaultRubric } from "../../../workflows/bench/folder.ts";
import { populationFromScores, publishedScores } from "../../../workflows/bench/population.ts";
import { inRunIfNeeded, scorerNamed } from "../../../workflows/bench/scorer.ts";
import { chosenChapters } from "../../../workflows/bench/writers.ts";
import { piecesOfChapters, replayingScorer } from "../../../workflows/queue/jobs/bench.ts";
import { rubricText } from "../../../workflows/queue/jobs/rubric-text.ts";
import { defineCommand } from "../../command.ts";
import {
  asksLanguageModels,
  asksWholeNumbers,
  BENCH_JUDGE_FLAGS,
  benchJudges,
  benchPrompts,
  PRESET_FLAGS,
} from "../../flags/bench-flags.ts";
import { isEmbedded } from "../../flags/embedded-judge.ts";
import { filesNamed } from "../../flags/files-named.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { SHARING_FLAGS } from "../../flags/sharing-flags.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showFreePlan, showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";
import { runHereOrShared, settingsWithoutModels } from "../../shared-run.ts";
import type { Terminal } from "../../terminal.ts";

/** How many texts a language model scores repeatedly by default. */
const CHECKED_TEXTS = 10;

export default defineCommand({
  summary: "Score the chosen chapters and make a reference population that texts can be placed on.",
  operands: "[FOLDER]",
  flags: {
    ...BENCH_JUDGE_FLAGS,
    ...PRESET_FLAGS,
    scores: {
      type: "string",
      value: "FILE",
      repeats: true,
      help: "build from scores alone, such as published ones, instead of a folder; needs --rubric and --out",
    },
    out: { type: "string", value: "FILE", help: "where the population built from --scores is written" },
    anchors: {
      type: "string",
      value: "FOLDER",
      help: "a prepared folder of classics, expected to score above the others; shown in reports",
    },
    repeats: {
      type: "number",
      value: "N",
      default: 1,
      minimum: 1,
      maximum: 100,
      integer: true,
      help: "scores per chapter, averaged",
    },
    "check-repeats": {
      type: "number",
      value: "N",
      default: 11,
      minimum: 2,
      maximum: 100,
      integer: true,
      help: "how many times each of them is scored",
    },
    "check-texts": {
      type: "number",
      value: "N",
      minimum: 0,
      maximum: 10_000,
      integer: true,
      help: `texts scored repeatedly to measure how consistent a judge is [${CHECKED_TEXTS}; 0 for grader, whose scores never vary]`,
    },
    id: { type: "string", value: "NAME", help: "the population's name; the folder's by default" },
    description: { type: "string", value: "TEXT", default: "", help: "what kind of novels they are, for reports" },
    ...MODEL_FLAGS,
    priority: SHARING_FLAGS.priority,
  },
  examples: [
    "fabula bench build bench/ --description 'English public-domain novels'",
    "fabula bench build bench/ --anchors classics/ --judge openai:gpt-4o --dry-run",
    "fabula bench build --scores human.jsonl --rubric novel-bench-zh --out population.json",
    "fabula bench build bench/ --panel openai:gpt-4o,anthropic:claude-sonnet-4-5 --max-cost 20",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (flags.scores?.length) return buildFromScores(flags, terminal);
    const folder = operands[0];
    if (!folder) throw new FabulaError("E_USAGE", "Give the benchmark's folder: `fabula bench build bench/`.");
    const judges = benchJudges(flags);
    const rubric = flags.rubric ?? (await defaultRubric(folder));
    const wholeNumbers = asksWholeNumbers(flags);
    const asked = { rubric, prompts: benchPrompts(flags), wholeNumbers };
    const asksModels = asksLanguageModels(judges);
    if (judges.some(isEmbedded)) await refuseForeignFolder(folder);
    if (flags["dry-run"] && !asksModels) {
      const { total } = await chosenChapters(folder);
      return showFreePlan(`score the ${countOf(total, "chapter")} of ${folder}`, { json: flags.json, terminal });
    }
    const texts = flags["check-texts"] ?? (asksModels ? CHECKED_TEXTS : 0);
    const check = { texts, repeats: flags["check-repeats"] };
    const anchors = flags.anchors ?? null;
    const settings = asksModels ? runSettings(flags) : settingsWithoutModels(flags);
    const outcome = await runHereOrShared(
      settings,
      { ...flags, local: flags.local || flags.prompts !== undefined },
      { terminal, signal },
      async () => ({
        kind: "score-chapters",
        options: { judges, rubric, wholeNumbers, rubricText: await rubricText(rubric) },
        models: judges.filter((judge) => judge !== "grader"),
        pieces: piecesOfChapters({ folder, anchors, repeats: flags.repeats, check }),
      }),
      (own, shared) =>
        inRunIfNeeded(asksModels, own, runServices(terminal, signal), async (opened) => {
          const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, asked, opened)));
          const heard = shared && !asksModels ? [await replayingScorer(scorers[0]!, shared.results())] : scorers;
          return buildPopulations(heard, {
            folder,
            id: flags.id ?? folder.replace(/\/+$/, ""),
            description: flags.description,
            repeats: flags.repeats,
            check,
            anchors,
            concurrency: opened?.concurrency ?? 1,
            dryRun: opened?.dryRun ?? false,
            onProgress: terminal.progress,
            signal,
          });
        }),
    );
    if (!outcome) return 0;
    const { result, plan, run } = outcome;
    terminal.endProgress();
    const built = result.at(-1);
    if (plan || !built) {
      if (plan) showPlan(plan, flags.json, terminal);
      return 0;
    }
    if (flags.json) {
      const judgesOfPanel = result.slice(0, -1).map(builtSummary);
      const summary = { ...builtSummary(built), ...(judgesOfPanel.length > 0 && { judges: judgesOfPanel }) };
      terminal.print(jsonDocument("bench-population", summary));
    } else {
      for (const one of result) for (const line of builtInWords(one)) terminal.print(line);
      for (const warning of built.population.warnings) terminal.note(`Warning: ${warning}`);
      for (const { novel, reason } of built.excluded.slice(0, 10)) terminal.note(`Excluded ${novel}: ${reason}`);
    }
    if (run) terminal.note(runInWords(run));
    return result.some(({ excluded, unscored }) => excluded.length + unscored > 0) ? 3 : 0;
  },
});

/** A population from scores alone: nothing is judged, and nothing but the scores is known of the texts. */
async function buildFromScores(
  flags: {
    readonly scores: readonly string[] | undefined;
    readonly rubric: string | undefined;
    readonly out: string | undefined;
    readonly id: string | undefined;
    readonly description: string;
    readonly json: boolean;
  },
  terminal: Terminal,
): Promise<0 | 3> {
  const files = await filesNamed(flags.scores ?? []);
  const out = requireFlag("bench build --scores", "out", flags.out);
  const rubric = await loadRubric(requireFlag("bench build --scores", "rubric", flags.rubric));
  const { chapters, made } = await publishedScores(files, rubric);
  const { population, excluded } = populationFromScores(chapters, {
    id: flags.id ?? "published scores",
    description: flags.description,
    ...made,
  });
  await writeWholeFile(out, `${JSON.stringify(population)}\n`);
  const built = { population, excluded, unscored: 0, file: out };
  if (flags.json) terminal.print(jsonDocument("bench-population", builtSummary(built)));
  else for (const line of builtInWords(built)) terminal.print(line);
  return excluded.length > 0 ? 3 : 0;
}
