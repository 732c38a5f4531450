import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { call, run as storedRun, use } from "../../../test/support/stored.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { scored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { reportMarkdown } from "../../report/report-forms.ts";
import { reproductionTable, sectionedReproduction } from "../../report/reproduce/reproduction-report.ts";
import { openStore } from "../../store/open-store.ts";
import { loadPaper, openData, PAPERS, type PaperName } from "./paper.ts";
import { reproduce } from "./reproduce.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-reproduce-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function dataFolder(name: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  return join(folder, name);
}

const run = (name: PaperName, data: string, more: { readonly set?: "test"; readonly store?: string } = {}) =>
  reproduce(name, { folder: data, ...more, seed: 1, onProgress: () => {}, signal: new AbortController().signal });

const ASPECTS = [
  "Plot",
  "Characters",
  "Writing",
  "World-building",
  "Themes",
  "Emotional impact",
  "Enjoyment",
  "Expectation",
];

describe("longstoryeval on a made-up data set", () => {
  it("gives every figure beside the printed one, and says what differs", async () => {
    const data = await dataFolder("longstoryeval");
    const random = seededRandom(2);
    const books = Array.from({ length: 40 }, (_, at) => ({
      id: `b${at}`,
      title: `Book ${at}`,
      genres: [at % 2 === 0 ? "Romance" : "Fantasy"],
      average_rating: 3 + at / 40,
      ratings_5_to_1: [40, 30, 20, 10, 10],
    }));
    const reviews = books.flatMap(({ id, average_rating }) =>
      Array.from({ length: 12 }, (_, at) => ({
        book: id,
        reviewer: `r${Math.floor(60 * random())}`,
        rating: Math.min(5, Math.max(1, Math.round(average_rating + 2 * random() - 1))),
        aspects: Object.fromEntries(ASPECTS.filter(() => at < 8 || random() < 0.5).map((name) => [name, "It works."])),
        conclusion: "Good.",
      })),
    );
    await writeJsonLines(join(data, "books.jsonl"), books);
    await writeJsonLines(join(data, "reviews.jsonl"), reviews);
    const evaluations = books.map(({ title, average_rating }) => {
      const sample = sampleEvaluation();
      const overall = scored(20 * average_rating);
      return {
        ...sample,
        book: { ...sample.book, title, file: title },
        judge: "openai:gpt-4o",
        method: "summary",
        overall,
        run: "r1",
      };
    });
    await writeJsonLines(join(data, "evaluations.jsonl"), evaluations);
    const store = join(data, "calls.db");
    const calls = await openStore(store);
    await calls.createRun(storedRun("r1"));
    for (const key of ["a", "b"])
      await calls.recordAnswer(call(key, { latencyMilliseconds: 30_000 }), "asked", use("r1", key));
    await calls.close();
    const { figures, differences } = await run("longstoryeval", data, { store });
    expect(figures.filter(({ place }) => place === "Table 8").map(({ name, value }) => [name, value])).toEqual(
      expect.arrayContaining([
        ["openai:gpt-4o, summary: input tokens in thousands", 0.2],
        ["openai:gpt-4o, summary: minutes", 1],
      ]),
    );
    const find = (name: string) => figures.find((figure) => figure.name.includes(name))!;
    expect(find("books")).toMatchObject({ value: 40, printed: 600 });
    expect(find("percent of 5-star")).toMatchObject({ place: "B.2", printed: 22, n: 40 });
    expect(find("characters: rating of reviews")).toMatchObject({ place: "Table 4", printed: 0.832, rule: "Pearson" });
    expect(figures.filter(({ place }) => place === "Table 4")).toHaveLength(24);
    expect(figures.filter(({ place }) => place === "Figure 4").every(({ interval }) => interval !== null)).toBe(true);
    const overall = find("openai:gpt-4o, summary: τ × 100, overall");
    expect(overall).toMatchObject({ place: "Tables 2 and 7", printed: 13.4, n: 40 });
    expect(overall.value).toBeCloseTo(100, 9);
    expect(differences[0]).toContain(
      "books.jsonl, reviews.jsonl: not the files that our own figures were measured with",
    );
    const report = reportMarkdown(sectionedReproduction({ paper: "p", figures, differences }));
    expect(report).toContain("What differs, and why");
    expect(report).toContain("0.8320");
  });
});

it("longstoryeval takes a checkout of the release as it is, and its test books alone", async () => {
  const data = await dataFolder("release");
  const random = seededRandom(3);
  const books = Array.from({ length: 30 }, (_, at) => ({ id: `Book_${at}`, score: 3 + at / 30 }));
  const folders = [
    "Plot",
    "Characters",
    "Writing",
    "World-Building",
    "Themes",
    "Emotional",
    "Enjoyment",
    "Expectation",
  ];
  const put = async (path: string, content: unknown) => {
    const file = join(data, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  };
  const info = ({ score }: { score: number }) => ({
    title: "A Book",
    genres: ["Romance", "Fantasy"],
    score: score.toFixed(2),
    rating_distribution: ["1,000 (50%)", "500 (25%)", "300 (15%)", "100 (5%)", "100 (<1%)"],
  });
  await put("dataset/all_book_info.json", Object.fromEntries(books.map((book) => [book.id, info(book)])));
  await put(
    "dataset/test.txt",
    books
      .slice(0, 20)
      .map(({ id }) => id)
      .join("\n"),
  );
  await put("dataset/reviews_json/Nobody.json", []);
  for (const { id, score } of books.slice(0, 25)) {
    const reviews = Array.from({ length: 10 }, (_, at) => ({
      aspects: ["Plot and Storyline", "Characters"],
      review: ["It works.", "They live."],
      conclusion: "Good.",
      rating: Math.min(5, Math.max(1, Math.round(score + 2 * random() - 1))),
      reviewer_id: `reader-${at}`,
    }));
    await put(`dataset/reviews_json/${id}.json`, reviews);
    await put(`dataset/summaries/${id}.json`, [{ overall_sum: "It goes on.", overall_char: "" }]);
  }
  for (const { id, score } of books.slice(0, 20)) {
    for (const folder of [...folders, "Overall"]) {
      const place = `NovelCritique/predict/output/long_story_eval/run_0/${folder}/${score.toFixed(2)}: ${id}.txt`;
      await put(
        place,
        `### Review:\n**Themes:**\nFine.\n\n### Overall Assessment:\nFine.\n\n### Score: ${score.toFixed(1)}`,
      );
    }
  }
  const { figures, differences } = await run("longstoryeval", data);
  const find = (name: string) => figures.find((figure) => figure.name === name)!;
  expect(find("books")).toMatchObject({ value: 30, printed: 600 });
  expect(find("percent of 5-star ratings that came with a review").n).toBe(25);
  const own = figures.filter(({ name }) => name.startsWith("novelcritique, summary: τ × 100, "));
  expect(own).toHaveLength(18);
  expect(own[0]).toMatchObject({ place: "Table 2", n: 20, printed: 21.4, rule: expect.stringContaining("rounded") });
  expect(own[0]!.value).toBeCloseTo(100, 9);
  // Each printed figure of the tables of judges has ours beside it or a reason.
  const withReason = figures.filter(({ reason }) => reason !== undefined);
  expect(withReason).toHaveLength(28 * 9 + 9);
  expect(withReason.every(({ value, printed }) => value === null && printed !== null)).toBe(true);
  expect(figures.some(({ name }) => name.includes("normalised"))).toBe(false);
  expect(differences.join(" ")).toMatch(/30 of 600 books and 250 of the 340,000 reviews.*Nobody\.json.*fits best/);
  const { figures: test } = await run("longstoryeval", data, { set: "test" });
  expect(test.find(({ name }) => name === "books")).toMatchObject({ value: 20, printed: null });
});

it("literaryqa names the rule of references that gives each cell of Table 7, and lists the cells that none gives", async () => {
  const data = await dataFolder("rules");
  // To match the printed values, exact match (0.0425) needs the best reference, and ROUGE-L (0.2534) only the first.
  const rows = Array.from({ length: 2000 }, (_, at) => ({
    prediction: "old mill house",
    answers: [at < 1014 ? "mill" : "x", at < 85 ? "old mill house" : "y"],
  }));
  await writeJsonLines(join(data, "predictions-claude-haiku.jsonl"), rows);
  const { figures, differences } = await run("literaryqa", data);
  const find = (name: string) => figures.find((figure) => figure.name === `haiku: ${name}`)!;
  expect(find("em")).toMatchObject({ value: 0.0425, rule: "best" });
  expect(find("rouge-l").rule).toBe("first");
  expect(differences.join(" ")).toMatch(/from the printed figure by every rule: .*haiku: meteor/);
  expect(reportMarkdown(sectionedReproduction({ paper: "p", figures, differences }))).toContain("| rule |");
});

it("literaryqa scores published answers beside Table 7", async () => {
  const data = await dataFolder("literaryqa");
  const rows = ["a red barn", "the old mill", "a boat", "nobody"].map((prediction, at) => ({
    prediction,
    answers: at < 2 ? [prediction, "something else"] : ["something else", "another thing"],
  }));
  await writeJsonLines(join(data, "predictions-glm-4-9b-chat.jsonl"), rows);
  await writeFile(
    join(data, "ratings.csv"),
    `system,item,human,em\n${["a", "b", "c"].flatMap((system, at) => [1, 2, 3].map((item) => `${system},${item},${at + 1},${at / 2}`)).join("\n")}\n`,
  );
  const { figures } = await run("literaryqa", data);
  expect(figures.find(({ name }) => name === "glm-4-9b: em")).toMatchObject({
    value: 0.5,
    printed: 0.0924,
    n: 4,
    // Four answers carry no interval.
    interval: null,
  });
  expect(figures.find(({ place }) => place === "Table 6")).toMatchObject({ value: 1, printed: 0.0614, n: 3 });
});

it("literaryqa draws whole books where test.jsonl names them, and says so where it cannot", async () => {
  const data = await dataFolder("books-known");
  const books = Array.from({ length: 12 }, (_, book) => ({
    document_id: `b${book}`,
    title: `Book ${book}`,
    summary: "A summary.",
    qas: Array.from({ length: 10 }, (_, at) => ({ question: `Question ${at} of ${book}?`, answers: ["the mill"] })),
  }));
  // Each book is answered completely or not at all, so ten questions are worth no more than one.
  const rows = books.flatMap(({ qas }, book) =>
    qas.map(({ question, answers }) => ({ question, answers, prediction: book % 2 === 0 ? "the mill" : "a boat" })),
  );
  await writeJsonLines(join(data, "predictions-glm-4-9b-chat.jsonl"), rows);
  const width = async () => {
    const { figures, differences } = await run("literaryqa", data);
    const [low, high] = figures.find(({ name }) => name === "glm-4-9b: em")!.interval!;
    return { width: high - low, says: differences.some((difference) => difference.includes("draw questions")) };
  };
  const questions = await width();
  await writeJsonLines(join(data, "test.jsonl"), books);
  const whole = await width();
  expect([questions.says, whole.says]).toEqual([true, false]);
  expect(whole.width).toBeGreaterThan(2 * questions.width);
});

it("a difference that rounds to nothing has no sign, and one beyond the limit shows that it is", async () => {
  const data = await dataFolder("rounding");
  // Haiku's printed exact match is 0.0425; 431 of 10,001 is higher by 0.0006.
  const rows = Array.from({ length: 10_000 }, (_, at) => ({
    prediction: "old mill house",
    answers: [at < 430 ? "old mill house" : "y"],
  }));
  await writeJsonLines(join(data, "predictions-claude-haiku.jsonl"), [
    ...rows,
    { prediction: "old mill house", answers: ["old mill house"] },
  ]);
  const { differences } = await run("literaryqa", data);
  expect(differences.join(" ")).toMatch(/haiku: em 0\.0006\d/);
  const figure = { place: "Table 7", name: "f", interval: null, n: 9, printed: 0.1 };
  const cell = (value: number) =>
    reproductionTable({ paper: "p", figures: [{ ...figure, value }], differences }).rows[0]!;
  expect(cell(0.09999).at(-1)).toBe("0.0000");
  expect(cell(0.10001).at(-1)).toBe("0.0000");
  expect(cell(0.0995).at(-1)).toBe("−0.0005");
});

it("webnovelbench computes weights that sum to one, and a leaderboard", async () => {
  const data = await dataFolder("webnovelbench");
  const { criteria } = await loadRubric("novel-bench-zh");
  const random = seededRandom(4);
  const row = (novel: string, writer: string, level: number) => ({
    novel,
    writer,
    chapter: 1,
    scores: Object.fromEntries(criteria.map(({ id }) => [id, Math.min(5, Math.max(1, level + random() - 0.5))])),
  });
  await writeJsonLines(
    join(data, "population.jsonl"),
    Array.from({ length: 40 }, (_, at) => row(`n${at}`, `w${at}`, 1.5 + at / 15)),
  );
  await writeJsonLines(
    join(data, "models.jsonl"),
    ["low", "high"].flatMap((writer) =>
      Array.from({ length: 12 }, (_, at) => row(`s${at}`, writer, writer === "low" ? 2 : 4)),
    ),
  );
  const { figures } = await run("webnovelbench", data);
  const weights = figures.filter(({ place }) => place === "Table 1");
  expect(weights.map(({ printed }) => printed)).toEqual([0.1304, 0.116, 0.1152, 0.1171, 0.1377, 0.129, 0.1281, 0.1263]);
  expect(weights.reduce((sum, { value }) => sum + value!, 0)).toBeCloseTo(1, 9);
  expect(figures.find(({ place }) => place === "§5.1")).toMatchObject({ printed: 0.756 });
  const [first, second] = figures.filter(({ place }) => place === "Figure 3");
  expect([first!.name, second!.name]).toEqual([expect.stringContaining("high"), expect.stringContaining("low")]);
});

it("hanna correlates metrics with people by system, beside one annotator with the others", async () => {
  const data = await dataFolder("hanna");
  const names = ["Relevance", "Coherence", "Empathy", "Surprise", "Engagement", "Complexity"];
  const stories = ["a", "b", "c", "d", "e", "f", "g", "h"].flatMap((model, level) =>
    [0, 1, 2].map((story) => ({ model, level, id: `${model}${story}` })),
  );
  const annotations = stories.flatMap(({ model, level, id }) =>
    [0, 1, 2].map((annotator) =>
      [id, model, ...names.map((_, at) => 1 + level + ((annotator + at) % 2) / 4)].join(","),
    ),
  );
  await writeFile(
    join(data, "hanna_stories_annotations.csv"),
    `Story ID,Model,${names.join(",")}\n${annotations.join("\n")}\n`,
  );
  await writeFile(
    join(data, "metrics.csv"),
    `Story ID,ours,rough\n${stories.map(({ id, level }) => `${id},${-level},${[1, 0, 3, 2, 5, 4, 7, 6][level]}`).join("\n")}\n`,
  );
  const { figures } = await run("hanna", data);
  // All stories of a system have the same score, so only resampling the systems shows how little eight of them say.
  const rough = figures.find(({ place, name }) => place === "system level" && name.includes("rough"))!;
  expect(rough.interval![1] - rough.interval![0]).toBeGreaterThan(0.5);
  expect(figures.filter(({ place }) => place === "annotators")).toHaveLength(6);
  const ours = figures.filter(({ place, name }) => place === "system level" && name.includes("ours"));
  expect(ours).toHaveLength(6);
  expect(ours.every(({ value, n }) => value === -1 && n === 8)).toBe(true);
});

it("perse gives the paper's baselines and the curve over earlier ratings", async () => {
  const data = await dataFolder("perse");
  const random = seededRandom(5);
  const rows = Array.from({ length: 60 }, (_, reader) =>
    Array.from({ length: 8 }, (_, at) => ({
      reviewer: `r${reader}`,
      book: `b${(reader + at) % 30}`,
      rating: Math.min(5, Math.max(1, Math.round(1 + (reader % 5) + random() - 0.5))),
    })),
  ).flat();
  await writeJsonLines(join(data, "reviews.jsonl"), rows);
  const { figures } = await run("perse", data);
  expect(figures.find(({ name }) => name === "mean of three earlier ratings, pearson")).toMatchObject({
    printed: 0.301,
    n: 60,
  });
  expect(figures.find(({ name }) => name === "mean of three earlier ratings, pearson")!.value).toBeGreaterThan(0.7);
  expect(figures.filter(({ place }) => place === "Figure 5")).toHaveLength(5);
});

it("perse reads Per-MPST as released, makes Tables 2 to 7 of runs, and names every row that no run gives", async () => {
  const data = await dataFolder("perse-runs");
  const film = (reader: number, at: number) => ({
    reviewer_name: `r${reader}`,
    movie_id: `m${(reader + at) % 9}`,
    score: 1 + ((reader + at) % 10),
  });
  await writeJsonLines(
    join(data, "reviews.jsonl"),
    Array.from({ length: 20 }, (_, reader) => ({ examples: Array.from({ length: 7 }, (_, at) => film(reader, at)) })),
  );
  const setting = { judge: "openai:gpt-4", k: 3, starsOnly: false, anonymised: null, protocol: "perse", scale: 10 };
  const reviewed = (extra: object, known?: boolean) =>
    Array.from({ length: 10 }, (_, at) => ({
      id: at,
      verdict: { kind: "scored", score: 1 + at },
      rating: 1 + at / 2.5,
      ...(known !== undefined && { known: known || at > 5 }),
      setting: { ...setting, ...extra },
    }));
  const chosen = (extra: object) =>
    Array.from({ length: 8 }, (_, at) => ({
      id: at,
      chosen: { ending: "left", overall: "left" },
      preferred: { ending: at < 6 ? "left" : "right", overall: at < 6 ? "left" : "right" },
      before: { ending: "right" },
      consistent: { overall: { same: 1, of: 1 } },
      positionBias: { first: 1, decisions: 2 },
      known: { left: true, right: at % 2 === 0 },
      setting: { ...setting, ...extra },
    }));
  await writeJsonLines(join(data, "runs-all.jsonl"), [
    ...reviewed({}),
    ...reviewed({ judge: "perse-7b@http://127.0.0.1:1/v1", starsOnly: true }),
    ...reviewed({ k: 0, anonymised: "both" }, false),
    ...chosen({ k: 1 }),
    ...chosen({ k: 0, anonymised: "names" }),
  ]);
  const { figures } = await run("perse", data);
  const named = (name: string) => figures.find((figure) => figure.name === name);
  expect(named("gpt-4, pearson")).toMatchObject({ place: "Table 2", value: 1, printed: 0.315, n: 10 });
  expect(named("perse-7b, without the words of the reviews, kendall")).toMatchObject({
    place: "Table 7",
    printed: -0.057,
  });
  expect(named("gpt-4: accuracy, ending")).toMatchObject({ place: "Table 3", value: 0.75, printed: 0.543, n: 8 });
  expect(named("the last choice again: accuracy, ending")).toMatchObject({ value: 0.25, printed: 0.515 });
  expect(named("both known, anonymised: share")).toMatchObject({ place: "Table 4", value: 0.5, printed: 0.73 });
  expect(named("anonymised: favours the known plot more than readers do")).toMatchObject({ value: 0.25 });
  expect(named("known plots, summarised: share")).toMatchObject({ place: "Table 6", value: 0.4, printed: 0.27 });
  const without = figures.filter(({ reason }) => reason !== undefined);
  expect(without.find(({ name }) => name === "llama-2-70b, pearson")).toMatchObject({
    ...{ place: "Table 2", value: null, printed: 0.214 },
    reason: expect.stringContaining(
      "no reviews of llama-2-70b with three earlier ones in the folder: `fabula reader review --in pairs.jsonl --k 3",
    ),
  });
  const reasonOf = (named: string) => without.find(({ name }) => name === named)?.reason;
  expect(reasonOf("gpt-4: accuracy, surprise")).toContain("no choices of gpt-4 with one earlier choice on every one");
  // Repeating the last choice is no model's work, and --k is refused without one.
  expect(reasonOf("the last choice again: accuracy, surprise")).toContain(
    "`fabula reader compare --in choices.jsonl --out",
  );
  // What one command would write is asked for once, not once for every cell.
  const choices = without.filter(({ place }) => /^Table [3-6]$/.test(place));
  const reasons = new Set(choices.map(({ reason }) => reason));
  const commands = [...reasons].map((reason) => `${/ of (\S+)/.exec(reason!)?.[1]} ${/`.*`/.exec(reason!)?.[0]}`);
  expect(new Set(commands).size).toBe(reasons.size);
  expect(without.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "gpt-4: accuracy, mean of the five aspects",
      "perse-13b, without the words of the reviews, kendall",
    ]),
  );
  expect(new Set(without.map(({ name, place }) => place + name)).size).toBe(without.length);
  // Every printed cell of Tables 2 to 7 is there once, measured or with the reason why it is not.
  const cells = figures.filter(({ place, printed }) => /^Table [2-7]$/.test(place) && printed !== null);
  const { printed } = await loadPaper("perse");
  expect(cells).toHaveLength(Object.keys(printed).length);
});

it("perse says which field of a line is missing, and what a line holds", async () => {
  const data = await dataFolder("perse-lines");
  await writeJsonLines(join(data, "reviews.jsonl"), [{ reviewer: "a", rating: 3 }]);
  await expect(run("perse", data)).rejects.toThrow(/"book" is missing.*a line holds reviewer, book and rating/);
});

it("perse pools no runs of different models, forms or numbers of earlier choices", async () => {
  const data = await dataFolder("perse-kinds");
  const rating = (at: number) => ({ reviewer: `r${Math.floor(at / 7)}`, book: `b${at % 7}`, rating: 1 + (at % 5) });
  await writeJsonLines(
    join(data, "reviews.jsonl"),
    Array.from({ length: 140 }, (_, at) => rating(at)),
  );
  const setting = { judge: "openai:gpt-4", k: 3, starsOnly: false, anonymised: null, protocol: "perse", scale: 10 };
  const lines = (extra: object, of: (at: number) => object) =>
    Array.from({ length: 10 }, (_, at) => ({ id: at, ...of(at), setting: { ...setting, ...extra } }));
  const reviewed = (sign: 1 | -1) => (at: number) => ({
    ...{ verdict: { kind: "scored", score: sign * at + (sign === 1 ? 0 : 10) }, rating: 1 + at / 2.5, known: at > 4 },
  });
  const chosen = (right: number) => (at: number) => ({
    ...{ chosen: { ending: at < right ? "left" : "right" }, preferred: { ending: "left" }, before: {} },
  });
  await writeJsonLines(join(data, "runs-all.jsonl"), [
    ...lines({}, reviewed(1)),
    ...lines({ protocol: "fabula" }, reviewed(-1)),
    ...lines({ k: 0, anonymised: "both" }, reviewed(1)),
    ...lines({ k: 0, anonymised: "both", judge: "openai:gpt-9" }, reviewed(-1)),
    ...lines({ k: 1 }, chosen(9)),
    ...lines({ k: 3 }, chosen(1)),
  ]);
  const { figures } = await run("perse", data);
  const value = (name: string) => figures.find((figure) => figure.name === name)?.value;
  expect(value("gpt-4 (perse form), pearson")).toBeCloseTo(1);
  expect(value("gpt-4 (fabula form), pearson")).toBeCloseTo(-1);
  expect(value("known plots, summarised (openai:gpt-9), pearson")).toBeCloseTo(-1);
  expect(value("gpt-4: accuracy, ending")).toBeCloseTo(0.9);
});

it.each(PAPERS)("%s says what is missing and where to get it", async (name) => {
  const { get, files } = await loadPaper(name);
  const empty = await dataFolder(`empty-${name}`);
  const { name: first } = files[0]!;
  const missing = first.endsWith("-") ? `no file whose name begins with ${first}` : `no ${first}`;
  await expect(run(name, empty)).rejects.toThrow(`has ${missing}. Get the data: ${get}.`);
});

it("knows the released files packed or not, and says in a sentence that a packed one is damaged", async () => {
  const paper = await loadPaper("longstoryeval");
  const data = await dataFolder("packed");
  await writeFile(join(data, "books.jsonl"), "{}\n");
  await writeFile(join(data, "reviews.jsonl"), "{}\n");
  const plain = await openData(paper, data);
  await rm(join(data, "reviews.jsonl"));
  await writeFile(join(data, "reviews.jsonl.gz"), gzipSync("{}\n"));
  const packed = await openData(paper, data);
  expect(packed.checked.map(({ sha256 }) => sha256)).toEqual(plain.checked.map(({ sha256 }) => sha256));
  await writeFile(join(data, "reviews.jsonl.gz"), gzipSync("{}\n").subarray(0, 12));
  await expect(openData(paper, data)).rejects.toThrow(/reviews.jsonl.gz" cannot be read: it may be damaged/);
});
