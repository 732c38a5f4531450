import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { buildReaderDataset } from "./dataset.ts";

/** Changes one name, and retells a plot in its own words. */
const reply: ReplyHandler = ({ messages, schema }) => {
  const fields = Object.keys((schema?.properties ?? {}) as object);
  if (fields.includes("names")) return JSON.stringify({ names: [{ from: "Ines", to: "Marta", kind: "character" }] });
  const plot = /<<<plot (\w+)>>>\n([\s\S]*?)\n<<<END/.exec(messages.at(-1)!.content)![2]!;
  return JSON.stringify({ summary: `Retold: ${plot.slice(0, 80)}` });
};

let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-tuning-"));
  server = await createSimulatedServer({ reply });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const run = () => ({
  settings: { store: join(folder, "calls.db"), command: ["reader"], folder, connections: server.connections },
  services: { signal: new AbortController().signal },
});

describe("building a tuning set", () => {
  const stories = Array.from({ length: 8 }, (_, index) => ({
    id: `s${index}`,
    title: `Title ${index}`,
    author: "Nora Vale",
    genres: ["Fantasy"],
    plot_summary: `Ines sails for island ${index}. On the way Ines meets Ines of the north, and they come home.`,
  }));
  const reviews = Array.from({ length: 12 }, (_, reader) =>
    stories.slice(0, reader < 2 ? 2 : 8).map(({ id }, at) => ({
      book: id,
      reviewer: `r${reader}`,
      rating: 1 + ((reader + at) % 5),
      review: `Ines again in Title ${at} by Vale, said reader ${reader}.`,
    })),
  ).flat();
  const request = async (extra = {}) => {
    const lines = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");
    await writeFile(join(folder, "stories.jsonl"), lines(stories));
    await writeFile(join(folder, "reviews.jsonl"), lines(reviews));
    return {
      reviewed: { stories: join(folder, "stories.jsonl"), reviews: join(folder, "reviews.jsonl") },
      folder: join(folder, "tuning"),
      language: "en",
      count: 3,
      samples: 4,
      minimumReviews: 6,
      validationShare: 0.2,
      maximumWords: 2500,
      scale: 10 as const,
      seed: 1,
      onProgress: () => {},
      ...run(),
      ...extra,
    };
  };
  const read = async (name: string) =>
    (await readFile(join(folder, "tuning", name), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("says so when no review is of any of the stories, instead of writing an empty set", async () => {
    const strangers = reviews.map((review) => ({ ...review, book: `other-${review.book}` }));
    const asked = await request();
    await writeFile(asked.reviewed.reviews, strangers.map((row) => JSON.stringify(row)).join("\n"));
    await expect(buildReaderDataset(asked)).rejects.toThrow(/"book" must be the "id" of a story/);
  });

  it("changes names in stories and reviews by one map, drops readers of few reviews and splits by reader", async () => {
    const { result } = await buildReaderDataset(await request({ model: server.judge("simulated-small") }));
    expect(result).toMatchObject({ train: 32, validation: 8, readers: { kept: 10, dropped: 2 }, unprepared: {} });
    const [train, validation] = [await read("train.jsonl"), await read("validation.jsonl")];
    const readers = (rows: { reviewer: string }[]) => new Set(rows.map(({ reviewer }) => reviewer));
    expect([...readers(validation)].filter((reader) => readers(train).has(reader))).toEqual([]);
    expect(JSON.stringify(train)).not.toContain("Ines");
    expect(JSON.stringify(train)).toContain("Marta again in this book by the author");
    expect(JSON.stringify([train, validation])).not.toMatch(/Title \d|Vale/);
    expect(result.leaks).toMatchObject({
      named: 0,
      conversations: 40 + result.comparisons.train + result.comparisons.validation,
    });
    const comparisons = await read("comparisons-train.jsonl");
    expect(comparisons).toHaveLength(result.comparisons.train);
    expect(comparisons.length).toBeGreaterThan(0);
    const [, , answer] = train[0].messages;
    expect(JSON.parse(answer.content)).toEqual({ review: expect.any(String), score: expect.any(Number) });
  });

  it("writes nothing when more than one conversation in a hundred still names its book", async () => {
    const target = join(folder, "refused");
    const asked = await request({ model: server.judge("simulated-small"), folder: target });
    // Dashes make the masking miss the title, but not the check for leaks afterwards.
    const telling = reviews.map((row) => ({ ...row, review: `Title ------ ${row.book.slice(1)} is all I read.` }));
    await writeFile(asked.reviewed.reviews, telling.map((row) => JSON.stringify(row)).join("\n"));
    await expect(buildReaderDataset(asked)).rejects.toMatchObject({
      code: "E_DATASET_LEAK",
      message: expect.stringMatching(/conversations still name their books \(titles \d+, authors 0, characters 0\)/),
    });
    await expect(readFile(join(target, "train.jsonl"))).rejects.toThrow(/ENOENT/);
  });

  it("keeps every history at its length, and draws none of them twice", async () => {
    const { result } = await buildReaderDataset(await request({ maximumWords: null, samples: 40 }));
    expect(result.shortened).toBe(0);
    const rows = [...(await read("train.jsonl")), ...(await read("validation.jsonl"))];
    expect(rows.every(({ k }) => k === 3)).toBe(true);
    const asked = rows.map(({ reviewer, messages }) => `${reviewer}${messages[1].content}`);
    expect(new Set(asked).size).toBe(rows.length);
    expect(JSON.parse(await readFile(join(folder, "tuning", "dataset_info.json"), "utf8"))).toHaveProperty(
      "perse_train",
    );
  });

  it("is the same for the same seed, and shortens histories that would not fit", async () => {
    await buildReaderDataset(await request());
    const once = await read("train.jsonl");
    await buildReaderDataset(await request());
    expect(await read("train.jsonl")).toEqual(once);
    const { result } = await buildReaderDataset(await request({ maximumWords: 330 }));
    expect(result.shortened).toBeGreaterThan(0);
  });

  it("makes a conversation of every aspect that a reader decided, split by reader, and reviews in PerSE's form", async () => {
    const plot = (text: string) => ({ plot_summary: text });
    const line = (reader: number) => ({
      ...{ id: reader, reader: `w${reader}`, left: plot("A queen."), right: plot("A thief.") },
      comparisons: [
        { left: plot("A cook."), right: plot("A monk."), preferred: { ending: "right", surprise: "left" } },
      ],
      preferred: { ending: "left", surprise: "tie", adaptability: "right" },
    });
    const pairs = join(folder, "labelled.jsonl");
    await writeFile(pairs, Array.from({ length: 10 }, (_, reader) => JSON.stringify(line(reader))).join("\n"));
    const { result } = await buildReaderDataset(await request({ pairs, protocol: "perse" }));
    // A tie teaches nothing, and for adaptability no earlier choice is known.
    expect(result.aspects).toEqual({ train: 8, validation: 2 });
    const [train, held] = [await read("aspects-train.jsonl"), await read("aspects-validation.jsonl")];
    const readers = new Set(train.map(({ reviewer }) => reviewer));
    expect(held.some(({ reviewer }) => readers.has(reviewer))).toBe(false);
    expect(train[0]).toMatchObject({ aspect: "ending", k: 1 });
    expect(train[0].messages[1].content).toMatch(/A monk[\s\S]*\[Ending\] Plot B[\s\S]*A queen/);
    expect(train[0].messages[2].content).toBe("[Ending] Plot A");
    const [review] = await read("train.jsonl");
    expect(review.messages[1].content).toContain("[The Start of Plot 0]");
    expect(review.messages[2].content).toMatch(/^\[Review\] [\s\S]+\n\[Score\] \d+$/);
    await writeFile(pairs, JSON.stringify({ ...line(1), left: { ...plot("A queen."), average_rating: 8 } }));
    await expect(buildReaderDataset(await request({ pairs }))).rejects.toThrow(/8 is more than five stars/);
    const onTen = await buildReaderDataset(await request({ pairs, ratingsScale: 10, validationShare: 0 }));
    expect(onTen.result.aspects.train).toBe(1);
  });
});
