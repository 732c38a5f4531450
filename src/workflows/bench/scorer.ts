import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../bench/scoring/chapter-scorer.ts";
import { modelScorer } from "../../bench/scoring/model-scorer.ts";
import { pocketScorer } from "../../bench/scoring/pocket-scorer.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { loadJury } from "../../jury/jury.ts";
import { loadPocketJudge } from "../../jury/pocket-judge.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import type { Run, RunServices, RunSettings } from "../../runner/open-run.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";

/** What a language model is asked with; the pocket judge has its own. */
export interface ScorerOptions {
  readonly rubric: string;
  readonly prompts: PromptSource;
}

/** A judge by its name: the pocket judge with its own rubric, or a language model with the rubric that is asked for. */
export async function scorerNamed(name: string, asked: ScorerOptions, run: Run | null): Promise<ChapterScorer> {
  if (name === "pocket") return pocketScorer(await loadPocketJudge(), (await loadJury()).jurors.grader);
  if (!run) throw new Error("a language model scores within a run");
  return modelScorer(await run.model(name), await loadRubric(asked.rubric), asked.prompts);
}

/** Percentiles only mean something with the judge, in the version, that built the population. */
export function assertJudgeOf(population: ReferencePopulation, scorer: ChapterScorer): void {
  const judges = population.panel?.map(({ judge }) => judge) ?? [population.judge];
  const judge = judges.find(({ id }) => id === scorer.id);
  if (!judge) {
    throw new FabulaError(
      "E_POPULATION_JUDGE",
      `The population "${population.id}" was judged by ${judges.map(({ id }) => id).join(" and ")}, not by ${scorer.id}: percentiles only mean something with the same judge.`,
    );
  }
  if (judge.version !== scorer.version) {
    throw new FabulaError(
      "E_POPULATION_STALE",
      `The population "${population.id}" was built by another version of ${scorer.id} (${judge.version}, now ${scorer.version}): build it again with \`fabula bench build\`.`,
    );
  }
}

/** Work that asks models is done in a run; the pocket judge calls no model and leaves no record. */
export async function inRunIfNeeded<Result>(
  asksModels: boolean,
  settings: RunSettings,
  services: RunServices,
  work: (run: Run | null) => Promise<Result>,
): Promise<Partial<RunOutcome<Result>> & { readonly result: Result }> {
  return asksModels ? inRun(settings, services, work) : { result: await work(null) };
}
