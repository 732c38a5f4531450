import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { canonicalJson, sha256 } from "../../src/core/hash.ts";
import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { scored, unscored, type Verdict } from "../../src/core/verdict.ts";
import type { Field } from "../../src/forecast/forecast-input.ts";
import { readForecastModel, shippedForecastFolder } from "../../src/forecast/forecast-model.ts";
import type { BookEvaluation } from "../../src/judge/evaluation.ts";
import { withHash } from "../../src/judge/settings.ts";
import { writeBookFiles } from "../../src/server/library/book-files.ts";
import { EvaluationFiles } from "../../src/server/library/evaluation-files.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Book } from "../../src/text/book.ts";
import { signatureOf } from "../../src/text/near-duplicates.ts";

const WORDS =
  "the a of and to in that it was she he for with on at by from as they were his her had not but all one this there when which would said out up into down over like then them back river harbour clerk ledger morning window letter winter stone quiet town light hand door water night brother keeper lamp weight scale island voice table paper island boat rain salt field road horse market bell".split(
    " ",
  );

/** A novel of no merit but of the right size: chapters of so many words, the same for the same seed. */
export function madeNovel(chapters: number, wordsPerChapter: number, seed = 1): string {
  const random = seededRandom(seed);
  const sentence = () => {
    const words = Array.from(
      { length: 8 + randomInteger(random, 14) },
      () => WORDS[randomInteger(random, WORDS.length)]!,
    );
    const text = words.join(" ");
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  const chapter = (index: number) => {
    const paragraphs: string[] = [];
    let count = 0;
    while (count < wordsPerChapter) {
      const paragraph = Array.from({ length: 3 + randomInteger(random, 5) }, sentence).join(" ");
      count += paragraph.split(" ").length;
      paragraphs.push(paragraph);
    }
    return `## Chapter ${index}\n\n${paragraphs.join("\n\n")}`;
  };
  return `# A Made Novel\n\n${Array.from({ length: chapters }, (_, at) => chapter(at + 1)).join("\n\n")}\n`;
}

const PLACES = ["the harbour", "the mill", "the ledger room", "the lighthouse", "the market", "the island"];
const QUESTIONS_PER_BOOK = 25;

/** Books that nobody wrote with questions that nobody asked, one JSON object per line: as many calls as questions. */
export function madeQuestions(count: number): string {
  const books = Math.ceil(count / QUESTIONS_PER_BOOK);
  return Array.from({ length: books }, (_, book) => {
    const questions = Math.min(QUESTIONS_PER_BOOK, count - book * QUESTIONS_PER_BOOK);
    return `${JSON.stringify({
      document_id: `book-${book}`,
      title: `The Book of Number ${book}`,
      summary: "",
      qas: Array.from({ length: questions }, (_question, index) => ({
        question: `Who waits at ${PLACES[index % PLACES.length]} in chapter ${index + 1}?`,
        answers: ["nobody"],
      })),
    })}\n`;
  }).join("");
}

/** The words that have a model answer them. */
export function answering(out: string, model: string): string[] {
  return ["qa", "answer", "--in", "questions.jsonl", "--setting", "closed", "--out", out, "--model", model];
}

/**
 * Made-up descriptions of the size that rated collections have: a premise of 150 words, a plot summary of 350 and characters of
 * 250, in words that the forecast knows. No two are alike.
 */
export function storyMaker(random: Random) {
  const terms = new Map(
    readForecastModel(shippedForecastFolder()).fields.map(({ encoder }) => [
      encoder.field,
      encoder.kind === "terms" ? encoder.terms : [],
    ]),
  );
  const draw = (field: Field, length: number) =>
    Array.from({ length }, () => terms.get(field)![randomInteger(random, terms.get(field)!.length)]!);
  return () => ({
    title: draw("title", 3).join(" "),
    genres: draw("genres", 5),
    premise: draw("premise", 150).join(" "),
    words: 60_000 + randomInteger(random, 60_000),
    plot_summary: draw("plot_summary", 350).join(" "),
    characters: draw("characters", 250).join(" "),
  });
}

interface LibrarySize {
  readonly books: number;
  readonly judges: number;
  readonly calls: number;
}

const ASPECTS = ["plot", "characters", "writing", "world", "themes", "emotion", "enjoyment", "expectation"];
const SENTENCE = "They were green to the seventh, and below the seventh they were only a guess.";
const UNSCORED_SHARE = 0.03;

/** A library of books that several judges scored, each evaluation with its run of calls in the store: made, not judged. */
export async function makeLibrary(library: string, store: string, size: LibrarySize): Promise<void> {
  const random = seededRandom(1);
  const calls = await openStore(store);
  const files = await EvaluationFiles.open(join(library, "evaluations"), systemClock);
  const perEvaluation = Math.max(1, Math.round((0.8 * size.calls) / (size.books * size.judges)));
  const perLongRun = Math.round(0.1 * size.calls);
  for (let at = 0; at < size.books; at++) {
    const id = sha256(`book ${at}`).slice(0, 16);
    const book = await addBook(join(library, "books", id), id, at);
    const level = 40 + 40 * random();
    for (let judge = 0; judge < size.judges; judge++) {
      const name = `judge-${judge + 1}@http://127.0.0.1:9/v1`;
      const run = `20260101-000000-b${at}j${judge}`;
      const evaluation = evaluationBy(name, run, book, perEvaluation, () => verdictNear(level, random));
      await addCalls(calls, run, name, evaluation, perEvaluation);
      await files.add(id, evaluation);
    }
  }
  for (const run of LONG_RUNS) await addLongRun(calls, run, perLongRun);
  await calls.close();
}

/** Two runs of a tenth of all calls each, asked the same prompts. */
export const LONG_RUNS = ["20260201-000000-long", "20260202-000000-long"] as const;

async function addLongRun(store: Store, run: string, calls: number): Promise<void> {
  const evaluation = evaluationBy("judge-1@http://127.0.0.1:9/v1", run, NO_BOOK, 1, () => scored(50));
  await addCalls(store, run, evaluation.judge, evaluation, calls, "the same");
}

const NO_BOOK: Book = {
  ...{ title: "None", author: null, language: "en", genres: [], premise: null, words: 0, removed: [], warnings: [] },
  chapters: [{ index: 1, title: "One", text: SENTENCE, words: 16 }],
  source: { file: "none.md", format: "markdown", encoding: "utf-8", bytes: 0, sha256: "" },
};

async function addBook(folder: string, id: string, at: number): Promise<Book> {
  const title = `The Book Number ${at + 1}`;
  const text = `Chapter and verse. ${SENTENCE} ${"It rained on the slip and on the sea. ".repeat(40)}`;
  const found = { title, author: null, language: "en", genres: [], premise: null };
  const book: Book = {
    ...{ ...found, words: 340, removed: [], warnings: [] },
    chapters: [{ index: 1, title: "One", text, words: 340 }],
    source: { file: `${at}.md`, format: "markdown", encoding: "utf-8", bytes: text.length, sha256: sha256(text) },
  };
  const addedAt = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
  await writeBookFiles(folder, book, {
    ...{ id, addedAt, file: `${at}.md`, format: "markdown", encoding: "utf-8", bytes: text.length },
    ...{ words: 340, chapters: 1, found, edits: {}, corrections: [], signature: [...signatureOf(text)] },
  });
  return book;
}

function verdictNear(level: number, random: Random): Verdict {
  if (random() < UNSCORED_SHARE) return unscored("the model refused");
  const score = Math.min(95, Math.max(5, level + 30 * (random() - 0.5)));
  return scored(score, [score - 4 * random(), score + 4 * random()]);
}

function evaluationBy(judge: string, run: string, book: Book, calls: number, verdict: () => Verdict): BookEvaluation {
  const start = book.chapters[0]!.text.indexOf(SENTENCE);
  const found = {
    chapter: 1,
    quote: SENTENCE,
    start,
    end: start + SENTENCE.length,
    found: true,
    similarity: 1,
  } as const;
  const support = { scored: calls, segments: calls };
  return {
    book: { ...book, file: book.source.file, chapters: [{ index: 1, title: "One", words: 340 }], warnings: [] },
    ...{ judge, method: "aggregate", rubric: { id: "long-story", version: 1 }, runs: 1, run },
    scale: { minimum: 0, maximum: 100 },
    settings: withHash({
      ...{ judges: [judge], method: "aggregate", protocol: "rubric", aspects: ASPECTS, definitions: true },
      ...{ rubric: { id: "long-story", version: 1, hash: "made" }, language: "en", temperature: 0.7, summariser: null },
      ...{ chapterSummaries: false, segmentWords: 4096, runs: 1, untilHalfWidth: null, prompts: {} },
    }),
    ...{ overall: verdict(), support, overallPercentile: null, overallCourse: [], population: null },
    aspects: ASPECTS.map((id) => ({
      ...{ id, name: id, verdict: verdict(), support, percentile: null, weaknesses: [], course: [] },
      strengths: [{ text: "The steps are seen.", evidence: [0] }],
      evidence: [{ ...found, match: "exact" as const }],
    })),
    coverage: { words: 340, judgedWords: 340, share: 1, skipped: [] },
    ...{ calls, cost: calls * 0.001, notes: [] },
  };
}

async function addCalls(
  store: Store,
  runId: string,
  model: string,
  evaluation: BookEvaluation,
  count: number,
  subject = runId,
) {
  const at = "2026-01-01T00:00:00.000Z";
  await store.createRun({
    ...{ id: runId, command: ["evaluate"], folder: "/books", status: "done", note: null, maximumCost: null },
    ...{ startedAt: at, worker: "host:1", seenAt: at, finishedAt: at },
  });
  const remark = { point: "The steps are seen.", quotes: [{ chapter: 1, text: SENTENCE }] };
  const scoreOf = (verdict: Verdict) => (verdict.kind === "scored" ? verdict.score : null);
  const text = JSON.stringify({
    aspects: Object.fromEntries(
      evaluation.aspects.map(({ id, verdict }) => [
        id,
        { strengths: [remark], weaknesses: [], score: scoreOf(verdict) },
      ]),
    ),
    ...{ assessment: "Seen.", overall: scoreOf(evaluation.overall) },
  });
  await Promise.all(
    Array.from({ length: count }, (_, position) => {
      const key = sha256(`${runId} ${position}`);
      const content = `Segment ${position} of ${subject}. ${"It rained on the slip and on the sea. ".repeat(20)}`;
      const request = canonicalJson({ messages: [{ role: "user", content }], schema: { name: "evaluation" } });
      const tokens = { inputTokens: 5000, outputTokens: 400 };
      return store.recordAnswer(
        {
          ...{
            key,
            model,
            purpose: "judge",
            sample: 0,
            requestHash: sha256(request),
            text,
            reasoning: null,
            stop: "stop",
          },
          ...{ servedBy: "made", ...tokens, cachedInputTokens: 0, reasoningTokens: 0, cost: 0.001 },
          ...{ latencyMilliseconds: 900, attempts: 1, answeredAt: at },
        },
        request,
        {
          runId,
          key,
          outcome: "asked",
          model,
          purpose: "judge",
          cost: 0.001,
          ...tokens,
          reason: null,
          requestHash: null,
          at,
        },
      );
    }),
  );
}
