import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { distinctOrders } from "../../reader/evaluation/history-orders.ts";
import { storySchema } from "../../reader/predictor/story.ts";
import { readerProfileSchema } from "../../reader/profile/reader-profile.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { reviewPairs } from "../reviews/review-pairs.ts";
import { compareForReader } from "./compare.ts";
import { comparePairs } from "./compare-pairs.ts";
import { historyCurve } from "./history-curve.ts";
import { rankBooksByJudge } from "./rank.ts";
import { reviewForReader } from "./review.ts";

/** A stand-in whose score shows what it was given: 2 without a history, else 5 plus the number of the first story. */
const reply: ReplyHandler = ({ messages, schema }) => {
  const user = messages.at(-1)!.content;
  lastPrompt = messages.map(({ content }) => content).join("\n");
  const fields = Object.keys((schema?.properties ?? {}) as object);
  if (fields.includes("names")) return JSON.stringify({ names: [{ from: "Ines", to: "Marta", kind: "character" }] });
  if (fields.includes("summary")) {
    const plot = /<<<plot (\w+)>>>\n([\s\S]*?)\n<<<END/.exec(user)![2]!;
    return JSON.stringify({ summary: `Retold: ${plot.slice(0, 80)}` });
  }
  if (fields.includes("known"))
    return JSON.stringify({ known: !user.includes("obscure"), title: "The Salt Road", author: null, confidence: 1 });
  if (fields.includes("aspects")) {
    if (user.includes("silent")) return "I would rather not choose.";
    const better = user.indexOf("burns the harbour") < user.indexOf("counts the boats") ? "first" : "second";
    const ids = ["interestingness", "adaptability", "surprise", "character-development", "ending"];
    // Prefers the ending of whatever is shown first: a judge with a position bias.
    const aspects = ids.map((id) => [id, { reason: id, better: id === "ending" ? "first" : better }]);
    return JSON.stringify({ aspects: Object.fromEntries(aspects), reason: "fire", overall: better });
  }
  if (user.includes("[The Start of Plot A]")) {
    const aspect = /on one aspect alone\. ([^:]+):/.exec(user)![1]!;
    const [asked] = user.split("[The End of User Preference]").slice(-1);
    return `[${aspect}] Plot ${asked!.indexOf("burns the harbour") < asked!.indexOf("counts the boats") ? "A" : "B"}`;
  }
  if (user.includes("silent")) return "I would rather not put a number on it.";
  if (user.includes("[The Start of Plot]")) {
    return `[Review] I could not look away.\n[Score] ${user.includes("[The Start of Plot 0]") ? "8/10" : "3"}`;
  }
  const shown = /numbered (\d)/.exec(user);
  return JSON.stringify({ review: "I could not look away.", score: shown ? 5 + Number(shown[1]) : 2 });
};

let lastPrompt = "";
let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-reader-"));
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
const profile = readerProfileSchema.parse({
  name: "ada",
  reviews: [1, 2, 3, 4].map((number) => ({
    title: `Book ${number}`,
    genres: ["Fantasy"],
    plot_summary: `A story numbered ${number} of a queen and her sister.`,
    rating: number,
    review: `Words about it, ${"at some length. ".repeat(10)}`,
  })),
});
const story = storySchema.parse({
  title: "The Salt Road",
  genres: ["Fantasy"],
  plot_summary: "Ines burns the harbour and is forgiven.",
});
const other = storySchema.parse({ genres: ["Fantasy"], plot_summary: "Tomas counts the boats and goes home." });
const options = (extra = {}) => ({
  story,
  profile,
  judge: server.judge("simulated-small"),
  count: 3,
  withWords: true,
  scale: 10 as const,
  orders: 1,
  probe: false,
  anonymise: null,
  temperature: 0.8,
  ...run(),
  ...extra,
});

describe("reviewing as a reader", () => {
  it("shows the history, asks for review and score, and says what was left out", async () => {
    const { result } = await reviewForReader(options());
    expect(result.review.history.chosen).toHaveLength(3);
    expect(result.review.history.leftOut).toEqual([{ title: "Book 4", reason: expect.stringContaining("3 reviews") }]);
    expect(result.review.spread.verdict).toEqual({ kind: "scored", score: 6 });
    expect(result.review.orders[0]!.review).toBe("I could not look away.");
    expect(result.embedded.kind).toBe("predicted");
  });

  it("works from no reviews at all", async () => {
    const { result } = await reviewForReader(options({ count: 0 }));
    expect(result.review.spread.verdict).toEqual({ kind: "scored", score: 2 });
  });

  it("asks in PerSE's form and reads its reply, with a history and without", async () => {
    const { result } = await reviewForReader(options({ protocol: "perse", count: 2 }));
    expect(lastPrompt).toMatch(
      /\[The Start of Plot 0\][\s\S]*\[The End of Plot 1\][\s\S]*\[The Start of Plot\]\nGenres/,
    );
    expect(result.review.spread.verdict).toEqual({ kind: "scored", score: 8 });
    expect(result.review.orders[0]!.review).toBe("I could not look away.");
    const alone = await reviewForReader(options({ protocol: "perse", count: 0 }));
    expect(alone.result.review.spread.verdict).toEqual({ kind: "scored", score: 3 });
  });

  it("changes the names alone, or the plot alone", async () => {
    await reviewForReader(options({ anonymise: "names", count: 0 }));
    expect(lastPrompt).toMatch(/Marta burns the harbour and is forgiven/);
    await reviewForReader(options({ anonymise: "summary", count: 0 }));
    expect(lastPrompt).toMatch(/Retold: Ines burns the harbour/);
  });

  it("hides the words when only the stars are to be shown, and never shows a title", async () => {
    await reviewForReader(options({ withWords: false, count: 2 }));
    expect(lastPrompt).toContain("numbered");
    expect(lastPrompt).not.toContain("at some length");
    expect(lastPrompt).not.toContain("The Salt Road");
  });

  it("asks in no order twice, and in no more orders than there are", async () => {
    const two = (await reviewForReader(options({ orders: 5, count: 2 }))).result.review;
    expect(two.orders.map(({ titles }) => titles.join()).sort()).toEqual(["Book 1,Book 2", "Book 2,Book 1"]);
    const three = (await reviewForReader(options({ orders: 6 }))).result.review;
    expect(new Set(three.orders.map(({ titles }) => titles.join())).size).toBe(6);
    expect((await reviewForReader(options({ orders: 3, count: 0 }))).result.review.orders).toHaveLength(1);
  });

  it("numbers an order by the draw that brought it, so that replies paid for with repeats are found again", () => {
    const draws = [0.9, 0.1];
    expect(distinctOrders(["A", "B"], 2, () => draws.shift()!)).toEqual([
      { order: ["A", "B"], sample: 0 },
      { order: ["B", "A"], sample: 2 },
    ]);
  });

  it("asks in several orders and shows how far the answers lie apart", async () => {
    const { result } = await reviewForReader(options({ orders: 6 }));
    const scores = result.review.spread.scores;
    expect(scores).toHaveLength(6);
    expect(new Set(scores).size).toBeGreaterThan(1);
    expect(result.review.spread.standardDeviation).toBeGreaterThan(0);
  });

  it("says when the model knows the story already", async () => {
    const { result } = await reviewForReader(options({ probe: true }));
    expect(result.recognition).toMatchObject({ recognised: true });
  });
});

describe("reviewing without names", () => {
  it("shows the judge neither the names of the story nor what the reviews call it", async () => {
    const named = {
      ...profile,
      reviews: profile.reviews.map((past) => ({ ...past, review: `${past.title} has no Queen.` })),
    };
    const { result } = await reviewForReader(options({ anonymise: "both", profile: named }));
    expect(result.review.spread.verdict.kind).toBe("scored");
    expect(lastPrompt).toContain("Retold: Marta burns the harbour");
    expect(lastPrompt).toContain("this book has no Queen");
    expect(lastPrompt).not.toMatch(/Ines|Book \d/);
  });

  it("anonymised, hides the title of the story asked about in reviews of other books too", async () => {
    const reviews = [{ ...profile.reviews[0]!, review: "Not as good as The Salt Road." }];
    const { result } = await reviewForReader(options({ anonymise: "both", profile: { ...profile, reviews } }));
    expect(result.review.spread.verdict.kind).toBe("scored");
    expect(lastPrompt).toContain("Not as good as this book.");
  });

  it("shows half a star as the lowest score, never as one below the scale", async () => {
    const reviews = [{ ...profile.reviews[0]!, rating: 0.5 }];
    await reviewForReader(options({ profile: { ...profile, reviews } }));
    expect(lastPrompt).toMatch(/^Score: 1$/m);
  });
});

describe("comparing for a reader", () => {
  it("asks in both orders, so that a pull to the first place is seen and not believed", async () => {
    const [sea, hill] = ["A tale of the sea.", "A tale of a hill."].map((plot_summary) => ({
      genres: [],
      plot_summary,
    }));
    const before = [{ left: sea!, right: hill!, preferred: { ending: "right" as const, overall: "left" as const } }];
    const asked = { ...options(), profile: { ...profile, comparisons: before } };
    const { result } = await compareForReader({ ...asked, left: story, right: other, runs: 1, count: 1 });
    expect(lastPrompt).toContain("Preferred: Ending: the second; overall: the first");
    const byId = new Map(result.aspects.map((aspect) => [aspect.id, aspect]));
    expect(byId.get("surprise")).toMatchObject({ better: "tie", leaning: "left", consistent: { same: 1, of: 1 } });
    expect(byId.get("ending")).toMatchObject({ better: "tie", leaning: "tie", consistent: { same: 0, of: 1 } });
    expect(result.positionBias.bias).toBeGreaterThan(0);
  });

  it("shows the same earlier reviews whichever of the two stories is named first", async () => {
    const [horror, romance] = [
      { ...other, genres: ["Horror"] },
      { ...other, genres: ["Romance"] },
    ];
    const review = (title: string, genre: string) => ({ title, genres: [genre], rating: 4, review: "Good." });
    const shelf = ["Horror", "Romance"].flatMap((genre) => [review(`${genre} 1`, genre), review(`${genre} 2`, genre)]);
    const shown = async (left: typeof other, right: typeof other) => {
      const asked = { ...options(), profile: { ...profile, reviews: shelf }, left, right, runs: 1, count: 2 };
      const { result } = await compareForReader(asked);
      return result.history.chosen.map(({ title }) => title);
    };
    expect(await shown(horror, romance)).toEqual(await shown(romance, horror));
  });
});

describe("a story of which only the title is known", () => {
  const untold = storySchema.parse({ title: "Ashes" });

  it("is unscored with the reason, and the judge is not asked", async () => {
    const { result, run: done } = await reviewForReader(options({ story: untold }));
    expect(result.review.spread.verdict).toMatchObject({
      kind: "unscored",
      reason: expect.stringContaining("nothing is known"),
    });
    expect(done.summary.asked).toBe(0);
  });

  it("is not preferred to another", async () => {
    const { result } = await compareForReader({ ...options(), left: story, right: untold, runs: 1, count: 1 });
    expect(result.overall.better).toBeNull();
    expect(result.failures).toEqual([expect.stringContaining("nothing is known")]);
  });
});

describe("many pairs at once", () => {
  it("are reviewed, and the agreement is split by whether the model knows the story", async () => {
    const pair = (id: number) => ({
      id,
      history: [
        {
          title: "Book",
          plot_summary: `A story numbered ${id % 5} of a queen.`,
          rating: 5 - (id % 5),
          review: "Fine.",
        },
      ],
      query: {
        title: id < 6 ? "The Salt Road" : "Nameless",
        plot_summary: id < 6 ? "A known tale." : "An obscure tale.",
      },
      rating: 1 + (id % 5),
    });
    const input = join(folder, "pairs.jsonl");
    await writeFile(input, Array.from({ length: 12 }, (_, id) => JSON.stringify(pair(id))).join("\n"));
    const output = join(folder, "pairs-out.jsonl");
    const { result } = await reviewPairs({
      ...run(),
      input,
      output,
      judge: server.judge("m"),
      count: 3,
      withWords: true,
      scale: 10,
      orders: 2,
      probe: true,
      anonymise: null,
      temperature: 0,
      onProgress: () => {},
    });
    expect(result.groups.map(({ group, pairs }) => [group, pairs])).toEqual([
      ["all", 12],
      ["known", 6],
      ["unknown", 6],
    ]);
    // The stand-in's score and the true rating rise with the number in the history; the history's own ratings fall.
    expect(result.groups[0]).toMatchObject({ scored: 12, rated: 12, spreadOverOrders: null });
    // A single earlier review has only one order.
    expect(result.withFewerOrders).toBe(12);
    expect(result.groups[0]!.judge.pearson).toBeCloseTo(1, 9);
    expect(result.groups[0]!.meanOfHistory.spearman).toBeCloseTo(-1, 9);
    const lines = (await readFile(output, "utf8")).trim().split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.map((line) => JSON.parse(line)).find(({ id }) => id === 11)).toMatchObject({ known: false });
  });

  it("is an error when no reply can be used, each asked for twice", async () => {
    const input = join(folder, "silent.jsonl");
    const lines = [1, 2].map((id) => ({ id, history: [], query: { plot_summary: `A silent tale ${id}.` }, rating: 3 }));
    await writeFile(input, lines.map((line) => JSON.stringify(line)).join("\n"));
    const request = {
      ...{ ...options(), input, output: join(folder, "silent-out.jsonl"), onProgress: () => {} },
      ...{ protocol: "perse" as const, count: 0 },
    };
    await expect(reviewPairs(request)).rejects.toMatchObject({
      code: "E_NO_USABLE_REPLY",
      message: expect.stringMatching(/^Not one of 2 lines got a usable reply.*states no score/),
    });
    expect(lastPrompt).toContain("An earlier reply could not be used");
    const curve = { ...request, longest: 1, shortest: 0 };
    await writeFile(
      input,
      [1, 2, 3].map((id) => JSON.stringify({ ...lines[0], id, history: [{ rating: 3 }] })).join("\n"),
    );
    await expect(historyCurve(curve)).rejects.toMatchObject({ code: "E_NO_USABLE_REPLY" });
  });

  it("is an error when no reply about the only story, or about any book to rank, can be used", async () => {
    const silent = storySchema.parse({ plot_summary: "A silent tale." });
    const refused = { code: "E_NO_USABLE_REPLY", message: expect.stringContaining("usable reply") };
    await expect(reviewForReader(options({ story: silent }))).rejects.toMatchObject(refused);
    const pair = { ...options(), left: silent, right: story, runs: 1, count: 1 };
    await expect(compareForReader(pair)).rejects.toMatchObject(refused);
    const books = await mkdtemp(join(folder, "silent-books-"));
    for (const name of ["a", "b"]) await writeFile(join(books, `${name}.json`), JSON.stringify(silent));
    const ranking = { ...options(), books, protocol: "fabula" as const };
    await expect(rankBooksByJudge(ranking)).rejects.toMatchObject(refused);
  });

  it("compares in PerSE's form, one aspect at a time, and writes what it did into every line", async () => {
    const input = join(folder, "PerDOC.E.jsonl");
    const plots = (first: string, second: string) =>
      `[The Start of Plot A]\n${first}\n[The End of Plot A]\n[The Start of Plot B]\n${second}\n[The End of Plot B]`;
    const prompt = `${plots("He burns the harbour.", "She counts the boats.")} {"Choice": "Plot A",} ${plots("He counts the boats.", "She burns the harbour.")}`;
    await writeFile(
      input,
      JSON.stringify({ idx: 1, review_id: "W", prompt: [prompt], completion: '{"Choice": "Plot B"}' }),
    );
    const output = join(folder, "chosen.jsonl");
    const { result } = await comparePairs({
      ...{ ...options(), input, output, runs: 1, count: 1, onProgress: () => {} },
      ...{ protocol: "perse" as const, anonymise: null },
    });
    expect(result).toMatchObject({ answered: 1, unanswered: {} });
    expect(result.aspects.find(({ aspect }) => aspect === "ending")!.judge).toMatchObject({ value: 1, of: 1 });
    expect(JSON.parse(await readFile(output, "utf8"))).toMatchObject({
      ...{ preferred: { ending: "right" }, before: { ending: "left" }, consistent: { ending: { same: 1, of: 1 } } },
      setting: { k: 1, protocol: "perse", anonymised: null },
    });
  });
});
