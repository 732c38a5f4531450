import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { type Rubric, rubricSchema } from "./rubric.ts";

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

export function parseRubric(source: string, name: string): Rubric {
  let document: unknown;
  try {
    document = parse(source, { maxAliasCount: 0 });
  } catch (cause) {
    throw new FabulaError("E_RUBRIC_INVALID", `The rubric "${name}" is not valid YAML: correct it and try again.`, {
      cause,
    });
  }
  const result = rubricSchema.safeParse(document);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const place = issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw new FabulaError("E_RUBRIC_INVALID", `The rubric "${name}" is wrong${place}: ${issue.message}.`, {
    evidence: document,
  });
}
