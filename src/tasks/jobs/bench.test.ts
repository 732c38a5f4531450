import { expect, it } from "vitest";
import type { ChapterScorer } from "../../bench/scoring.ts";
import { sha256 } from "../../core/hash.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { type PieceDraft, PieceSetAside } from "../../queue/shared-runs.ts";
import { judgedChapters, scorerOfWorkers, writtenByWorkers } from "./bench.ts";

const { signal } = new AbortController();
const rubric = await loadRubric("novel-bench-en");
const setAside = new PieceSetAside({ position: 1, label: "chapters 21–40", reason: "its workers ended three times" });
const scores = { plot: scored(4) };

function scorer(changes: Partial<ChapterScorer> = {}): ChapterScorer {
  return { id: "judge", version: "1", rubric, score: async () => ({}), ...changes };
}

function judged(...texts: string[]) {
  return { texts: texts.map(sha256), opinions: { judge: texts.map(() => [{ repeat: 0, scores }]) } };
}

async function* each<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

function draft(...texts: string[]): PieceDraft {
  return {
    label: "chapters",
    data: { repeats: 1, texts: texts.map((text, at) => ({ novel: "n", writer: "w", chapter: at + 1, text })) },
  };
}

function written(...texts: string[]) {
  const rows = texts.map((text, at) => ({
    novel: "n",
    writer: "w",
    chapter: at + 1,
    language: "en",
    text,
    cutOff: false,
    reason: null,
  }));
  return { written: rows, judged: judged(...texts) };
}

it("asks a model itself for what was written in a piece that was set aside, wherever that piece stands", async () => {
  const results = () => each<unknown>(written("one"), setAside, written("three"));
  const { written: rows, scorer: byWorkers } = await writtenByWorkers(results);
  expect(rows.map(({ text }) => text)).toEqual(["one", "three"]);
  const asked: string[] = [];
  const opinion = async (text: string) => {
    asked.push(text);
    return { scores: { plot: scored(2) } };
  };
  const model = byWorkers(scorer({ opinion }));
  for (const [text, score] of [
    ["one", 4],
    ["two", 2],
    ["three", 4],
  ] as const)
    expect(await model.opinion!(text, 0, signal)).toEqual({ scores: { plot: scored(score) } });
  expect(asked).toEqual(["two"]);
});

it("leaves a text of such a piece without scores where the judge is embedded, and says why", async () => {
  const { scorer: byWorkers } = await writtenByWorkers(() => each<unknown>(setAside));
  const scores = await byWorkers(scorer()).score("two", 0, signal);
  const [first] = rubric.criteria;
  expect(Object.keys(scores)).toHaveLength(rubric.criteria.length);
  expect(scores[first!.id]).toEqual(unscored("it was set aside: its workers ended three times"));
});

it("does not give the scores of one text to another when a folder changed while workers scored it", async () => {
  const results = [judged("one", "two"), judged("three")];
  const same = judgedChapters(each(draft("one", "two"), draft("three")), each<unknown>(...results));
  expect((await scorerOfWorkers(scorer(), same).opinion!("three", 0, signal)).scores).toEqual(scores);
  for (const drafts of [each(draft("two", "one"), draft("three")), each(draft("one", "two"))]) {
    const changed = scorerOfWorkers(scorer(), judgedChapters(drafts, each<unknown>(...results)));
    await expect(changed.opinion!("three", 0, signal)).rejects.toMatchObject({ code: "E_BENCH_CHANGED" });
  }
});
