import { readFile } from "node:fs/promises";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { parseYaml } from "../core/parse-yaml.ts";
import { issueInWords } from "../core/wording.ts";
import { criteriaProblems, type Rubric, rubricSchema } from "./rubric.ts";

export interface RubricProblem {
  /** `criteria.2.id`, or empty for the file as a whole. */
  readonly at: string;
  readonly problem: string;
}

export type CheckedRubric =
  | { readonly kind: "rubric"; readonly rubric: Rubric }
  | { readonly kind: "wrong"; readonly problems: readonly RubricProblem[] };

/** Reads a rubric's YAML, with everything that is wrong with it: a file is corrected in one go. */
export function checkRubric(source: string): CheckedRubric {
  let document: unknown;
  try {
    document = parseYaml(source);
  } catch (cause) {
    const [first = "it cannot be read"] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    return { kind: "wrong", problems: [{ at: "", problem: `not valid YAML: ${first.replace(/:$/, "")}` }] };
  }
  const result = rubricSchema.safeParse(document);
  if (result.success) return { kind: "rubric", rubric: result.data };
  const problems = result.error.issues.map((issue) => ({ at: issue.path.join("."), problem: issueInWords(issue) }));
  // The schema compares criteria with each other only if each is valid by itself.
  const compared = criteriaProblems(readableCriteria(document)).map((problem) => ({ at: "criteria", problem }));
  const known = new Set(problems.map(({ problem }) => problem));
  return { kind: "wrong", problems: [...problems, ...compared.filter(({ problem }) => !known.has(problem))] };
}

const criteriaOnly = z.object({
  criteria: z.array(z.object({ id: z.string(), parent: z.string().optional() }).nullable().catch(null)),
});

function readableCriteria(document: unknown) {
  const { data } = criteriaOnly.safeParse(document);
  return data?.criteria.filter((criterion) => criterion !== null) ?? [];
}

export function problemsInWords(problems: readonly RubricProblem[]): string {
  return problems.map(({ at, problem }) => (at === "" ? problem : `${problem} (at ${at})`)).join("; ");
}

/** Whether it is a name rather than a path. */
export function isShippedRubric(nameOrPath: string): boolean {
  return /^[a-z0-9-]+$/.test(nameOrPath);
}

const shippedRubrics = new Map<string, Promise<Rubric>>();

/** A rubric by the name it ships under (`long-story`), read once, or the path of the user's own file. */
export function loadRubric(nameOrPath: string): Promise<Rubric> {
  if (!isShippedRubric(nameOrPath)) return readRubric(nameOrPath, false);
  const rubric = shippedRubrics.get(nameOrPath) ?? readRubric(nameOrPath, true);
  shippedRubrics.set(nameOrPath, rubric);
  return rubric;
}

async function readRubric(nameOrPath: string, shipped: boolean): Promise<Rubric> {
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

/** The text of the user's own rubric, which other machines do not have; null for one that ships. */
export async function rubricText(rubric: string): Promise<string | null> {
  if (isShippedRubric(rubric)) return null;
  await loadRubric(rubric);
  return readFile(rubric, "utf8");
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
