import { readFile } from "node:fs/promises";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { checkRubric, problemsInWords } from "./check-rubric.ts";
import type { Rubric } from "./rubric.ts";

/** Whether it is a name rather than a path. */
export function isShippedRubric(nameOrPath: string): boolean {
  return /^[a-z0-9-]+$/.test(nameOrPath);
}

/** A rubric by the name it ships under (`long-story`), or the path of the user's own file. */
export async function loadRubric(nameOrPath: string): Promise<Rubric> {
  const shipped = isShippedRubric(nameOrPath);
  const path = shipped ? assetPath("criteria", `${nameOrPath}.yaml`) : nameOrPath;
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (cause) {
    const advice = shipped ? "the names that ship are the files under assets/criteria" : "check the path";
    throw new FabulaError("E_RUBRIC_MISSING", `No rubric at "${nameOrPath}": ${advice}.`, { cause });
  }
  return parseRubric(source, nameOrPath);
}

/** A rubric by its name or path, or one that was loaded or made before. */
export async function rubricOf(rubric: string | Rubric): Promise<Rubric> {
  return typeof rubric === "string" ? loadRubric(rubric) : rubric;
}

export function parseRubric(source: string, name: string): Rubric {
  const checked = checkRubric(source);
  if (checked.kind === "rubric") return checked.rubric;
  throw new FabulaError("E_RUBRIC_INVALID", `The rubric "${name}" is wrong: ${problemsInWords(checked.problems)}.`, {
    evidence: checked.problems,
  });
}
