import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { readCsv } from "../../core/table/csv-table.ts";
import type { QaDocument, Question } from "./document.ts";

const documentRow = z.object({
  document_id: z.string().min(1),
  set: z.string(),
  kind: z.string(),
  story_url: z.string().default(""),
  wiki_url: z.string().default(""),
  wiki_title: z.string().default(""),
});
const questionRow = z.object({
  document_id: z.string(),
  question: z.string().min(1),
  answer1: z.string(),
  answer2: z.string(),
});
const summaryRow = z.object({ document_id: z.string(), summary: z.string() });

/**
 * Reads NarrativeQA as its authors distribute it (documents.csv, qaps.csv, summaries.csv in one folder), in the
 * format of LiteraryQA.
 */
export async function readNarrativeQa(folder: string, split?: string): Promise<QaDocument[]> {
  const [documents, questions, summaries] = await Promise.all([
    readRows(folder, "documents.csv", documentRow),
    readRows(folder, "qaps.csv", questionRow),
    readRows(folder, "summaries.csv", summaryRow),
  ]);
  const questionsOf = groupBy(questions, ({ document_id }) => document_id);
  const summaryOf = new Map(summaries.map(({ document_id, summary }) => [document_id, summary.trim()]));
  return documents
    .filter(({ set }) => split === undefined || set === split)
    .map((row) => {
      const gutenbergId = /gutenberg\.org\/(?:ebooks|files|cache\/epub)\/(\d+)/.exec(row.story_url)?.[1];
      return {
        document_id: row.document_id,
        ...(gutenbergId && { gutenberg_id: gutenbergId }),
        split: row.set,
        kind: row.kind,
        title: row.wiki_title,
        summary: summaryOf.get(row.document_id) ?? "",
        qas: (questionsOf.get(row.document_id) ?? []).map(toQuestion),
        metadata: { text_url: row.story_url, summary_url: row.wiki_url },
      };
    });
}

function toQuestion({ question, answer1, answer2 }: z.infer<typeof questionRow>): Question {
  return { question, answers: [answer1, answer2], is_question_modified: false, is_answer_modified: [false, false] };
}

async function readRows<Row>(folder: string, file: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const path = join(folder, file);
  if (!existsSync(path)) {
    throw new FabulaError(
      "E_NARRATIVE_QA",
      `"${folder}" has no ${file}: NarrativeQA is a folder with documents.csv, qaps.csv and summaries.csv.`,
    );
  }
  const { rows } = await readCsv(path);
  return rows.map((row, index) => {
    const result = schema.safeParse(row);
    if (result.success) return result.data;
    const { path: place, message } = result.error.issues[0]!;
    throw new FabulaError(
      "E_NARRATIVE_QA",
      `Row ${index + 1} of ${file} does not fit at ${place.join(".")}: ${message}.`,
    );
  });
}
