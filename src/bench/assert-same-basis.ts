import { FabulaError } from "../core/errors.ts";
import { type PanelMember, type ReferencePopulation, statedJudge } from "./population/reference-population.ts";

/** What a row of scores says about how it was made; what it does not say cannot be checked. */
export interface RowBasis {
  readonly judge?: string | undefined;
  readonly judgeVersion?: string | undefined;
  readonly rubric?: string | undefined;
  readonly rubricHash?: string | undefined;
  readonly promptHash?: string | undefined;
  readonly settings?: string | undefined;
}

type Base = Pick<PanelMember | ReferencePopulation, "judge" | "rubric" | "prompt" | "settings">;

const SHORT = 12;

/** Refuses, by name, a row that another judge, version, rubric, prompt or setting made than the population's. */
export function assertRowFits(row: RowBasis, base: Base, file: string): void {
  const judge = statedJudge(base.judge);
  const found = [
    differs("judge", row.judge, judge.id),
    differs("version of the judge", row.judgeVersion, judge.version),
    row.rubricHash === undefined
      ? differs("rubric", row.rubric, base.rubric.id)
      : differs("rubric", row.rubricHash, base.rubric.hash.slice(0, SHORT)),
    differs("prompt", row.promptHash, base.prompt),
    differs("setting", row.settings, base.settings),
  ].find((difference) => difference !== null);
  if (!found) return;
  const scores = `scores by another ${found.what} than the population (${found.row}, not ${found.base})`;
  throw new FabulaError(
    "E_SCORES_BASIS",
    `"${file}" has ${scores}: leave the file out, or report it on a population of its own.`,
    { evidence: scores },
  );
}

/** Rows that are ranked without a population must all have been made the same way. */
export class SameBasis {
  #first: { readonly row: RowBasis; readonly file: string } | null = null;

  add(row: RowBasis, file: string): void {
    this.#first ??= { row, file };
    const { row: first, file: from } = this.#first;
    const found = (["judge", "judgeVersion", "rubric", "rubricHash", "promptHash", "settings"] as const).find(
      (field) => row[field] !== first[field],
    );
    if (!found) return;
    throw new FabulaError(
      "E_SCORES_BASIS",
      `The scores were not made in one way: ${NAMES[found]} is ${first[found] ?? "not stated"} in "${from}" and ${row[found] ?? "not stated"} in "${file}". Report each alone, or give a second judge's with --second.`,
    );
  }

  /** What all rows say of how they were made; empty where they say nothing. */
  get stated(): RowBasis {
    return this.#first?.row ?? {};
  }
}

const NAMES = {
  judge: "the judge",
  judgeVersion: "the judge's version",
  rubric: "the rubric",
  rubricHash: "the rubric's version",
  promptHash: "the prompt",
  settings: "the setting",
};

function differs(what: string, row: string | undefined, base: string | undefined) {
  return row === undefined || base === undefined || row === base ? null : { what, row, base };
}
