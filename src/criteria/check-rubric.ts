import { z } from "zod";
import { parseYaml } from "../core/files/parse-yaml.ts";
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
  // The schema compares criteria only where each is right by itself.
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
