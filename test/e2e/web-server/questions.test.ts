import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { QuestionPage, QuestionResult, QuestionRun, QuestionSet, SystemPair } from "../../../src/api/questions.ts";
import { randomInteger, seededRandom } from "../../../src/core/random.ts";
import { mean } from "../../../src/stats/distribution.ts";
import { problem } from "../../support/library-requests.ts";
import { runFabula } from "../run-fabula.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

/** Answers of several systems: some are missing, some questions come twice or have no grade, and not every system was asked all. */
function answersOf(system: string, seed: number): object[] {
  const random = seededRandom(seed);
  const word = () => ["ship", "king", "house", "river", "letter"][randomInteger(random, 5)]!;
  return Array.from({ length: 60 }, (_, at) => ({
    document_id: `book-${at % 7}`,
    question: `What of ${at === 59 ? 38 : at}?`,
    answers: [`the ${["ship", "king", "house"][at % 3]}`, "a long letter"],
    model: system,
    ...(at % 2 === 0 && { setting: "closed" }),
    ...(at % 5 === 0 ? { prediction: null, unscored: "The model refused." } : { prediction: `${word()} ${word()}` }),
    ...(at % 3 !== 0 && {
      scores: { "judge-reference": at % 4 === 0 ? { kind: "unscored", reason: "no grade" } : 1 + (at % 5) },
    }),
  })).slice(seed % 4);
}

interface Comparison {
  readonly systems: QuestionRun["systems"];
  readonly differences: readonly (SystemPair & { readonly metric: string })[];
}

const content = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join("\n");

async function runOf(systems: readonly string[]): Promise<{ readonly id: string; readonly paths: readonly string[] }> {
  let id = "";
  const paths: string[] = [];
  for (const [at, system] of systems.entries()) {
    const lines = answersOf(system, at);
    ({ id } = await add(at === 0 ? "/api/questions" : `/api/questions/${id}/files`, `${system}.jsonl`, lines));
    paths.push(join(library.folder, `${system}-answers.jsonl`));
    await writeFile(paths.at(-1)!, content(lines));
  }
  return { id, paths };
}

async function add(path: string, name: string, lines: readonly object[]): Promise<QuestionResult> {
  const added = await library.server.upload(path, { name, content: content(lines) });
  return (await added.json()) as QuestionResult;
}

describe("questions", () => {
  it("scores answers to questions and keeps the result", async () => {
    const lines = [
      { prediction: "the blue whale", answers: ["a blue whale", "whale"] },
      { prediction: "nobody", answers: ["Ishmael"] },
    ];
    const content = lines.map((line) => JSON.stringify(line)).join("\n");
    const response = await library.server.upload("/api/questions", { name: "answers.jsonl", content });
    const result = (await response.json()) as QuestionResult;
    expect(result).toMatchObject({ name: "answers.jsonl", items: 2 });
    expect(result.metrics.find(({ id }) => id === "em")?.mean).toBe(0.5);
    expect(await library.server.json<QuestionResult[]>("/api/questions")).toEqual([result]);
    expect(await problem(library.server.upload("/api/questions", { name: "x.jsonl", content: "{" }))).toMatchObject({
      code: "E_JSONL_LINE",
      message: expect.stringContaining("x.jsonl"),
    });
  });

  it("compares systems as plain arithmetic on their stored answers does, and as the command on their files", async () => {
    const { id, paths } = await runOf(["ada", "ben", "cleo", "dan"]);
    const run = await library.server.json<QuestionRun>(`/api/questions/${id}`);
    expect(run).toMatchObject({ over: "books", books: 7, hasSummaries: false });
    const { items } = await library.server.json<QuestionPage>(`/api/questions/${id}/items?limit=200`);
    const scoresOf = (system: string, metric: string) =>
      items.flatMap(({ answers }, question) =>
        answers
          .filter((answer) => answer.system === system)
          .flatMap(({ answer, scores }, time) =>
            answer === null || scores[metric] === undefined
              ? []
              : [{ place: `${question} ${time}`, score: scores[metric] }],
          ),
      );
    const { stdout } = await runFabula(["qa", "score", ...paths, "--json"]);
    const { comparison } = JSON.parse(stdout) as { comparison: Comparison };
    expect(run.systems).toEqual(comparison.systems);
    expect(run.metrics.length).toBe(7);
    for (const metric of run.metrics) {
      for (const { system, metrics } of run.systems) {
        const scores = scoresOf(system, metric).map(({ score }) => score);
        expect(metrics[metric]).toMatchObject({ n: scores.length, mean: expect.closeTo(mean(scores), 12) });
      }
      const pairs = await library.server.json<SystemPair[]>(`/api/questions/${id}/differences?metric=${metric}`);
      expect(pairs).toHaveLength(28);
      expect(pairs.map((pair) => ({ metric, ...pair }))).toEqual(
        comparison.differences.filter((one) => one.metric === metric),
      );
      for (const { left, right, n, difference } of pairs) {
        const other = new Map(scoresOf(right, metric).map(({ place, score }) => [place, score]));
        const both = scoresOf(left, metric).filter(({ place }) => other.has(place));
        const differences = both.map(({ place, score }) => score - other.get(place)!);
        expect({ n, difference }).toEqual({ n: both.length, difference: expect.closeTo(mean(differences), 12) });
      }
    }
  });

  it("never shows a comparison of fewer files than the run has", async () => {
    const { id } = await runOf(["ada"]);
    const systems = async () => (await library.server.json<QuestionRun>(`/api/questions/${id}`)).systems.length;
    expect(await systems()).toBe(2);
    const kept = join(library.folder, "fabula", "library", "questions", id, "comparison.json");
    const before = await readFile(kept);
    await add(`/api/questions/${id}/files`, "ben.jsonl", answersOf("ben", 1));
    // As one does that was being made while the file was added, and ends after it.
    await writeFile(kept, before);
    expect(await systems()).toBe(4);
  });

  it("keeps every file of those that are added at the same moment", async () => {
    const { id } = await runOf(["ada"]);
    const others = ["ben", "cleo", "dan"];
    const path = `/api/questions/${id}/files`;
    await Promise.all(others.map((name, at) => add(path, `${name}.jsonl`, answersOf(name, at + 1))));
    expect((await library.server.json<QuestionRun>(`/api/questions/${id}`)).systems).toHaveLength(8);
    const [known] = await library.server.json<QuestionResult[]>("/api/questions");
    expect(known?.systems).toHaveLength(8);
  });

  it("shows what a step found as soon as it shows that no step is running", async () => {
    const { server } = library;
    const body = content(
      Array.from({ length: 40 }, (_, at) => ({
        document_id: `book-${at}`,
        title: `Book ${at}`,
        summary: "A short one.",
        kind: "book",
        qas: [{ question: `Who opened door ${at}?`, answers: ["the keeper"] }],
      })),
    );
    const loaded = await server.upload("/api/question-sets", { name: "set.jsonl", content: body });
    const { id } = (await loaded.json()) as QuestionSet;
    for (const step of ["filter", "dedupe", "filter"]) {
      await server.send("POST", `/api/question-sets/${id}/steps`, { step, judge: null, maximumCost: null });
      // One request after another is under way, so that some are while the step ends.
      const asks = Array.from({ length: 4 }, async () => {
        for (;;) {
          const set = await server.json<QuestionSet>(`/api/question-sets/${id}`);
          if (set.work === null) return set;
        }
      });
      const ended = await Promise.all(asks);
      const isDone = ended.map(({ steps }) => steps.find((one) => one.step === step)?.isDone);
      expect(new Set(isDone)).toEqual(new Set([true]));
    }
  });
});
