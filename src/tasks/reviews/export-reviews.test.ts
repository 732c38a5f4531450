import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { readReview } from "../../judge/novelcritique/review-layout.ts";
import { type ExportReport, exportReviews } from "./export-reviews.ts";
import { mapReviews, normaliseReviews, sampleReviews } from "./prepare-reviews.ts";
import { reportReviews } from "./review-report.ts";

const BOOKS = Array.from({ length: 10 }, (_, index) => ({
  id: `book-${index}`,
  title: `Title ${index}`,
  genres: index % 2 === 0 ? ["Horror"] : ["Romance"],
  premise: "Somebody finds something.",
  plot_summary: index === 9 ? "" : `Plot of book ${index}.`,
  characters: "A clerk.",
  average_rating: 3.5,
  ratings_5_to_1: [30, 40, 20, 5, 5],
}));
const REVIEWS = BOOKS.flatMap(({ id }, book) =>
  Array.from({ length: 40 }, (_, index) => ({
    book: id,
    reviewer: `reader-${(book * 7 + index) % 60}`,
    rating: [5, 5, 4, 4, 4, 3, 2, 1][index % 8]!,
    aspects: index % 3 === 0 ? { "Plot twists": "They work." } : { Pacing: "Slow.", Characters: "Warm." },
    conclusion: "I liked it.",
    source: "kept as it is",
  })),
);
const chat = z.object({ messages: z.tuple([message("system"), message("user"), message("assistant")]) });
function message(role: string) {
  return z.object({ role: z.literal(role), content: z.string() });
}

let folder: string;
let report: ExportReport;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "export-"));
  await writeJsonLines(at("books.jsonl"), BOOKS);
  await writeJsonLines(at("reviews.jsonl"), REVIEWS);
  report = await exportReviews({
    reviews: at("reviews.jsonl"),
    books: at("books.jsonl"),
    folder: at("training"),
    testShare: 0.34,
    ratings: "shrunk",
    baseModel: "some/model",
    seed: 1,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("training data from reviews", () => {
  const shared = {
    testShare: 0.5,
    ratings: "shrunk" as const,
    baseModel: "some/model",
    seed: 1,
    onProgress: () => {},
    signal: new AbortController().signal,
  };

  it("keeps the books that --test-books names out of training, by id or title", async () => {
    await writeFile(at("test-books.txt"), "book-3\nTitle 5\n");
    const files = { reviews: at("reviews.jsonl"), books: at("books.jsonl"), testBooks: at("test-books.txt") };
    const named = await exportReviews({ ...shared, ...files, folder: at("named") });
    expect(named.books).toEqual({ train: 7, test: 2 });
    const train = await readFile(at("named/train.chat.jsonl"), "utf8");
    expect(train).not.toMatch(/Title [35]\b/);
    await writeFile(at("test-books.txt"), "The Unknown\n");
    await expect(exportReviews({ ...shared, ...files, folder: at("named") })).rejects.toThrow('names "The Unknown"');
  });

  it("shows excerpts of the books' texts, as a judgement from a summary does", async () => {
    await mkdir(at("texts"));
    const passage = (name: string) => `The clerk of ${name} counted the jars and wrote nothing down. `.repeat(8);
    const text = (id: string) =>
      [1, 2, 3].map((part) => `# Chapter ${part}\n\n${passage(id)}\n\n${passage(id)}`).join("\n\n");
    for (const { id } of BOOKS) await writeFile(at(`texts/${id}.md`), text(id));
    const files = { reviews: at("reviews.jsonl"), books: at("books.jsonl"), texts: at("texts") };
    const shown = await exportReviews({ ...shared, ...files, folder: at("shown") });
    expect(report.booksWithExcerpts).toBe(0);
    expect(shown.booksWithExcerpts).toBe(9);
    const [first] = await readJsonLines(at("shown/train.chat.jsonl"), chat);
    expect(first!.messages[1].content).toMatch(/### Excerpt:\nThe clerk of book-\d counted/);
  });

  it("has the form of a checkout, and ratings by Equation 1 as printed", async () => {
    await mkdir(at("release/NovelCritique/data"), { recursive: true });
    await mkdir(at("release/NovelCritique/predict"), { recursive: true });
    await writeFile(
      at("release/NovelCritique/data/question_format.txt"),
      "T {Title} G {Genre} P {Premise}\nS {Plot_Summary}\nC {Character_Summary}\nE {Excerpt}\nA\n{Aspects}\nend",
    );
    await writeFile(
      at("release/NovelCritique/data/answer_format.txt"),
      "# R:\n{Review}\n\n# O:\n{Conclusion}\n\n# S: {Score}",
    );
    await writeFile(
      at("release/NovelCritique/predict/infer.py"),
      'x = ["**{}:**\\n".format(ts)+"Say "+ts+"." for ts in x]\nm = [{"role": "system", "content": "Be \\"fair\\"."}]',
    );
    const files = { reviews: at("reviews.jsonl"), books: at("books.jsonl"), prompts: at("release") };
    const printed = await exportReviews({ ...shared, ...files, ratings: "printed", folder: at("printed") });
    const rows = await readJsonLines(at("printed/train.chat.jsonl"), chat);
    const [system, user, assistant] = rows.find(({ messages }) =>
      messages[1].content.includes("**Characters:**"),
    )!.messages;
    expect(system.content).toBe('Be "fair".');
    expect(user.content).toMatch(
      /^T Title \d G (?:Horror|Romance) P Somebody finds something\.\nS Plot of book \d\.\nC A clerk\.\nE \nA\n\*\*Plot and Structure:\*\*\nSay Plot and Structure\.\n\n\*\*Characters:\*\*\nSay Characters\.\nend$/,
    );
    expect(assistant.content).toMatch(
      /^# R:\n\*\*Plot and Structure:\*\*\nSlow\.\n\n\*\*Characters:\*\*\nWarm\.\n\n# O:\nI liked it\.\n\n# S: \d\.\d$/,
    );
    expect(printed.reviews.kept + printed.reviews.unnormalised).toBe(report.reviews.kept);
  });

  it("has no book in both parts, and none without a summary", async () => {
    expect(report.books).toEqual({ train: 6, test: 3 });
    expect(report.booksWithoutSummary).toBe(1);
    const titles = async (part: string) => {
      const rows = await readJsonLines(at(`training/${part}.chat.jsonl`), chat);
      return new Set(rows.map(({ messages: [, user] }) => /Title (\d+)/.exec(user.content)![1]));
    };
    const [train, test] = [await titles("train"), await titles("test")];
    expect(train.size + test.size).toBe(9);
    expect([...train].some((title) => test.has(title))).toBe(false);
  });

  it("answers in the layout that the protocol reads", async () => {
    const rows = await readJsonLines(at("training/train.chat.jsonl"), chat);
    const rubric = await loadRubric("long-story");
    expect(rows).toHaveLength(report.examples.train);
    for (const { messages } of rows) {
      const { score, assessment, aspects } = readReview(messages[2].content, rubric);
      expect(score).not.toBeNull();
      expect(assessment).toBe("I liked it.");
      if (messages[1].content.includes("**Characters:**")) {
        expect(aspects).toEqual({ plot: "Slow.", characters: "Warm." });
      }
      // A code fence around the answer would be learnt.
      expect(messages[1].content).not.toMatch(/<<<|[0-9a-f]{16}/);
    }
  });

  it("is the same in both forms", async () => {
    const rows = await readJsonLines(at("training/test.chat.jsonl"), chat);
    const pairs = await readJsonLines(
      at("training/test.completion.jsonl"),
      z.object({ prompt: z.string(), completion: z.string() }),
    );
    expect(pairs).toEqual(
      rows.map(({ messages: [, user, assistant] }) => ({ prompt: user.content, completion: assistant.content })),
    );
  });

  it("comes with the paper's settings for two trainers", async () => {
    const read = async (name: string): Promise<unknown> => parse(await readFile(at(`training/${name}`), "utf8"));
    expect(await read("llama-factory.yaml")).toMatchObject({
      model_name_or_path: "some/model",
      lora_rank: 64,
      lora_alpha: 16,
      learning_rate: 1e-5,
      num_train_epochs: 3,
      gradient_accumulation_steps: 32,
      dataset: "novelcritique_train",
    });
    expect(await read("axolotl.yaml")).toMatchObject({
      base_model: "some/model",
      lora_r: 64,
      lora_alpha: 16,
      learning_rate: 1e-5,
      num_epochs: 3,
      gradient_accumulation_steps: 32,
    });
    expect(JSON.parse(await readFile(at("training/dataset_info.json"), "utf8"))).toHaveProperty("novelcritique_test");
  });

  it("comes with a recipe up to the agreement with readers, whose dry run shows the steps and the cost", async () => {
    const { stdout } = await promisify(execFile)("sh", ["recipe.sh"], {
      cwd: at("training"),
      env: { ...process.env, DRY_RUN: "1" },
    });
    expect(stdout).toMatch(/^\d+ examples, 3 epochs: about \d+ GPU hours, \$\d+ at/);
    expect(stdout).toMatch(
      /llamafactory-cli train[\s\S]*vllm serve some\/model[\s\S]*fabula evaluate --in test-books\.jsonl/,
    );
    const rows = await readJsonLines(at("training/test-books.jsonl"), z.looseObject({ average_rating: z.number() }));
    expect(rows).toHaveLength(report.books.test);
  });
});

describe("reviews, prepared", () => {
  const loose = z.looseObject({ rating: z.number(), source: z.string() });

  it("carry a normalised rating with the platform's mean and deviation, and all else they brought", async () => {
    const { after, platform } = await normaliseReviews({
      input: at("reviews.jsonl"),
      output: at("normalised.jsonl"),
      books: at("books.jsonl"),
    });
    expect(platform.mean).toBeCloseTo(3.85, 6);
    expect(after.mean).toBeCloseTo(platform.mean, 6);
    const rows = await readJsonLines(at("normalised.jsonl"), loose.extend({ normalised_rating: z.number() }));
    expect(rows).toHaveLength(REVIEWS.length);
    expect(rows[0]!.source).toBe("kept as it is");
  });

  it("follow the ratings once sampled", async () => {
    const mitigation = await sampleReviews({
      input: at("reviews.jsonl"),
      books: at("books.jsonl"),
      output: at("sampled.jsonl"),
      seed: 1,
    });
    expect(await readJsonLines(at("sampled.jsonl"), loose)).toHaveLength(mitigation.kept);
    expect(mitigation.largestDifference).toBeLessThan(3);
  });

  it("are gathered by aspect", async () => {
    const { exact, unmapped } = await mapReviews({ input: at("reviews.jsonl"), output: at("mapped.jsonl") });
    expect(exact).toBeGreaterThan(0);
    expect(unmapped).toEqual([]);
    const [first] = await readJsonLines(
      at("mapped.jsonl"),
      z.looseObject({ aspects: z.record(z.string(), z.string()) }),
    );
    expect(first!.aspects).toEqual({ plot: "They work." });
  });

  it("are reported on", async () => {
    const findings = await reportReviews({
      reviews: at("reviews.jsonl"),
      books: at("books.jsonl"),
      seed: 1,
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    expect(findings.criteria.overall.shares.plot).toBe(100);
    expect(findings.criteria.byGenre.map(({ group }) => group)).toEqual(["Horror", "Romance"]);
    expect(findings.normalisation.after.deviation).toBeCloseTo(findings.normalisation.platform.deviation, 6);
  });
});

it("ratings are normalised by Equation 1 as printed where readers' statistics are given", async () => {
  const row = (reviewer: string, rating: number) => ({ book: "book-1", reviewer, rating, aspects: {}, conclusion: "" });
  await writeJsonLines(at("few.jsonl"), [row("a", 5), row("b", 2), row("same", 4), row("stranger", 3)]);
  await writeJsonLines(at("readers.jsonl"), [
    { reviewer: "a", mean: 4.5, deviation: 0.5 },
    { reviewer: "b", ratings_5_to_1: [0, 0, 50, 0, 50] },
    { reviewer: "same", mean: 4, deviation: 0 },
  ]);
  const files = { input: at("few.jsonl"), output: at("printed.jsonl"), readers: at("readers.jsonl") };
  const { platform, unnormalised } = await normaliseReviews({ ...files, books: at("books.jsonl") });
  const rows = await readJsonLines(at("printed.jsonl"), z.object({ normalised_rating: z.number().nullable() }));
  expect(rows.map((one) => one.normalised_rating)).toEqual([
    expect.closeTo(platform.mean + platform.deviation, 3),
    expect.closeTo(platform.mean, 3),
    null,
    null,
  ]);
  expect(unnormalised).toBe(2);
});
