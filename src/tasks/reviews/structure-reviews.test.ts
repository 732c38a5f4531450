import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { structuredReviewSchema } from "../../reviews/structure-review.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { structureReviews } from "./structure-reviews.ts";

const REVIEWS = 60;

/**
 * Every tenth review is garbled, so that only the second model can read it; every twentieth cannot be read by either.
 */
function rawReview(index: number) {
  const kind = index % 20 === 19 ? "hopeless" : index % 10 === 9 ? "garbled" : "plain";
  return {
    id: index,
    book: `book-${index % 4}`,
    reviewer: `reader-${index % 9}`,
    rating: 1 + (index % 5),
    text: `${kind} number ${index}: the pacing drags in the middle but the heroine is wonderful and the cover is lovely`,
  };
}

/** The first model invents a critique of a garbled or hopeless review, the second only of a hopeless one. */
const reply: ReplyHandler = ({ messages, model }) => {
  const text = /<<<review \w+>>>\n([\s\S]*?)\n<<<END/.exec(messages.at(-1)!.content)![1]!;
  const lost = text.startsWith("hopeless") || (text.startsWith("garbled") && model === "first");
  const said = (own: string) => (lost ? "Absolutely magnificent literature, truly unforgettable prose" : own);
  return JSON.stringify({
    aspects: [
      { aspect: "Pacing", viewpoints: [said("the pacing drags in the middle")] },
      { aspect: "Heroine", viewpoints: [said("the heroine is wonderful")] },
      { aspect: "Ribbon bookmark", viewpoints: [said("the cover is lovely")] },
    ],
    conclusion: said("the heroine is wonderful"),
    rating: null,
  });
};

let folder: string;
let server: SimulatedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reviews-"));
  await writeJsonLines(
    join(folder, "raw.jsonl"),
    Array.from({ length: REVIEWS }, (_, index) => rawReview(index)),
  );
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const structure = (signal = new AbortController().signal) =>
  structureReviews({
    input: join(folder, "raw.jsonl"),
    output: join(folder, "structured.jsonl"),
    dropped: join(folder, "dropped.jsonl"),
    model: server.judge("first"),
    secondModel: server.judge("second"),
    settings: {
      store: join(folder, "store.db"),
      command: ["reviews"],
      folder,
      connections: server.connections,
      concurrency: 4,
    },
    services: { signal },
    onProgress: () => {},
  });
const billed = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

describe("structuring reviews", () => {
  it("sends what strays from the review to the second model, drops what still strays, and counts each", async () => {
    server = await createSimulatedServer({ reply, faults: { prose: 0.05 }, seed: 2 });
    const { result } = await structure();
    expect(result).toMatchObject({ reviews: 60, byFirst: 54, bySecond: 3, dropped: 3, unscored: 0 });
    expect(result.unmapped).toEqual([{ name: "Ribbon bookmark", count: 57 }]);
    const rows = await readJsonLines(join(folder, "structured.jsonl"), structuredReviewSchema.loose());
    expect(rows.map(({ id }) => id)).toEqual(
      Array.from({ length: REVIEWS }, (_, index) => index).filter((index) => index % 20 !== 19),
    );
    expect(rows[0]).toMatchObject({
      book: "book-0",
      rating: 1,
      aspects: {
        plot: "the pacing drags in the middle",
        characters: "the heroine is wonderful",
        "Ribbon bookmark": "the cover is lovely",
      },
    });
    const dropped = await readJsonLines(join(folder, "dropped.jsonl"), z.looseObject({ dropped: z.string() }));
    expect(dropped).toHaveLength(3);
    expect(dropped[0]!.dropped).toMatch(/first.*only \d+ % of its words.*second/);
  });

  it("goes on where a row has no stars, which platforms write as 0, or stars that cannot be", async () => {
    server = await createSimulatedServer({ reply, seed: 2 });
    const rows = await readJsonLines(join(folder, "raw.jsonl"), z.looseObject({ rating: z.number().nullable() }));
    rows[0] = { ...rows[0]!, rating: 0 };
    rows[1] = { ...rows[1]!, rating: 9 };
    await writeJsonLines(join(folder, "raw.jsonl"), rows);
    const { result } = await structure();
    expect(result.reviews).toBe(REVIEWS);
    const dropped = await readJsonLines(join(folder, "dropped.jsonl"), z.looseObject({ dropped: z.string() }));
    expect(dropped.map((row) => row.dropped)).toContain("its rating 9 is not one of 1 to 5 stars");
  });

  it("pays for nothing twice when it is run again", async () => {
    server = await createSimulatedServer({ reply, seed: 2 });
    await structure();
    const paid = billed();
    const before = await readFile(join(folder, "structured.jsonl"), "utf8");
    await structure();
    expect(billed()).toBe(paid);
    expect(await readFile(join(folder, "structured.jsonl"), "utf8")).toBe(before);
  });

  it("writes no half of a file when it is stopped, and keeps what was answered", async () => {
    const stop = new AbortController();
    let answered = 0;
    const stopping: ReplyHandler = (request, random) => {
      if (++answered === 20) stop.abort(new Error("stopped"));
      return reply(request, random);
    };
    server = await createSimulatedServer({ reply: stopping, seed: 2 });
    await expect(structure(stop.signal)).rejects.toThrow();
    await expect(readFile(join(folder, "structured.jsonl"))).rejects.toThrow(/ENOENT/);
    const kept = billed();
    expect(kept).toBeGreaterThan(0);
    const { result } = await structure();
    expect(result.byFirst + result.bySecond + result.dropped).toBe(60);
    expect(billed()).toBeLessThan(66 + 10);
  });
});
