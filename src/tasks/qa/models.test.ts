import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { documentSchema, type QaDocument } from "../../qa/dataset/document.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { readBook } from "../../text/read-book.ts";
import { answerQuestions } from "./answer-questions.ts";
import { reportSteps } from "./filter.ts";
import { refineQuestions } from "./refine.ts";

const BOOKS: QaDocument[] = ["salt", "tide", "well"].map((word, book) =>
  documentSchema.parse({
    document_id: `book-${word}`,
    title: `The ${word} ledger`,
    summary: `A keeper of ${word} finds a ledger in house ${book}.`,
    qas: Array.from({ length: 12 }, (_, index) => ({
      question:
        index % 3 === 0 ? `Who find the ${word} ledger number ${index}?` : `Where is the ${word} ledger ${index}?`,
      answers: [`the keper ${index}`, `in house ${index}`],
    })),
  }),
);

/**
 * An editor that corrects two slips wherever they occur, and a reader who repeats the last words of what it was
 * shown.
 */
const reply: ReplyHandler = ({ messages, schema }) => {
  const user = messages.at(-1)!.content;
  const material = [...user.matchAll(/<<<(\w+) (\w+)>>>\n([\s\S]*?)\n<<<END \1 \2>>>/g)];
  const last = material.at(-1)![3]!;
  const fields = Object.keys((schema?.properties ?? {}) as object);
  if (fields.includes("correction")) {
    const corrected = last.replace("Who find ", "Who finds ").replace(/the keper (?=[13])/, "the keeper ");
    return JSON.stringify({
      acceptable: corrected === last,
      reason: corrected === last ? "" : "a slip",
      correction: corrected,
    });
  }
  return JSON.stringify({ answer: `about ${last.slice(0, 20)}`, passages: [1] });
};

let folder: string;
let server: SimulatedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qa-models-"));
  await writeJsonLines(join(folder, "books.jsonl"), BOOKS);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function common(signal = new AbortController().signal, dryRun = false) {
  return {
    input: join(folder, "books.jsonl"),
    settings: {
      store: join(folder, "store.db"),
      command: ["qa"],
      folder,
      connections: server.connections,
      concurrency: 6,
      dryRun,
    },
    services: { signal, clock: hurriedClock, random: seededRandom(3) },
    onProgress: () => {},
  };
}

const refine = (signal?: AbortSignal, dryRun?: boolean) =>
  refineQuestions({
    ...common(signal, dryRun),
    judge: server.judge("editor"),
    output: join(folder, "refined.jsonl"),
    review: join(folder, "review.jsonl"),
    dropped: join(folder, "dropped.jsonl"),
  });
const billed = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

describe("refining through a server with faults", () => {
  const faults = {
    "rate-limit": 0.1,
    "server-error": 0.1,
    drop: 0.05,
    prose: 0.05,
    "wrong-shape": 0.05,
    truncated: 0.05,
  };

  it("leaves every correction traceable to its original, and pays for nothing twice", async () => {
    server = await createSimulatedServer({ reply, faults, seed: 5 });
    const { result } = await refine();
    expect(result.questions).toBe(36);
    expect(result.changes.questions).toBeGreaterThan(0);
    expect(result.changes.answers).toBeGreaterThan(0);
    expect(result.dropped).toBeGreaterThan(0);

    const output = await readJsonLines(join(folder, "refined.jsonl"), documentSchema);
    const originals = new Map(BOOKS.map((book) => [book.document_id, book]));
    let traced = 0;
    for (const { document_id, qas } of output) {
      for (const { question, answers, changes, is_question_modified, is_answer_modified } of qas) {
        for (const { target, answer, original, correction } of changes ?? []) {
          traced++;
          expect(answer === null ? question : answers[answer]).toBe(correction);
          const source = originals.get(document_id)!.qas;
          expect(source.some((qa) => (answer === null ? qa.question : qa.answers[answer]) === original)).toBe(true);
          expect(target === "question" ? is_question_modified : is_answer_modified[answer!]).toBe(true);
        }
      }
    }
    expect(traced).toBe(result.changes.questions + result.changes.answers);
    expect((await readFile(join(folder, "dropped.jsonl"), "utf8")).trim().split("\n")).toHaveLength(result.dropped);
    expect(await reportSteps(join(folder, "refined.jsonl"))).toMatchObject([
      { kind: "start", questions: 36 },
      { kind: "removed", reason: "double corrections", questions: -result.dropped },
      { kind: "result", questions: 36 - result.dropped },
    ]);

    // Questions whose reply could not be read are asked again in three later runs, and nothing else is.
    for (let run = 0; run < 3; run++) await refine();
    const { result: settled } = await refine();
    const paid = billed();
    const again = await refine();
    expect(again.result).toEqual(settled);
    expect(billed()).toBe(paid);
  });

  it.each(["refined.parquet", "refined.csv"])("asks nothing where the result would be JSONL named %s", async (name) => {
    server = await createSimulatedServer({ reply });
    const request = { ...common(), judge: server.judge("editor"), output: join(folder, name) };
    await expect(refineQuestions(request)).rejects.toThrow("end the file's name with .jsonl or .jsonl.gz");
    const answers = { ...common(), model: server.judge("m"), setting: "closed", passageCount: 1 } as const;
    await expect(answerQuestions({ ...answers, output: join(folder, name) })).rejects.toThrow("end the file's name");
    expect(billed()).toBe(0);
  });

  it("writes nothing when interrupted, and goes on from there", async () => {
    server = await createSimulatedServer({ reply, latency: 3 });
    const abort = new AbortController();
    const interrupted = refineQuestions({
      ...common(abort.signal),
      judge: server.judge("editor"),
      output: join(folder, "refined.jsonl"),
      onProgress: ({ done }) => done === 9 && abort.abort(new Error("enough")),
    });
    await expect(interrupted).rejects.toThrow();
    expect(existsSync(join(folder, "refined.jsonl"))).toBe(false);
    const before = billed();
    expect(before).toBeGreaterThan(10);
    const { result } = await refine();
    expect(result.unchecked).toEqual([]);
    // One call per question and one per answer, counting those before the interruption and those after it.
    expect(billed()).toBe(36 * 3);
  });

  it("counts the calls of a dry run and sends none", async () => {
    server = await createSimulatedServer({ reply });
    const { plan } = await refine(undefined, true);
    expect(plan?.calls).toBe(36 * 3);
    expect(server.exchanges).toHaveLength(0);
    expect(existsSync(join(folder, "refined.jsonl"))).toBe(false);
  });
});

describe("answering", () => {
  const answer = (changes: Partial<Parameters<typeof answerQuestions>[0]>) =>
    answerQuestions({
      ...common(),
      model: server.judge("reader"),
      setting: "closed",
      passageCount: 2,
      output: join(folder, "answers.jsonl"),
      ...changes,
    });

  async function writeTexts(): Promise<string> {
    const texts = join(folder, "texts");
    await mkdir(texts);
    const paragraph = (word: string, number: number) =>
      `${`On day ${number} the wind came over the hill and nobody spoke of it. `.repeat(8)}The ${word} ledger ${number} lay open.`;
    for (const word of ["salt", "tide"]) {
      const body = Array.from({ length: 40 }, (_, number) => paragraph(word, number)).join("\n\n");
      await writeFile(join(texts, `book-${word}.txt`), `Chapter I\n\n${body}\n`);
    }
    return texts;
  }

  it.each(["closed", "summary"] as const)("works in the %s setting and feeds the scores", async (setting) => {
    server = await createSimulatedServer({ reply });
    const { result } = await answer({ setting });
    expect(result).toMatchObject({ questions: 36, answered: 36, unanswered: {}, partlySeen: 0, meanShareSeen: null });
    const rows = await readJsonLines(join(folder, "answers.jsonl"), predictionSchema);
    expect(rows).toHaveLength(36);
    expect(rows[0]).toMatchObject({ question: BOOKS[0]!.qas[0]!.question, setting, prediction: expect.any(String) });
  });

  it("quotes the passages it looked up, word for word", async () => {
    server = await createSimulatedServer({ reply });
    const texts = await writeTexts();
    const { result } = await answer({ setting: "retrieval", texts });
    expect(result).toMatchObject({ questions: 36, answered: 24 });
    expect(Object.keys(result.unanswered)).toEqual(["the folder of texts has no file for this book"]);
    const rows = await readJsonLines(join(folder, "answers.jsonl"), predictionSchema);
    const book = await readBook(join(texts, "book-salt.txt"));
    const passages = rows[4]!.passages as {
      chapter: number;
      start: number;
      end: number;
      text: string;
      quoted: boolean;
    }[];
    expect(passages).toHaveLength(2);
    expect(passages.map(({ quoted }) => quoted)).toEqual([true, false]);
    for (const { chapter, start, end, text } of passages) {
      expect(book.chapters[chapter - 1]!.text.slice(start, end)).toBe(text);
    }
    expect(passages.some(({ text }) => text.includes("ledger 4 lay open"))).toBe(true);
  });

  it("refuses a book that does not fit whole", async () => {
    server = await createSimulatedServer({ reply });
    const texts = await writeTexts();
    const { result } = await answer({ setting: "open", texts, contextTokens: 2000 });
    expect(result.answered).toBe(0);
    // One line covers all of them, and says what to do.
    const reasons = Object.keys(result.unanswered).filter((reason) => reason.includes("fit"));
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(/does not fit into the 2000 tokens .*--overlong truncate or window/);
    expect(server.exchanges).toHaveLength(0);
    expect((await answer({ setting: "open", texts, contextTokens: 200_000 })).result.answered).toBe(24);
  });

  it.each(["truncate", "window"] as const)(
    "shows a part of a book that does not fit, and says how much: %s",
    async (overlong) => {
      const shown: string[] = [];
      server = await createSimulatedServer({
        reply: (request, random) => {
          shown.push(request.messages.at(-1)!.content);
          return reply(request, random);
        },
      });
      const texts = await writeTexts();
      const { result } = await answer({ setting: "open", texts, contextTokens: 2000, overlong });
      expect(result).toMatchObject({ answered: 24, partlySeen: 24 });
      expect(result.meanShareSeen).toBeGreaterThan(0.05);
      expect(result.meanShareSeen).toBeLessThan(0.9);
      const rows = await readJsonLines(join(folder, "answers.jsonl"), predictionSchema);
      const shares = rows.flatMap(({ prediction, seen }) => (prediction === null ? [] : [seen!]));
      expect(shares.every((share) => share > 0 && share < 1)).toBe(true);
      expect(Math.max(...shown.map((text) => estimateTokens(text)))).toBeLessThan(2000);
    },
  );

  it("asks for the texts when the setting reads them", async () => {
    server = await createSimulatedServer({ reply });
    await expect(answer({ setting: "open" })).rejects.toThrow("--texts");
  });
});
