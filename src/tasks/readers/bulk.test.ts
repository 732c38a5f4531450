import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hundredths } from "../../cli/output/reader-wording.ts";
import { deviationOf, preferenceBetween } from "../../reader/predictor/rank-stories.ts";
import { storySchema } from "../../reader/predictor/story.ts";
import { preferenceSchema } from "../../reader/profile/past-comparison.ts";
import { readerProfileSchema } from "../../reader/profile/reader-profile.ts";
import { createSimulatedServer } from "../../testing/index.ts";
import { compareEmbedded } from "./compare.ts";
import { comparePairs } from "./compare-pairs.ts";
import { comparisonAgreement } from "./comparison-agreement.ts";
import { historyCurve } from "./history-curve.ts";
import { predictRatings } from "./predict.ts";
import { rankBooks, rankBooksByJudge } from "./rank.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-bulk-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = () => ({
  temperature: 0,
  settings: { store: join(folder, "calls.db"), command: ["reader"], folder, connections: {} },
  services: { signal: new AbortController().signal },
  onProgress: () => {},
});
async function file(name: string, rows: readonly unknown[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  return path;
}
const past = (rating: number) => ({ title: `Past ${rating}`, genres: ["Fantasy"], rating, review: "Words." });

describe("many choices between two stories", () => {
  it("are made offline by the predicted ratings, and held against what readers preferred", async () => {
    const [good, bad] = [
      { title: "Good", average_rating: 4.6 },
      { title: "Bad", average_rating: 2.9 },
    ];
    const line = (id: number, left: object, right: object, preferred: unknown) => ({
      id,
      left,
      right,
      preferred,
      history: [past(4), past(3)],
      comparisons: [{ left: bad, right: good, preferred: { overall: "left" } }],
    });
    const input = await file("choices.jsonl", [
      line(1, good, bad, { overall: "left", ending: "right" }),
      line(2, bad, good, "right"),
      line(3, good, bad, "right"),
      line(4, good, good, "tie"),
    ]);
    const output = join(folder, "chosen.jsonl");
    const request = { ...run(), input, output, judge: "embedded", count: 1, withWords: true, runs: 1, probe: false };
    const { result } = await comparePairs(request);
    const overall = result.aspects.find(({ aspect }) => aspect === "overall")!;
    expect(overall.judge).toMatchObject({ value: 2 / 3, of: 3, ties: 0, leftOut: 1 });
    expect(overall.lastChoice).toMatchObject({ value: 1 / 3, of: 3 });
    const lines = (await readFile(output, "utf8"))
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(lines.map(({ chosen }) => chosen.overall)).toEqual(["left", "right", "left", "tie"]);
  });

  it("are not made by the predictor where nothing is known of a story", async () => {
    const line = { id: 1, left: { title: "Good", average_rating: 4.6 }, right: { title: "Untold" }, preferred: "left" };
    const input = await file("untold.jsonl", [{ ...line, history: [past(4), past(3)] }]);
    const request = { ...run(), input, output: join(folder, "untold-chosen.jsonl"), judge: "embedded" };
    const { result } = await comparePairs({ ...request, count: 1, withWords: true, runs: 1, probe: false });
    expect(result).toMatchObject({ answered: 0, embedded: { value: null, of: 0 } });
    const profile = readerProfileSchema.parse({ name: "Anna", reviews: [past(4)] });
    const [known, untold] = [line.left, line.right].map((story) => storySchema.parse(story));
    expect(compareEmbedded(profile, known!, untold!).preference).toBeNull();
  });

  it("say how often readers give both the same number of stars", () => {
    const predicted = (rating: number, distribution: readonly number[]) => ({
      ...{
        kind: "predicted" as const,
        rating,
        distribution,
        interval: [rating - 0.7, rating + 0.7] as const,
        start: 4,
      },
      ...{ why: [], because: null, descriptionTrust: 1, notes: [] },
    });
    const found = preferenceBetween(predicted(4.5, [0, 0, 0, 0.5, 0.5]), predicted(3.5, [0, 0, 0.5, 0.5, 0]));
    expect(found.preferred).toBe("left");
    expect(found.chanceLeft).toBeCloseTo(0.75, 9);
    expect(found.chanceEqual).toBeCloseTo(0.25, 9);
    expect(found.chanceRight).toBeCloseTo(0, 9);
  });

  it("count a pull towards the one story that the judge knows", () => {
    const pair = (truth: "left" | "right") => ({
      chosen: { overall: "left" as const },
      truth: { overall: truth },
      before: {},
      embedded: null,
      consistent: {},
      positionBias: null,
      known: { left: true, right: false },
    });
    const { knownBias } = comparisonAgreement([pair("left"), pair("right")], ["overall"]);
    expect(knownBias).toEqual({ pairs: 2, favoured: 1, truth: 0.5, bias: 0.5 });
    const tied = { ...pair("left"), chosen: { overall: "tie" as const } };
    expect(comparisonAgreement([pair("left"), tied, tied], ["overall"]).aspects[0]!.judge).toMatchObject({
      ...{ value: 2 / 3, of: 3, ties: 2, leftOut: 0 },
    });
  });
});

describe("the names of aspects", () => {
  const read = (preferred: unknown) => preferenceSchema.safeParse(preferred);

  it("are read in the ways people write them", () => {
    for (const name of ["character development", "Character_Development", "characterDevelopment"])
      expect(read({ [name]: "left" }).data).toEqual({ "character-development": "left" });
    expect(read("tie").data).toEqual({ overall: "tie" });
  });

  it("are refused where they are none, with those that there are", () => {
    expect(read({ endng: "left" }).error?.issues[0]?.message).toMatch(
      /"endng" is not an aspect.*surprise.*ending, overall/,
    );
  });
});

describe("chances in hundredths", () => {
  it("add up to a hundred", () => {
    expect(hundredths([0.335, 0.335, 0.33])).toEqual([34, 33, 33]);
    expect(hundredths([0.005, 0.005, 0.99])).toEqual([1, 0, 99]);
  });
});

describe("an empty file of pairs", () => {
  it("is refused by everything that reads one", async () => {
    const request = { ...run(), input: await file("empty.jsonl", []), output: join(folder, "none.jsonl") };
    await expect(predictRatings(request)).rejects.toThrow(/holds no lines/);
    const choices = { ...request, judge: "embedded", count: 1, withWords: true, runs: 1, probe: false };
    await expect(comparePairs(choices)).rejects.toThrow(/holds no lines/);
  });
});

describe("the curve over the length of the history", () => {
  it("uses the same lines for every length, the same reviews for every predictor, and intervals over readers and books", async () => {
    const rows = Array.from({ length: 24 }, (_, id) => {
      const level = 1 + (id % 5);
      const history = [level, level, Math.min(5, level + 1)].map(past);
      return { id, reader: `r${id % 12}`, history, query: { book: `b${id % 8}`, genres: ["Fantasy"] }, rating: level };
    });
    const input = await file("curve.jsonl", [...rows, { id: "thin", history: [past(3)], query: {}, rating: 3 }]);
    const { result } = await historyCurve({ ...run(), input, judge: "embedded", longest: 3, orders: 3 });
    expect(result).toMatchObject({ lines: 24, leftOut: 1, readers: 12, books: 8, missing: {} });
    expect(result.points.map(({ length }) => length)).toEqual([1, 2, 3]);
    const [judge, mean] = result.points[2]!.series;
    expect([judge!.name, mean!.name]).toEqual(["judge", "mean"]);
    expect(mean!.pearson.value).toBeGreaterThan(0.95);
    expect(judge!.kendall.interval![0]).toBeLessThanOrEqual(judge!.kendall.value!);
    // The embedded predictor adds votes, so their order cannot matter, and it reports no spread over orders.
    expect(result.points[2]!.orders).toMatchObject({ kendall: [expect.any(Number)], standardDeviation: null });
    const stars = { shortest: 0, longest: 1, withWords: false };
    const bare = await historyCurve({ ...run(), input, judge: "embedded", orders: 1, ...stars });
    // Without a history there is no mean. For a story with a description, the predictor gives what readers in general
    // give.
    expect(bare.result.points.map(({ length, series }) => [length, series[0]!.lines, series[1]!.lines])).toEqual([
      [0, 24, 0],
      [1, 25, 25],
    ]);
    await expect(historyCurve({ ...run(), input, judge: "embedded", longest: 9, orders: 1 })).rejects.toThrow(
      /smaller --longest/,
    );
  });

  it("stops when it is asked to, offline too", async () => {
    const rows = Array.from({ length: 40 }, (_, id) => ({ id, history: [3, 4].map(past), query: {}, rating: 4 }));
    const input = await file("stopped.jsonl", rows);
    const asked = new AbortController();
    let done = 0;
    const stopped = historyCurve({
      ...run(),
      input,
      judge: "embedded",
      longest: 2,
      orders: 1,
      services: { signal: asked.signal },
      onProgress: () => {
        // Noticed between two turns of the event loop, like a signal of the system.
        if (++done === 1) setImmediate(() => asked.abort(new Error("Interrupted.")));
      },
    });
    await expect(stopped).rejects.toThrow("Interrupted");
    expect(done).toBeLessThan(2 * rows.length);
  });
});

describe("ranking the books of a folder", () => {
  it("puts books that cannot be told apart on one rank, and takes a description from beside a book", async () => {
    const books = await mkdtemp(join(folder, "books-"));
    const write = (name: string, story: object) => writeFile(join(books, name), JSON.stringify(story));
    await write("loved.json", { title: "Loved", genres: ["Fantasy"], average_rating: 4.7 });
    await write("liked.json", { title: "Liked", genres: ["Fantasy"], average_rating: 4.6 });
    await write("poor.json", { title: "Poor", genres: ["Fantasy"], average_rating: 2.5 });
    await writeFile(join(books, "novel.txt"), `Chapter 1\n\n${"He walked to the town and bought bread. ".repeat(80)}`);
    await write("novel.json", { title: "Novel", genres: ["Fantasy"], average_rating: 4.65 });
    const profile = readerProfileSchema.parse({ name: "Anna", reviews: [past(4), past(5), past(3)] });
    const { ranked, unranked } = await rankBooks(books, profile);
    expect(unranked).toEqual([]);
    expect(ranked.map(({ item, rank }) => [item.title, rank])).toEqual([
      ["Loved", 1],
      ["Novel", 1],
      ["Liked", 1],
      ["Poor", 4],
    ]);
    await expect(rankBooks(join(folder, "nowhere"), profile)).rejects.toThrow(/not a folder/);
  });

  it("does not tell books apart because the end of the scale cuts their intervals short", () => {
    const inside = deviationOf({ rating: 3.9, interval: [2.9, 4.9] });
    expect(deviationOf({ rating: 4.9, interval: [3.9, 5] })).toBeCloseTo(inside, 9);
  });

  it("asks a language model about each book in several orders, and puts on one rank what those mix up", async () => {
    const books = await mkdtemp(join(folder, "judged-"));
    for (const title of ["Harbour", "Lantern", "Drought"])
      await writeFile(join(books, `${title}.json`), JSON.stringify({ title, premise: `A novel called ${title}.` }));
    const liked = { Harbour: [8, 9, 8.5], Lantern: [8.5, 8, 9], Drought: [3, 2, 2.5] };
    const asked = new Map<string, number>();
    const judge = await createSimulatedServer({
      reply: ({ messages }) => {
        const text = messages.map(({ content }) => content).join("\n");
        const title = Object.keys(liked).find((name) => text.includes(`called ${name}`)) as keyof typeof liked;
        const time = asked.get(title) ?? 0;
        asked.set(title, time + 1);
        const score = liked[title][time];
        return JSON.stringify({ review: `Of ${title}.`, score });
      },
    });
    const profile = readerProfileSchema.parse({ name: "Anna", reviews: [past(4), past(5), past(3)] });
    const { result } = await rankBooksByJudge({
      ...run(),
      books,
      profile,
      judge: judge.judge("reader"),
      count: 3,
      orders: 3,
      scale: 10,
      withWords: true,
      temperature: 0.8,
    });
    await judge.close();
    expect(result.ranked.map(({ item, rank, rating }) => [item.title, rank, rating])).toEqual([
      ["Harbour", 1, 8.5],
      ["Lantern", 1, 8.5],
      ["Drought", 3, 2.5],
    ]);
    expect(result.ranked[2]).toMatchObject({ scores: [3, 2, 2.5], review: "Of Drought." });
    expect(result.unranked).toEqual([]);
  });
});
