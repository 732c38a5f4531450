import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { checkJsonLinesName, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type Answer, answerQuestion, type MaterialSource, materialOf } from "../../qa/answering.ts";
import type { AnswerSetting, OverlongRule } from "../../qa/choices.ts";
import { bookFilesIn } from "../../qa/dataset/book-files.ts";
import type { QaDocument, Question } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { mean, sum } from "../../stats/distribution.ts";

export interface AnswerRequest {
  readonly input: string;
  /** Called with the invalid lines of the data, which are left out; without it, the first of them is an error. */
  readonly onNote?: (note: string) => void;
  readonly split?: string;
  readonly model: string | ChatModel;
  readonly setting: AnswerSetting;
  /** Folder with the books' texts, for the settings that read them. */
  readonly texts?: string;
  readonly passageCount: number;
  /** How many tokens the model takes, when its provider does not say. */
  readonly contextTokens?: number;
  /** What happens to books that do not fit whole; they are refused by default. */
  readonly overlong?: OverlongRule;
  readonly output: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
  /** Called with the answers, in the order of the questions. */
  readonly onAnswered?: (answers: readonly Answer[]) => void;
  /**
   * Looks up an answer that workers have already given, by the positions of document and question; null if there is
   * none.
   */
  readonly answered?: ((document: number, question: number) => Promise<Answer | null>) | undefined;
}

export interface AnswerReport {
  readonly questions: number;
  readonly answered: number;
  /** How many questions were not answered, by reason. */
  readonly unanswered: Readonly<Record<string, number>>;
  /**
   * How many answers were given from only a part of the book, and the mean share of the book seen, over all answers
   * that read it.
   */
  readonly partlySeen: number;
  readonly meanShareSeen: number | null;
}

interface Row {
  readonly document: QaDocument;
  readonly qa: Question;
  readonly answer: Answer;
}

/** Has a model answer questions about books, one line per question, ready for `fabula qa score`. */
export async function answerQuestions(request: AnswerRequest): Promise<RunOutcome<AnswerReport>> {
  const readsTexts = request.setting === "open" || request.setting === "retrieval";
  if (readsTexts && request.texts === undefined) {
    throw new FabulaError(
      "E_USAGE",
      `The setting "${request.setting}" reads the books: give their folder with --texts.`,
    );
  }
  checkJsonLinesName(request.output);
  const documents = await readQaDocuments(request.input, request.split, request.onNote);
  const files = request.texts === undefined ? null : await bookFilesIn(request.texts);
  return inRun(request.settings, request.services, async (run) => {
    const durable = await run.model(request.model);
    const model = request.contextTokens === undefined ? durable : { ...durable, contextTokens: request.contextTokens };
    const total = sum(documents.map(({ qas }) => qas.length));
    let done = 0;

    /** Goes book by book, so that each text is read once and its questions share the provider's prompt cache. */
    async function* tasks() {
      const options = { setting: request.setting, files, passageCount: request.passageCount };
      for (const [at, document] of documents.entries()) {
        let source: MaterialSource | null = null;
        for (const [place, qa] of document.qas.entries()) {
          const known = await request.answered?.(at, place);
          source ??= known ? null : await materialOf(document, options);
          yield { document, qa, answer: async () => known ?? answerFrom(source!, document, qa) };
        }
      }
    }

    async function answerFrom(source: MaterialSource, { title }: QaDocument, { question }: Question): Promise<Answer> {
      if (source.kind === "missing") return { kind: "unanswered", reason: source.reason };
      const material = source.materialFor(question);
      const { overlong = "refuse", services } = request;
      return answerQuestion(model, { title, question, material, overlong }, services.signal);
    }

    const rows = await mapBounded(tasks(), run.concurrency, async ({ document, qa, answer }): Promise<Row> => {
      const row = { document, qa, answer: await answer() };
      request.onProgress({ stage: "answering", done: ++done, total, note: document.title });
      return row;
    });
    request.services.signal.throwIfAborted();
    request.onAnswered?.(rows.map(({ answer }) => answer));
    if (!run.dryRun)
      await writeJsonLines(
        request.output,
        rows.map((row) => toLine(row, request)),
      );
    return report(rows);
  });
}

function toLine({ document, qa, answer }: Row, { model, setting }: AnswerRequest) {
  return {
    document_id: document.document_id,
    title: document.title,
    question: qa.question,
    answers: qa.answers,
    model,
    setting,
    ...(answer.kind === "answered"
      ? {
          prediction: answer.prediction,
          ...(answer.seen !== undefined && { seen: answer.seen }),
          ...(answer.passages && { passages: answer.passages }),
        }
      : { prediction: null, unscored: answer.reason }),
  };
}

function report(rows: readonly Row[]): AnswerReport {
  const unanswered = countBy(rows.flatMap(({ answer }) => (answer.kind === "unanswered" ? [answer.reason] : [])));
  const missing = sum(Object.values(unanswered));
  const seen = rows.flatMap(({ answer }) => (answer.kind === "answered" ? (answer.seen ?? []) : []));
  return {
    questions: rows.length,
    answered: rows.length - missing,
    unanswered,
    partlySeen: seen.filter((share) => share < 1).length,
    meanShareSeen: seen.length === 0 ? null : mean(seen),
  };
}
