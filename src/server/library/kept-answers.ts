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

/** The same question to the same judge has one answer: the last. A failed call does not replace an earlier answer. */
export async function keepAnswer(folder: string, given: KeptAnswer): Promise<KeptAnswer> {
  const kept = answersSchema.element.parse(given);
  const isSame = ({ question, judge }: KeptAnswer) => question === kept.question && judge === kept.judge;
  await changeJsonFile(join(folder, FILE), answersSchema, (known) => {
    const earlier = known ?? [];
    if (kept.answer === null && earlier.some((each) => isSame(each) && each.answer !== null)) return earlier;
    return [kept, ...earlier.filter((each) => !isSame(each))].slice(0, MOST);
  });
  return kept;
}
