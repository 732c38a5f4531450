import { type ReferencePopulation, statedJudge } from "../../bench/population/reference-population.ts";
import { areWholeNumbers, type ChapterScorer, graderScorer, modelScorer } from "../../bench/scoring.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { rubricHash } from "../../criteria/rubric.ts";
import { loadGrader } from "../../jury/grader.ts";
import { loadJury } from "../../jury/jury.ts";
import type { ModelConnections } from "../../models/connection.ts";
import { modelIdentity } from "../../models/create-chat-model.ts";
import { judgeNameOf } from "../../models/judge-name.ts";
import { resolveShortName } from "../../models/own-judge.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { inRun, type Run, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";

/** The rubric and prompts for a language model; the grader has its own. */
export interface ScorerOptions {
  readonly rubric: string;
  readonly prompts: PromptSource;
  readonly wholeNumbers?: boolean;
}

/** Finds a judge by name: the grader with its own rubric, or a language model with the requested rubric. */
export async function scorerNamed(
  name: string,
  asked: ScorerOptions,
  run: Pick<Run, "model"> | null,
): Promise<ChapterScorer> {
  if (name === "grader") return graderScorer(await loadGrader(), (await loadJury()).jurors.grader);
  if (!run) throw new Error("a language model scores within a run");
  return modelScorer(await run.model(name), await loadRubric(asked.rubric), asked.prompts, {
    wholeNumbers: asked.wholeNumbers ?? false,
  });
}

/** Whether the language models of a population gave whole-number scores; texts placed on it must be scored the same way. */
export function hasWholeScores({ settings, panel }: ReferencePopulation): boolean {
  return areWholeNumbers(settings) || (panel?.some((member) => areWholeNumbers(member.settings)) ?? false);
}

/**
 * Refuses another judge, or another version of it, than the one that built the population: percentiles would mean
 * nothing.
 */
export function assertJudgeOf(population: ReferencePopulation, scorer: ChapterScorer): void {
  const judges = population.panel?.map(({ judge }) => judge) ?? [population.judge];
  const judge = judges.find(({ id }) => id === scorer.id);
  if (!judge) {
    throw new FabulaError(
      "E_POPULATION_JUDGE",
      `The population "${population.id}" was judged by ${judges.map(({ id }) => id).join(" and ")}, not by ${scorer.id}: percentiles only mean something with the same judge.`,
    );
  }
  const { version } = statedJudge(judge);
  if (version === scorer.version) return;
  const { rubric } = population.panel?.find((member) => member.judge.id === scorer.id) ?? population;
  if (rubric.id !== scorer.rubric.id) {
    throw new FabulaError(
      "E_POPULATION_RUBRIC",
      `The population "${population.id}" was judged by the rubric ${rubric.id}, not ${scorer.rubric.id}: add --rubric ${rubric.id}.`,
    );
  }
  if (version === undefined && rubric.hash === rubricHash(scorer.rubric)) return;
  throw new FabulaError(
    "E_POPULATION_STALE",
    `The population "${population.id}" was built by another version of ${scorer.id} or of its rubric (${version ?? "not stated"}, now ${scorer.version}): build one in a new folder, or go back to the rubric it was built with.`,
  );
}

/** Refuses another prompt or other settings than the population's: another prompt makes another judge. */
export async function assertBasisOf(
  population: ReferencePopulation,
  scorer: ChapterScorer,
  isRepeated: boolean,
): Promise<void> {
  const { prompt, settings } = population.panel?.find(({ judge }) => judge.id === scorer.id) ?? population;
  const basis = await scorer.basis?.();
  if (!basis || prompt === undefined || settings === undefined) return;
  if (basis.prompt !== prompt) {
    throw new FabulaError(
      "E_POPULATION_PROMPT",
      `The population "${population.id}" was judged with another prompt (${prompt}, now ${basis.prompt}): give the same --prompts as when it was built.`,
    );
  }
  if (basis.settings(isRepeated) !== settings) {
    throw new FabulaError(
      "E_POPULATION_SETTINGS",
      `The population "${population.id}" was judged at ${settings}, and these texts would be at ${basis.settings(isRepeated)}: use --repeats as when it was built (1 is temperature 0).`,
    );
  }
}

/** Before anything is asked or queued, refuses a population that these judges did not build, or not in this way. */
export async function assertBuiltBy(
  population: ReferencePopulation,
  judges: readonly string[],
  asked: ScorerOptions,
  { connections, isRepeated }: { readonly connections: ModelConnections; readonly isRepeated: boolean },
): Promise<void> {
  const named = judges.map((judge) => resolveShortName(judge, connections.judges));
  // Which model `local` stands for is known only when it is asked.
  for (const judge of named.filter((name) => name === "grader" || judgeNameOf(name)?.provider !== "local")) {
    const scorer = await scorerNamed(judge, asked, {
      model: async () => ({
        ...modelIdentity(judge, { connections }),
        complete: () => Promise.reject(new Error("unasked")),
      }),
    });
    assertJudgeOf(population, scorer);
    await assertBasisOf(population, scorer, isRepeated);
  }
}

/** Runs work that asks models in a resumable run. The grader asks none and needs no record. */
export async function inRunIfNeeded<Result>(
  asksModels: boolean,
  settings: RunSettings,
  services: RunServices,
  work: (run: Run | null) => Promise<Result>,
): Promise<Partial<RunOutcome<Result>> & { readonly result: Result }> {
  return asksModels ? inRun(settings, services, work) : { result: await work(null) };
}
