import { FabulaError } from "../core/errors.ts";
import { JUROR_IDS, type JurorId } from "./juror.ts";

export function isJurorName(name: string): boolean {
  return JUROR_IDS.some((known) => known === name);
}

export function jurorNamed(name: string): JurorId {
  const id = JUROR_IDS.find((known) => known === name);
  if (id === undefined) {
    throw new FabulaError("E_JUDGE_UNKNOWN", `"${name}" is not an embedded judge: choose crowd, editor or grader.`);
  }
  return id;
}
