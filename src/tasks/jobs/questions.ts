import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { Answer } from "../../qa/answering.ts";
import { ANSWER_SETTINGS, OVERLONG_RULES } from "../../qa/choices.ts";
import { bookFilesIn } from "../../qa/dataset/book-files.ts";
import { documentSchema } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import type { Refinement } from "../../qa/refinement.ts";
import { defineJob, type Place } from "../../queue/job.ts";
import type { PieceDraft } from "../../queue/shared-runs.ts";
import { answerQuestions } from "../qa/answer-questions.ts";
import { refineQuestions } from "../qa/refine.ts";
import { WorkerItems } from "./structure-reviews.ts";

export const refineQuestionsJob = defineJob({
  options: z.object({ judge: z.string() }),
  data: z.object({ document: documentSchema }),
  async perform({ judge }, { document }, { folder, settings, services }) {
    const input = await documentFile(folder, document);
    const output = join(folder, "refined.jsonl");
    const refined: Refinement[] = [];
    const onRefined = (refinements: readonly Refinement[]) => void refined.push(...refinements);
    await refineQuestions({ input, judge, output, settings, services, onRefined, onProgress: () => {} });
    return refined;
  },
});

export const answerQuestionsJob = defineJob({
  options: z.object({
    model: z.string(),
    setting: z.enum(ANSWER_SETTINGS),
    passageCount: z.number().int(),
    contextTokens: z.number().int().optional(),
    overlong: z.enum(OVERLONG_RULES).default("refuse"),
  }),
  data: z.object({
    document: documentSchema,
    /** The unchanged file of the book, for the settings that read it. */
    text: z.object({ name: z.string(), base64: z.string() }).nullable(),
  }),
  async perform({ contextTokens, ...options }, { document, text }, { folder, settings, services }) {
    const input = await documentFile(folder, document);
    const texts = join(folder, "texts");
    await mkdir(texts);
    if (text) await writeFile(join(texts, basename(text.name)), Buffer.from(text.base64, "base64"));
    const answered: Answer[] = [];
    await answerQuestions({
      ...options,
      ...(contextTokens !== undefined && { contextTokens }),
      input,
      texts,
      output: join(folder, "answers.jsonl"),
      settings,
      services,
      onProgress: () => {},
      onAnswered: (answers) => void answered.push(...answers),
    });
    return answered;
  },
});

/** The workers' answers or refinements for the questions of each document. */
export function answersOfWorkers<Made extends Answer | Refinement>(results: AsyncIterable<unknown>) {
  const made = new WorkerItems<Made>(results);
  return (document: number, question: number) => made.of(document, question);
}

async function documentFile(folder: Place["folder"], document: z.infer<typeof documentSchema>): Promise<string> {
  const file = join(folder, "documents.jsonl");
  await writeJsonLines(file, [document]);
  return file;
}

/** A book with its questions per piece. */
export async function* piecesOfRefinement(input: string, split: string | undefined): AsyncGenerator<PieceDraft> {
  for (const document of await readQaDocuments(input, split)) yield { label: document.title, data: { document } };
}

/** A book with its questions per piece, and its text if the model reads it. */
export async function* piecesOfAnswering(
  input: string,
  split: string | undefined,
  texts: string | undefined,
): AsyncGenerator<PieceDraft> {
  const files = texts === undefined ? null : await bookFilesIn(texts);
  for (const document of await readQaDocuments(input, split)) {
    const file = files?.(document) ?? null;
    const text = file && { name: basename(file), base64: (await readFile(file)).toString("base64") };
    yield { label: document.title, data: { document, text } };
  }
}
