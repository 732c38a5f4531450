import { stat } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { ownPrompts, shippedPrompts } from "../../prompts/own-prompts.ts";
import { isEmbedded } from "../define/judge-fields.ts";
import { field, type TaskServices } from "../define/task.ts";

/** Options that several tasks of the novelist benchmark share, and the checks that go with them. */

export const GRADER = "grader";

export const folder = (operand = "FOLDER", description = "the benchmark's folder") =>
  field(z.string(), description, { operand });
export const whole = (standard: number, description: string, minimum = 1, maximum = Number.MAX_SAFE_INTEGER) =>
  field(z.number().int().min(minimum).max(maximum).default(standard), description, { value: "N" });
export const prompts = field(
  z.string().exactOptional(),
  "prompts of your own, LANGUAGE/NAME.md: this is how another language is added",
  { value: "FOLDER" },
);
export const rubric = field(
  z.string().exactOptional(),
  "the dimensions a language model scores; by default those in the language of the novels",
  { value: "NAME|FILE" },
);
export const population = (text: string) => field(z.string().exactOptional(), text, { value: "NAME|FILE" });

/** Options that say who scores. */
export const scoring = {
  judge: field(z.string().default(GRADER), "who scores: the grader, or a language model", { value: "NAME" }),
  panel: field(z.array(z.string()).exactOptional(), "several judges score together, each counted the same", {
    value: "J1,J2",
  }),
};

export const checkRepeats = (maximum?: number) => whole(11, "how many times each of them is scored", 2, maximum);

export const writing = {
  maxTokens: whole(4096, "tokens a chapter may have", 16),
  temperature: field(z.number().min(0).max(2).default(0.6), "the writer's temperature", { value: "T" }),
  words: whole(1000, "about how long a chapter should be", 50),
};

export const PANEL_OR_JUDGE = {
  fields: ["judge"],
  when: ({ said }: { said(option: string): boolean }) => said("panel"),
  sentence: "{panel} names all the judges: leave {judge} out.",
};

export const RUBRIC_OF_MODELS = "{rubric} is for judges that are language models: name one.";

/** The judges by name. Among those that ship with Fabula, only the grader has criteria for scoring chapters. */
export function scorersNamed({
  judge = GRADER,
  panel,
}: {
  readonly judge?: string;
  readonly panel?: readonly string[];
}) {
  return [...new Set(panel ?? [judge])].map((name) => {
    if (name === GRADER || !isEmbedded({ judge: name })) return name;
    throw new FabulaError(
      "E_JUDGE_UNKNOWN",
      `The benchmark scores criteria, and the ${name} has none: use --judge grader or a language model.`,
    );
  });
}

export const asksModels = (judges: readonly string[]) => !isEmbedded({ panel: judges });

/** The files that the user named: one by one, joined by commas, or as a quoted glob. */
export async function filesNamed(values: readonly string[]): Promise<string[]> {
  const { glob } = await import("tinyglobby");
  const files: string[] = [];
  for (const value of values) {
    const isFile = await stat(value).then(
      () => true,
      () => false,
    );
    for (const name of isFile ? [value] : value.split(",").flatMap((part) => part.trim() || [])) {
      const found =
        isFile || !/[*?[{]/.test(name)
          ? [name]
          : await glob(name, { onlyFiles: true, expandDirectories: false, absolute: false });
      if (found.length === 0) throw new FabulaError("E_FILE_READ", `No file matches ${name}: check the pattern.`);
      files.push(...found.sort());
    }
  }
  return files;
}

/** Workers of a shared store have only the prompts that ship; with the user's own prompts, the work is done here. */
export function sharing(services: TaskServices, own: string | undefined): TaskServices {
  if (own === undefined || !services.workers) return services;
  if (services.workers.detach)
    throw new FabulaError("E_USAGE", "Workers have only the prompts that ship with Fabula: leave --detach out.");
  const { workers, ...here } = services;
  return here;
}

export const names = (description: string) =>
  field(z.array(z.string().min(1)).exactOptional(), description, { value: "A,B" });

export async function promptsFrom(given: string | undefined) {
  return given === undefined ? shippedPrompts : ownPrompts(given);
}
