import { join } from "node:path";
import { z } from "zod";
import type { KeptAnswer } from "../../api/letters.ts";
import { passageSchema } from "../../core/finding.ts";
import { changeJsonFile, readJsonFile } from "./json-file.ts";

const answersSchema = z.array(
  z.object({
    question: z.string(),
    judge: z.string(),
    askedAt: z.string(),
    answer: z
      .object({
        said: z.boolean(),
        isUnsupported: z.boolean(),
        answer: z.string(),
        passages: z.array(passageSchema),
        shown: z.enum(["book", "parts"]),
      })
      .nullable(),
    reason: z.string().nullable(),
  }),
) satisfies z.ZodType<KeptAnswer[]>;

const FILE = "answers.json";
const MOST = 200;

/** What was asked about a book of the library, the newest first. */
export async function readAnswers(folder: string): Promise<readonly KeptAnswer[]> {
  return (await readJsonFile(join(folder, FILE), answersSchema)) ?? [];
}

/** The same question to the same judge has one answer: the last. */
export async function keepAnswer(folder: string, given: KeptAnswer): Promise<KeptAnswer> {
  const kept = answersSchema.element.parse(given);
  await changeJsonFile(join(folder, FILE), answersSchema, (known) =>
    [kept, ...(known ?? []).filter(({ question, judge }) => question !== kept.question || judge !== kept.judge)].slice(
      0,
      MOST,
    ),
  );
  return kept;
}
