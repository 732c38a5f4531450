import { FabulaError } from "../core/errors.ts";
import { JUROR_IDS, type JurorId } from "./juror.ts";

/** The names a user may give an embedded judge: `pocket` is the grader's earlier name. */
export const JUROR_NAMES = [...JUROR_IDS, "pocket"] as const;

export function isJurorName(name: string): boolean {
  return JUROR_NAMES.some((known) => known === name);
}

export function jurorNamed(name: string): JurorId {
  const id = name === "pocket" ? "grader" : JUROR_IDS.find((known) => known === name);
  if (id === undefined) {
    throw new FabulaError("E_JUDGE_UNKNOWN", `"${name}" is not an embedded judge: choose crowd, editor or grader.`);
  }
  return id;
}
