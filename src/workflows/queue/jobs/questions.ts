import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { writeJsonLines } from "../../../core/json-lines.ts";
import { ANSWER_SETTINGS, OVERLONG_RULES } from "../../../qa/choices.ts";
import { bookFilesIn } from "../../../qa/dataset/book-files.ts";
import { documentSchema } from "../../../qa/dataset/document.ts";
import { readQaDocuments } from "../../../qa/dataset/read-documents.ts";
import { answerQuestions } from "../../qa/answer.ts";
import { refineQuestions } from "../../qa/refine.ts";
import type { PieceDraft } from "../shared-runs.ts";
import { defineJob, type Place } from "./job.ts";

export const refineQuestionsJob = defineJob({
  options: z.object({ judge: z.string() }),
  data: z.object({ document: documentSchema }),
  async perform({ judge }, { document }, { folder, settings, services }) {
    const input = await documentFile(folder, document);
    const output = join(folder, "refined.jsonl");
    await refineQuestions({ input, judge, output, settings, services, onProgress: () => {} });
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
    /** The book's file as it was found, for the settings that read it. */
    text: z.object({ name: z.string(), base64: z.string() }).nullable(),
  }),
  async perform({ contextTokens, ...options }, { document, text }, { folder, settings, services }) {
    const input = await documentFile(folder, document);
    const texts = join(folder, "texts");
    await mkdir(texts);
    if (text) await writeFile(join(texts, basename(text.name)), Buffer.from(text.base64, "base64"));
    await answerQuestions({
      ...options,
      ...(contextTokens !== undefined && { contextTokens }),
      input,
      texts,
      output: join(folder, "answers.jsonl"),
      settings,
      services,
      onProgress: () => {},
    });
  },
});

async function documentFile(folder: Place["folder"], document: z.infer<typeof documentSchema>): Promise<string> {
  const file = join(folder, "documents.jsonl");
  await writeJsonLines(file, [document]);
  return file;
}

/** A book with its questions each. */
export async function* piecesOfRefinement(input: string, split: string | undefined): AsyncGenerator<PieceDraft> {
  for (const document of await readQaDocuments(input, split)) yield { label: document.title, data: { document } };
}

/** A book with its questions and, where the model reads it, its text. */
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
