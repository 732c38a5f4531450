import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { canonicalJson, sha256 } from "../../src/core/hash.ts";
import { type Random, seededRandom } from "../../src/core/random.ts";
import { scored, unscored, type Verdict } from "../../src/core/verdict.ts";
import type { BookEvaluation } from "../../src/judge/evaluation.ts";
import { withHash } from "../../src/judge/settings.ts";
import { writeBookFiles } from "../../src/server/library/book-files.ts";
import { EvaluationFiles } from "../../src/server/library/evaluation-files.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { Book } from "../../src/text/book.ts";

export interface LibrarySize {
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
    ...{ words: 340, chapters: 1, found, edits: {}, corrections: [] },
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
