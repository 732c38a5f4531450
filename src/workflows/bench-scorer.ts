import type { ChapterScorer } from "../bench/scoring/chapter-scorer.ts";
import { modelScorer } from "../bench/scoring/model-scorer.ts";
import { pocketScorer } from "../bench/scoring/pocket-scorer.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import { loadPocketJudge } from "../pocket/pocket-judge.ts";
import type { Run, RunServices, RunSettings } from "../runner/open-run.ts";
import { inRun, type RunOutcome } from "./in-run.ts";

/** A judge by its name: the pocket judge with its own rubric, or a language model with the rubric that is asked for. */
export async function scorerNamed(name: string, rubric: string, run: Run | null): Promise<ChapterScorer> {
  if (name === "pocket") return pocketScorer(await loadPocketJudge());
  if (!run) throw new Error("a language model scores within a run");
  return modelScorer(await run.model(name), await loadRubric(rubric));
}

/** Work that asks models is done in a run; the pocket judge asks nobody and leaves no record. */
export async function inRunIfNeeded<Result>(
  asksModels: boolean,
  settings: RunSettings,
  services: RunServices,
  work: (run: Run | null) => Promise<Result>,
): Promise<Partial<RunOutcome<Result>> & { readonly result: Result }> {
  return asksModels ? inRun(settings, services, work) : { result: await work(null) };
}
