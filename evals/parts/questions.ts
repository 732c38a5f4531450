import { join } from "node:path";
import type { Passage } from "../../src/core/finding.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import type { ChatModel } from "../../src/models/chat-model.ts";
import type { Question } from "../../src/qa/dataset/document.ts";
import { paragraphsOf, RIGHT, type TriedAnswer, tryAnswer } from "../../src/qa/writing.ts";
import { type LeftOutQuestion, writeQuestions } from "../../src/tasks/qa/write-questions.ts";
import type { Book } from "../../src/text/book.ts";
import { readBook } from "../../src/text/read-book.ts";
import { defineEval, type Figure } from "../part.ts";
import { readExchanges, recordedModel } from "../recorded-model.ts";

/** A story of this project, a made novella and an old novel that models know. */
export const QUESTIONED: readonly string[] = ["inspector-of-weights", "cargo-unknown", "castle-of-otranto"];
const COUNT = 6;
const STORY = join(import.meta.dirname, "..", "..", "assets", "examples", "the-inspector-of-weights.md");
const RECORDED = join(import.meta.dirname, "..", "..", "test", "recorded", "questions");

interface AskedTwice extends Question {
  /** `alone` is asked where the first reader did not know the answer from the title: null where that is marked already. */
  readonly second: { readonly evidence: TriedAnswer; readonly alone: TriedAnswer | null };
}

export interface MeasuredQuestions {
  readonly asked: number;
  readonly kept: readonly AskedTwice[];
  readonly dropped: readonly LeftOutQuestion[];
  /** How many the model that wrote them answers from the title alone; they are marked. */
  readonly known: number;
  /** How many the second reader gets right from the paragraphs of the evidence, and, of those not marked, from the question with the title. */
  readonly fromEvidence: number;
  readonly fromQuestion: number;
  readonly unanswered: number;
}

/** Questions written by a played model, then answered by readers who had no part in writing them. */
export async function measureQuestions(file: string, name: string): Promise<MeasuredQuestions> {
  const book = await readBook(file);
  const writer = recordedModel(await readExchanges(join(RECORDED, `${name}.jsonl`), book));
  const reader = recordedModel(await readExchanges(join(RECORDED, `${name}.second.jsonl`), book));
  const measured = await askTwice(book, writer.model, reader.model);
  return { ...measured, unanswered: writer.unanswered.length + reader.unanswered.length };
}

export async function askTwice(book: Book, writer: ChatModel, reader: ChatModel) {
  const { signal } = new AbortController();
  const options = { count: COUNT, dryRun: false, concurrency: 8, onProgress: () => {}, signal };
  const { document, asked, dropped, known } = await writeQuestions(book, { ...options, model: writer });
  const rubric = await loadRubric("qa-grading");
  const asking = { title: book.title, model: reader, rubric };
  const kept = await Promise.all(
    document.qas.map(async (question): Promise<AskedTwice> => {
      const passages = paragraphsOf(question.evidence as readonly Passage[], book);
      const [evidence, alone] = await Promise.all([
        tryAnswer(question, { setting: "retrieval", passages }, asking, signal),
        question.known === true ? null : tryAnswer(question, { setting: "closed" }, asking, signal),
      ]);
      return { ...question, second: { evidence, alone } };
    }),
  );
  const right = (pick: (one: AskedTwice) => TriedAnswer | null) =>
    kept.filter((one) => (pick(one)?.grade ?? 0) >= RIGHT).length;
  return {
    asked,
    known,
    kept,
    dropped,
    fromEvidence: right(({ second }) => second.evidence),
    fromQuestion: right(({ second }) => second.alone),
  };
}

export default defineEval({
  id: "questions",
  title: "Questions written about three books by a strong model whose replies were recorded",
  data: {
    "questioned-novella": "cargo-unknown.original.md",
    "questioned-novel": "The Castle of Otranto, as Project Gutenberg has it",
  },
  async run(paths, onProgress) {
    const files = [STORY, paths["questioned-novella"], paths["questioned-novel"]];
    const all: MeasuredQuestions[] = [];
    for (const [at, name] of QUESTIONED.entries()) {
      onProgress({ stage: name, done: at, total: QUESTIONED.length });
      all.push(await measureQuestions(files[at]!, name));
    }
    const total = (pick: (one: MeasuredQuestions) => number) => all.reduce((sum, one) => sum + pick(one), 0);
    const kept = total((one) => one.kept.length);
    const unknown = kept - total(({ known }) => known);
    const figures: Figure[] = [
      {
        id: "questions-from-evidence",
        name: "Kept questions that a second reader answers from their evidence alone",
        value: total(({ fromEvidence }) => fromEvidence) / kept,
        interval: null,
        n: kept,
        better: "higher",
      },
      {
        id: "questions-from-nothing",
        name: "… from the title and the question alone, of those not marked as known",
        value: total(({ fromQuestion }) => fromQuestion) / unknown,
        interval: null,
        n: unknown,
        better: "lower",
      },
      {
        id: "questions-kept",
        name: "Questions that pass every check, of those asked for",
        value: kept / total(({ asked }) => asked),
        interval: null,
        n: total(({ asked }) => asked),
        better: "higher",
      },
    ];
    return figures;
  },
});
