import { existsSync } from "node:fs";
import { z } from "zod";
import { groupBy } from "../../core/group-by.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { sum } from "../../stats/distribution.ts";
import { countQuestions, type QaDocument } from "./document.ts";

/** How many documents and questions one processing step removed, for one reason. */
export const stepSchema = z.object({
  stage: z.string(),
  /** `start` and `result` are totals; `removed` is a difference. */
  kind: z.enum(["start", "removed", "result"]),
  reason: z.string(),
  documents: z.number().int(),
  questions: z.number().int(),
});

export type Step = z.infer<typeof stepSchema>;

/** Something that was removed, with the reason. Removing a document removes its questions. */
export interface Loss {
  readonly reason: string;
  readonly documents: number;
  readonly questions: number;
}

/** The steps up to a file: those that led to its input, what was removed by reason, and what is left. */
export function stepsAfter(
  earlier: readonly Step[],
  stage: string,
  input: readonly QaDocument[],
  losses: readonly Loss[],
  output: readonly QaDocument[],
): Step[] {
  const start = earlier.length > 0 ? earlier : [total(stage, "start", "original", input)];
  const byReason = groupBy(losses, ({ reason }) => reason);
  const removed = [...byReason].map(([reason, members]) => ({
    stage,
    kind: "removed" as const,
    reason,
    documents: -sum(members.map(({ documents }) => documents)),
    questions: -sum(members.map(({ questions }) => questions)),
  }));
  return [...start, ...removed, total(stage, "result", stage, output)];
}

function total(stage: string, kind: "start" | "result", reason: string, documents: readonly QaDocument[]): Step {
  return { stage, kind, reason, documents: documents.length, questions: countQuestions(documents) };
}

/** Steps are stored beside the data: those of `books.jsonl` are in `books.jsonl.steps.jsonl`. */
export function stepsFile(dataFile: string): string {
  return `${dataFile}.steps.jsonl`;
}

export async function readSteps(dataFile: string): Promise<Step[]> {
  return existsSync(stepsFile(dataFile)) ? readJsonLines(stepsFile(dataFile), stepSchema) : [];
}

export async function writeSteps(dataFile: string, steps: readonly Step[]): Promise<void> {
  if (dataFile !== "-") await writeJsonLines(stepsFile(dataFile), steps);
}
