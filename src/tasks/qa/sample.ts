import { basename } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { badLinesInWords, readFittingLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { documentFinder } from "../../qa/dataset/find-document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { stratifiedSample } from "../../qa/rating.ts";
import { systemsIn } from "../../qa/scoring/answer-sheet.ts";
import { type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";

export interface SampleRequest {
  /** Files of answers, by one or more systems. */
  readonly inputs: readonly string[];
  /** How many questions. */
  readonly count: number;
  readonly seed: number;
  /** Books with their questions and summaries, for the books of the answers and for raters who see the summary. */
  readonly data?: string;
  readonly output: string;
  /** Called with the invalid lines of the answers, which are left out. */
  readonly onNote?: (note: string) => void;
}

export interface SampleReport {
  readonly questions: number;
  readonly ofQuestions: number;
  readonly books: number;
  readonly systems: number;
  readonly answers: number;
  /** Sampled answers without a summary, which cannot be rated in the summary setting. */
  readonly withoutSummary: number;
}

/** Samples questions from each book in proportion, with the answers of all systems to them. */
export async function sampleAnswers(request: SampleRequest): Promise<SampleReport> {
  const documentOf = request.data === undefined ? null : documentFinder(await readQaDocuments(request.data));
  const files = await Promise.all(
    request.inputs.map(async (input) => {
      const { rows: predictions, bad } = await readFittingLines(input, predictionSchema);
      if (bad.length > 0) request.onNote?.(badLinesInWords(bad, input));
      return { name: basename(input).replace(/\.jsonl?(\.gz)?$/, ""), predictions };
    }),
  );
  const byQuestion = new Map<string, Prediction[]>();
  const systems = systemsIn(files);
  for (const { file, rows, system } of systems) {
    const seen = new Map<string, number>();
    for (const index of rows) {
      const row = file.predictions[index]!;
      const document = documentOf?.(row);
      const known = document && { document_id: document.document_id, title: document.title, summary: document.summary };
      const key = JSON.stringify([row.document_id, row.question, row.answers]);
      const time = (seen.get(key) ?? 0) + 1;
      seen.set(key, time);
      const own = byQuestion.get(`${time} ${key}`) ?? [];
      own.push({ ...row, system, ...known });
      byQuestion.set(`${time} ${key}`, own);
    }
  }
  const questions = [...byQuestion.values()];
  if (questions.length === 0) throw new FabulaError("E_QA_EMPTY", "These files hold no answers to draw from.");
  const books = questions.map(([first]) => first!.document_id ?? first!.title ?? null);
  const drawn = stratifiedSample(books, request.count, seededRandom(request.seed));
  const answers = drawn.flatMap((position) => questions[position]!);
  await writeJsonLines(request.output, answers);
  return {
    questions: drawn.length,
    ofQuestions: questions.length,
    books: new Set(drawn.map((position) => books[position])).size,
    systems: systems.length,
    answers: answers.length,
    withoutSummary: answers.filter(({ summary }) => typeof summary !== "string" || summary.trim() === "").length,
  };
}
