import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomInteger, seededRandom, shuffled } from "../../src/core/random.ts";
import { bookEvaluationSchema } from "../../src/judge/evaluation.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

let server: SimulatedServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-reader-"));
  // Thinks 75 of 100 of everything, and gives two stars in the reader's name.
  server = await createSimulatedServer({
    reply: ({ schema }, random) => {
      const value = placeholderValue(schema, random);
      if (typeof value === "object" && value !== null && "review" in value)
        return JSON.stringify({ review: "Too many weights, too few dragons.", score: 2 });
      return JSON.stringify(value, (key, item: unknown) =>
        key === "score" || (key === "overall" && typeof item === "number") ? 75 : item,
      );
    },
  });
  const review = (title: string, rating: number, words: string) => ({
    title,
    genres: ["Mystery"],
    premise: `A premise of ${title}.`,
    rating,
    review: words,
  });
  await writeFile(
    join(folder, "ada.json"),
    JSON.stringify({
      name: "ada",
      language: "en",
      reviews: [
        review("Fog", 5, "I loved the characters and the prose; the plot ticks like a clock."),
        review("Salt", 4, "Wonderful characters, if a slow plot."),
        review("Ash", 1, "The plot made no sense and I gave up."),
      ],
    }),
  );
  await writeFile(
    join(folder, "plain.txt"),
    readFileSync(STORY, "utf8")
      .split(/^(?=## )/m)[2]!
      .replace(/^## .*$/m, "Chapter 1"),
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (...words: string[]) =>
  runFabula(words, { folder, environment: { FABULA_STORE: join(folder, "calls.db") } });

describe("evaluate --as", () => {
  it("sets the embedded verdict beside the general one, says why they differ and what was not known", async () => {
    const { code, stdout, stderr } = await fabula("evaluate", STORY, "--as", "ada.json", "--json", "--out", "r.html");
    expect(code, stderr).toBe(0);
    const { personal } = bookEvaluationSchema.parse(JSON.parse(stdout));
    expect(personal).toMatchObject({ reader: "ada", judge: "embedded", missing: ["plot summary", "characters"] });
    expect(personal!.verdict.kind).toBe("scored");
    expect(personal!.because.length + personal!.against.length).toBe(3);
    const plot = personal!.where.find(({ aspect }) => aspect === "plot")!;
    expect(plot).toMatchObject({ reviews: 3, of: 3 });
    const page = await readFile(join(folder, "r.html"), "utf8");
    expect(page).toContain("<h2>For ada</h2>");
    expect(page).toContain("Where they may differ");
    expect(page).toContain("not used: plot summary, characters");
  });

  it("takes what the book tells from a file", async () => {
    const told = { plot_summary: "An inspector finds a false weight.", characters: "Hester Vane, an inspector." };
    await writeFile(join(folder, "told.json"), JSON.stringify(told));
    const { stdout } = await fabula("evaluate", STORY, "--as", "ada.json", "--story", "told.json", "--json");
    expect(JSON.parse(stdout).personal.missing).toEqual([]);
  });

  it("has a language model stand in for the reader once per run, and counts those calls", async () => {
    const words = ["evaluate", STORY, "--judge", server.judge("m"), "--runs", "2", "--method", "one-pass"];
    const before = server.exchanges.length;
    const { code, stdout, stderr } = await fabula(...words, "--as", "ada.json", "--json");
    expect(code, stderr).toBe(0);
    const evaluation = bookEvaluationSchema.parse(JSON.parse(stdout));
    expect(evaluation.calls).toBe(server.exchanges.length - before);
    const { personal } = evaluation;
    expect(personal).toMatchObject({ verdict: { kind: "scored", score: 2 }, general: { rating: 4, from: "judge" } });
    expect(personal!.review).toContain("dragons");
    expect(personal!.headline).toContain("less than others do: 2.0 out of 5, where the general verdict is 4.0");
  });

  it("refuses what makes no sense in one sentence", async () => {
    expect((await fabula("evaluate", STORY, "--story", "told.json")).stderr).toContain("--story describes one book");
    expect((await fabula("evaluate", STORY, "--as", "nobody.json")).code).toBe(1);
  });
});

describe("compare", () => {
  it("needs no model: the embedded jury compares by default and says who is speaking", async () => {
    const { code, stdout, stderr } = await fabula("compare", STORY, "plain.txt");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("no position bias");
    expect(stdout).toMatch(/crowd: readers of short stories online +(cannot be told apart|The Inspector of Weights)/);
    expect((await fabula("compare", STORY, "plain.txt", "--until", "top1")).stderr).toContain("for language models");
  });
});

describe("reader profile show", () => {
  it("finds no taste in readers who rate at random", async () => {
    const random = seededRandom(21);
    const genres = ["Fantasy", "Mystery", "Romance", "Horror", "History", "Poetry", "Thriller", "Humour"];
    const found = await Promise.all(
      Array.from({ length: 8 }, async (_, reader) => {
        const reviews = Array.from({ length: 24 }, (__, at) => ({
          title: `Book ${at}`,
          genres: shuffled(genres, random).slice(0, 2),
          average_rating: 3.9,
          rating: 1 + randomInteger(random, 5),
          review: shuffled(["The plot held me.", "The prose sings.", "I liked the characters."], random)[0],
        }));
        await writeFile(
          join(folder, `random-${reader}.json`),
          JSON.stringify({ name: `r${reader}`, language: "en", reviews }),
        );
        const { code, stdout, stderr } = await fabula("reader", "profile", "show", `random-${reader}.json`);
        expect(code, stderr).toBe(0);
        return stdout;
      }),
    );
    expect(found.filter((text) => /Rates (?:higher|lower) than/.test(text)).length).toBeLessThanOrEqual(1);
    expect(
      found.filter((text) => text.includes("stands out from the others by more than chance")).length,
    ).toBeGreaterThan(6);
  });
});

describe("reader compare and forecast", () => {
  it("say of two pitches which is rated higher, how likely that is, or that it cannot be told", async () => {
    const pitch = (name: string, story: object) => writeFile(join(folder, name), JSON.stringify(story));
    await pitch("loved.json", {
      title: "Tides",
      genres: ["Mystery"],
      premise: "A keeper drowns.",
      average_rating: 4.8,
    });
    await pitch("hated.json", { title: "Ebb", genres: ["Mystery"], premise: "A clerk counts.", average_rating: 2.2 });
    const told = await fabula("reader", "compare", "loved.json", "hated.json", "--as", "ada.json");
    expect(told.stdout).toMatch(/Preferred: the first\. The first gets more stars \d\d times in 100, the second \d+/);
    const tied = await fabula("reader", "compare", "loved.json", "loved.json", "--as", "ada.json", "--json");
    const { chanceLeft, chanceRight, chanceEqual, ...rest } = JSON.parse(tied.stdout).preference;
    expect(rest).toMatchObject({ preferred: "tie", difference: 0 });
    expect(chanceLeft).toBeCloseTo(chanceRight, 9);
    expect(chanceLeft + chanceRight + chanceEqual).toBeCloseTo(1, 9);
    const both = await fabula("forecast", "loved.json", "hated.json");
    expect(both.stdout).toMatch(/rated higher \d\d times in 100\. First less second: [+−]0\.\d\d stars; nine in ten/);
    expect(JSON.parse((await fabula("forecast", "loved.json", "--json")).stdout).comparison).toBeUndefined();
  });

  it("take a whole book's prose for no plot summary, and name one value for readers in general", async () => {
    await writeFile(join(folder, "novel.txt"), "The weights lay on the bench and nobody spoke of them. ".repeat(400));
    const refused = await fabula("reader", "predict", "novel.txt", "--as", "ada.json");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the prose of a whole book is not used");
    const outline =
      "# Tides\n\nGenres: Mystery, Thriller\n\n## Premise\n\nA lighthouse keeper finds the body of her sister.\n";
    await writeFile(join(folder, "outline.md"), outline);
    const { stdout } = await fabula("reader", "predict", "outline.md", "--as", "ada.json", "--json");
    const forecast = JSON.parse((await fabula("forecast", "outline.md", "--json")).stdout).forecasts[0];
    expect(JSON.parse(stdout).general).toEqual({ rating: forecast.rating, from: "forecast" });
  });
});

describe("reader rank", () => {
  it("ranks the to-read shelf of a library's export in one command, or that of a profile made from it", async () => {
    const random = seededRandom(9);
    const genres = ["fantasy", "mystery", "romance", "horror"];
    const row = (at: number) => {
      const isToRead = at % 4 === 0;
      const genre = genres[randomInteger(random, 4)]!;
      const stars = isToRead ? 0 : Math.min(5, 2 + randomInteger(random, 3) + (genre === "fantasy" ? 1 : 0));
      const date = `20${10 + (at % 14)}/03/09`;
      const shelf = isToRead ? "to-read" : at % 20 === 1 ? "did-not-finish" : "read";
      return `${at},Book ${at},Author ${at},"=""""",${stars},${(3.3 + (at % 13) / 10).toFixed(2)},300,${date},${date},"${genre}, ${2010 + (at % 14)}-reads",${shelf},`;
    };
    const heading =
      "Book Id,Title,Author,ISBN,My Rating,Average Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review";
    await writeFile(
      join(folder, "library.csv"),
      `${[heading, ...Array.from({ length: 400 }, (_, at) => row(at))].join("\n")}\n`,
    );
    const before = process.cpuUsage();
    const { code, stdout, stderr } = await fabula("reader", "rank", "--books", "library.csv", "--json");
    expect(code, stderr).toBe(0);
    // Processor time, since other programs may keep every core busy: ten seconds at most (`benchmarks/personal.ts --shelf` has the clock's).
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
    const { books, reader } = JSON.parse(stdout);
    expect({ reader, ranked: books.length }).toEqual({ reader: "you", ranked: 100 });
    // Others' averages are in the export, and count: the best of them come before the worst.
    const averages = books.map(({ title }: { title: string }) => (Number(title.slice(5)) % 13) / 10);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(averages.slice(0, 25))).toBeGreaterThan(mean(averages.slice(-25)) + 0.3);

    const kept = ["--profiles", "profiles"];
    const imported = await fabula("reader", "profile", "import", "ada", "--in", "library.csv", ...kept);
    expect(imported.stdout).toContain("a shelf of 100 to read");
    expect(imported.stdout).toMatch(/\d+ books given up; 100 books to read/);
    const again = await fabula("reader", "rank", "--profile", "ada", ...kept, "--json");
    expect(JSON.parse(again.stdout).books).toHaveLength(100);
    expect((await fabula("reader", "rank")).stderr).toContain("Say for whom");
    expect((await fabula("reader", "rank", "--profile", "ada.json")).stderr).toContain("no to-read shelf");
  });
});

describe("reader questions", () => {
  it("asks for the ratings that say most about the to-read shelf, and not twice for the same", async () => {
    const row = (at: number, genre: string, stars: number, shelf: string) =>
      `${at},Book ${at},Author,"=""""",${stars},3.9,300,2024/01/02,2024/01/02,${genre},${shelf},`;
    const heading =
      "Book Id,Title,Author,ISBN,My Rating,Average Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review";
    // Romance is known from twelve ratings; the shelf is horror but for one book; two horror books were read and not rated.
    const rows = [
      ...Array.from({ length: 12 }, (_, at) => row(at, "romance", 4, "read")),
      ...[20, 21, 22].map((at) => row(at, "romance", 0, "read")),
      ...[30, 31].map((at) => row(at, "horror", 0, "read")),
      row(40, "horror", 0, "currently-reading"),
      ...[50, 51, 52].map((at) => row(at, "horror", 0, "to-read")),
      row(53, "romance", 0, "to-read"),
    ];
    await writeFile(join(folder, "unrated.csv"), `${[heading, ...rows].join("\n")}\n`);
    const { code, stdout, stderr } = await fabula(
      "reader",
      "questions",
      "--books",
      "unrated.csv",
      "--count",
      "3",
      "--json",
    );
    expect(code, stderr).toBe(0);
    const { questions, candidates, about } = JSON.parse(stdout);
    expect({ candidates, about }).toEqual({ candidates: 5, about: "the to-read shelf" });
    expect(
      questions
        .slice(0, 2)
        .map(({ title }: { title: string }) => title)
        .sort(),
    ).toEqual(["Book 30", "Book 31"]);
    expect(questions[0].near).toEqual(expect.arrayContaining(["Book 50"]));
    expect(questions[0].settles).toBeGreaterThan(questions[1].settles);

    await fabula("reader", "profile", "import", "una", "--in", "unrated.csv", "--profiles", "profiles");
    const kept = await fabula("reader", "questions", "--profile", "una", "--profiles", "profiles");
    expect(kept.stdout).toMatch(/For una: rate these[\s\S]*Book 3[01]/);
    await writeFile(join(folder, "rated.csv"), `${[heading, ...rows.slice(0, 12)].join("\n")}\n`);
    const none = await fabula("reader", "questions", "--books", "rated.csv");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("no book that was read and not rated")]);
  });
});

describe("reader dataset", () => {
  it.each(["en", "zh"])(
    "asks no comparison about aspects, and answers each with what the reader said (%s)",
    async (language) => {
      const lines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");
      const stories = Array.from({ length: 8 }, (_, at) => ({
        id: `s${at}`,
        genres: ["Fantasy"],
        premise: `Island ${at}.`,
      }));
      const reviews = Array.from({ length: 4 }, (_, reader) =>
        stories.map(({ id }, at) => ({
          ...{ book: id, reviewer: `r${reader}`, rating: 1 + ((reader + at) % 5) },
          review: `Reader ${reader} says this of island ${at}. ${"It goes on. ".repeat(100)}`,
        })),
      ).flat();
      await writeFile(join(folder, "stories.jsonl"), lines(stories));
      await writeFile(join(folder, "reviews.jsonl"), lines(reviews));
      const { code, stderr } = await fabula(
        ...["reader", "dataset", "--stories", "stories.jsonl", "--reviews", "reviews.jsonl"],
        ...["--out", `tuning-${language}`, "--language", language],
      );
      expect(code, stderr).toBe(0);
      const file = await readFile(join(folder, `tuning-${language}`, "comparisons-train.jsonl"), "utf8");
      const rows = file
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(rows.length).toBeGreaterThan(0);
      for (const { messages } of rows) {
        const [system, user, answer] = messages.map(({ content }: { content: string }) => content);
        expect(system + user).not.toMatch(/aspect|方面|–\n/);
        const { reason, overall, ...rest } = JSON.parse(answer);
        expect(rest).toEqual({});
        expect(reason).toMatch(
          /\d\/10\. Reader \d says this of island \d\.[^\n]*\n.*\d\/10\. Reader \d says this of island \d\./,
        );
        expect(reason.length).toBeLessThan(1300);
        const [one, other] = reason.match(/\d+(?=\/10)/g).map(Number);
        expect(overall).toBe(one > other ? "first" : "second");
      }
    },
  );
});
