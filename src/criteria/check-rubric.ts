import { parseYaml } from "../core/files/parse-yaml.ts";
import { type Rubric, rubricSchema } from "./rubric.ts";

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
  return {
    kind: "wrong",
    problems: result.error.issues.map(({ path, message }) => ({
      at: path.join("."),
      problem: message.endsWith("received undefined") ? "is missing" : message,
    })),
  };
}

export function problemsInWords(problems: readonly RubricProblem[]): string {
  return problems.map(({ at, problem }) => (at === "" ? problem : `${problem} (at ${at})`)).join("; ");
}
