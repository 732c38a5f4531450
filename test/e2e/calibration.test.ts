import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { spearman } from "../../src/stats/correlation.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

/** Thirty books of known worth; two people rate them from 1 to 5, and a judge that is bent and noisy scores them. */
const BOOKS = Array.from({ length: 30 }, (_, at) => ({
  id: `b${at}`,
  title: `Novel ${at}`,
  genres: ["Mystery"],
  premise: "A clerk finds an error in the tide tables.",
  plot_summary: `The clerk follows the error to the man who made it. Worth ${(at * 7) % 30}.`,
  characters: "The clerk, exact and proud.",
}));
const worthOf = (text: string) => Number(/Worth (\d+)/.exec(text)![1]);
const PEOPLE = BOOKS.map(({ plot_summary: text }, at) => {
  const worth = 1 + worthOf(text) / 7.5;
  const rating = (off: number) => Math.min(5, Math.max(1, Math.round(worth + off)));
  return [rating(at % 3 === 0 ? 1 : 0), rating(at % 5 === 0 ? -1 : 0)] as const;
});

describe("a judge calibrated with people's ratings", () => {
  const folder = mkdtempSync(join(tmpdir(), "fabula-calibration-"));
  const environment = { FABULA_STORE: join(folder, "store.db") };
  const fabula = (...words: string[]) => runFabula(words, { folder, environment });
  let server: SimulatedServer;
  let judge: string[];
  let shift = 0;
  const lines = (name: string, books: readonly object[]) =>
    writeFileSync(join(folder, name), books.map((book) => `${JSON.stringify(book)}\n`).join(""));

  beforeAll(async () => {
    // What a run says follows from the book and from how often it was judged, not from which call comes first.
    const judgedBefore = new Map<number, number>();
    server = await createSimulatedServer({
      reply: ({ schema, messages }) => {
        const worth = worthOf(messages.map(({ content }) => content).join("\n"));
        const times = judgedBefore.get(worth) ?? 0;
        judgedBefore.set(worth, times + 1);
        const random = seededRandom(100 * worth + times);
        return JSON.stringify(placeholderValue(schema, random), (key, value: unknown) =>
          key === "score" || key === "overall" ? Math.round(20 + 2 * worth + 4 * random() + shift) : value,
        );
      },
    });
    judge = ["--judge", server.judge("judge"), "--runs", "3"];
    lines("books.jsonl", BOOKS);
    lines("new.jsonl", [{ ...BOOKS[0], title: "A new novel", plot_summary: "A clerk goes home. Worth 22." }]);
    lines("pinned.jsonl", BOOKS.slice(0, 5));
    writeFileSync(
      join(folder, "ratings.csv"),
      `title,r1,r2\n${PEOPLE.map(([one, two], at) => `Novel ${at},${one},${two}`).join("\n")}\n`,
    );
    expect((await fabula("evaluate", "--in", "books.jsonl", ...judge, "--out", "judged.jsonl")).code).toBe(0);
    const made = await fabula(
      ...["trust", "ratings.csv", "--human", "r1,r2", "--scores", "judged.jsonl", "--calibration", "people.json"],
    );
    expect(made.stdout).toMatch(
      /on people's scale: learnt from 30 texts, a new one within ± [\d.]+ with a chance of 95 %/,
    );
  }, 60_000);
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it("says what people would say of a new text, by the curve that plain arithmetic gives, and holds it against a limit", async () => {
    const limits = ["--fail-below", "people=4.3", "--json"];
    const evaluated = await fabula(
      "evaluate",
      "--in",
      "new.jsonl",
      ...judge,
      "--calibration",
      "people.json",
      ...limits,
    );
    const { overall, people } = JSON.parse(evaluated.stdout).evaluations[0];
    const judged = readFileSync(join(folder, "judged.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    // Isotonic regression by its definition: the largest of the smallest means of neighbours.
    const points = judged
      .map(({ repeats }, at) => ({
        score: repeats.scores.reduce((sum: number, one: number) => sum + one, 0) / 3,
        people: (PEOPLE[at]![0] + PEOPLE[at]![1]) / 2,
      }))
      .sort((one, other) => one.score - other.score);
    const meanOf = (from: number, to: number) =>
      points.slice(from, to + 1).reduce((sum, point) => sum + point.people, 0) / (to - from + 1);
    const fitted = points.map((_, at) =>
      Math.max(
        ...points
          .slice(0, at + 1)
          .map((__, from) => Math.min(...points.slice(at).map((___, more) => meanOf(from, at + more)))),
      ),
    );
    const above = points.findIndex(({ score }) => score >= overall.score);
    const [low, high] = [points[above - 1]!, points[above]!];
    const share = (overall.score - low.score) / (high.score - low.score);
    const expected = fitted[above - 1]! + share * (fitted[above]! - fitted[above - 1]!);
    expect(people).toMatchObject({ texts: 30, raters: 2, level: 0.95, isBeyond: false });
    expect(people.verdict.score).toBeCloseTo(expected, 9);
    const { halfWidth } = JSON.parse(readFileSync(join(folder, "people.json"), "utf8")).judges[0];
    const highest = Math.max(...PEOPLE.flat());
    expect(people.verdict.interval[1]).toBeCloseTo(Math.min(highest, expected + halfWidth), 9);
    expect(evaluated.code).toBe(0);
    expect(evaluated.stderr).toMatch(
      /Cannot be told: A new novel: people is [\d.]+, between [\d.]+ and [\d.]+, and the limit is 4\.3/,
    );
    const strict = await fabula(
      "evaluate",
      "--in",
      "new.jsonl",
      ...judge,
      "--calibration",
      "people.json",
      ...limits,
      "--strict",
    );
    expect(strict.code).toBe(1);
    const text = await fabula("evaluate", "--in", "new.jsonl", ...judge, "--calibration", "people.json");
    expect(text.stdout).toMatch(/people +range .*\n.* (\d\.\d) +\d\.\d to \d\.\d .*A new novel/);
  });

  it("is refused for another judge, other prompts, fewer runs, and asks nothing first", async () => {
    const asked = server.exchanges.length;
    const refused = async (...words: string[]) => {
      const { code, stderr } = await fabula("evaluate", "--in", "new.jsonl", "--calibration", "people.json", ...words);
      expect(code).toBe(1);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      return stderr;
    };
    expect(await refused("--judge", server.judge("other"), "--runs", "3")).toMatch(
      /The calibration is of .*, not of other@/,
    );
    expect(await refused(judge[0]!, judge[1]!, "--runs", "2")).toMatch(/was made with another runs \(3, 2\)/);
    expect(await refused(...judge, "--no-definitions")).toMatch(/was made with another definitions \(on, off\)/);
    expect(await refused(...judge, "--aspects", "plot")).toMatch(/was made with another aspects/);
    expect(server.exchanges.length).toBe(asked);
    const without = await fabula("evaluate", "--in", "new.jsonl", ...judge, "--fail-below", "people=3");
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("give the judge's calibration with --calibration FILE"),
    });
    const columns = await fabula("trust", "ratings.csv", "--human", "r1", "--judge", "r2", "--calibration", "no.json");
    expect(columns).toMatchObject({ code: 1, stderr: expect.stringContaining("which only evaluations name") });
  });

  it("raises an alarm when pinned texts show that the judge has drifted, and none when it has not", async () => {
    const again = ["evaluate", "--in", "pinned.jsonl", ...judge, "--refresh", "--calibration", "people.json"];
    const same = await fabula(...again);
    expect([same.code, same.stderr.includes("drifted")]).toEqual([0, false]);
    shift = -9;
    const moved = await fabula(...again, "--junit", "checks.xml");
    expect(moved.code).toBe(1);
    expect(moved.stderr).toMatch(
      /Failed: calibration: the judge has drifted: it gives 5 texts of its calibration [\d.]+ less/,
    );
    expect(readFileSync(join(folder, "checks.xml"), "utf8")).toContain(
      "the judge has not drifted since its calibration",
    );
    shift = 0;
  });

  it("goes from a CSV of texts and ratings and two models to the answer in three commands", async () => {
    const rows = BOOKS.map(
      ({ plot_summary: text }, at) => `s${at},"${text} ""So,"" she said.",${PEOPLE[at]!.join(",")}`,
    );
    writeFileSync(join(folder, "stories.csv"), `id,text,r1,r2\n${rows.join("\n")}\n`);
    const asked = server.exchanges.length;
    for (const name of ["one", "two"]) {
      const words = [
        "evaluate",
        "--in",
        "stories.csv",
        "--judge",
        server.judge(name),
        "--runs",
        "3",
        "--out",
        `${name}.jsonl`,
      ];
      expect(await fabula(...words)).toMatchObject({ code: 0 });
    }
    // Each text whole in one request, three times, by two models; no letter is asked for.
    expect(server.exchanges.length - asked).toBe(2 * 3 * BOOKS.length);
    const answered = await fabula(
      "trust",
      "stories.csv",
      "--human",
      "r1,r2",
      "--scores",
      "one.jsonl,two.jsonl",
      "--json",
    );
    expect(answered.code).toBe(0);
    const { judges, answer } = JSON.parse(answered.stdout);
    expect(answer).toHaveLength(2);
    for (const [at, name] of ["one", "two"].entries()) {
      const judged = readFileSync(join(folder, `${name}.jsonl`), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(judged.map(({ book, method }) => [book.file, method])).toEqual(
        BOOKS.map((_, id) => [`s${id}`, "one-pass"]),
      );
      const means = judged.map(({ repeats }) => repeats.scores.reduce((sum: number, one: number) => sum + one, 0));
      const people = PEOPLE.map(([one, two]) => one + two);
      expect(judges[at].spearman.value).toBeCloseTo(spearman(people, means).value!, 12);
    }
    writeFileSync(join(folder, "untold.csv"), "id,story_text\na,b\n");
    expect(await fabula("evaluate", "--in", "untold.csv", ...judge)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /"untold\.csv" has no texts to judge: a column `text` is needed\. It has id, story_text/,
      ),
    });
  });

  it("judges pinned texts again in every run by itself, and a gate may demand it", async () => {
    lines("few.jsonl", BOOKS.slice(0, 2));
    const trust = [
      "trust",
      "ratings.csv",
      "--human",
      "r1,r2",
      "--scores",
      "judged.jsonl",
      "--calibration",
      "pins.json",
    ];
    const few = await fabula(...trust, "--pinned", "few.jsonl");
    expect(few).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/"few\.jsonl" holds 2 of the texts .*pin 3 or more/),
    });
    expect((await fabula(...trust, "--pinned", "pinned.jsonl")).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "pins.json"), "utf8")).pinned).toBe("pinned.jsonl");

    const run = (...words: string[]) => fabula("evaluate", "--in", "new.jsonl", ...judge, ...words);
    const [alone, both] = await Promise.all(
      [["--no-pinned"], []].map(
        async (words) =>
          JSON.parse((await run("--calibration", "pins.json", "--dry-run", "--json", ...words)).stdout).plan,
      ),
    );
    // Five pinned texts, three runs each, beside the one new text.
    expect(both.calls - alone.calls).toBe(15);
    const asked = server.exchanges.length;
    const same = await run("--calibration", "pins.json", "--require-calibration", "--json");
    expect([same.code, same.stderr.includes("drifted")]).toEqual([0, false]);
    expect(JSON.parse(same.stdout).evaluations).toHaveLength(1);
    expect(server.exchanges.length - asked).toBeGreaterThanOrEqual(15);
    shift = -9;
    const moved = await run("--calibration", "pins.json", "--junit", "pins.xml");
    shift = 0;
    expect(moved.code).toBe(1);
    expect(moved.stderr).toMatch(/Failed: calibration: the judge has drifted: it gives 5 texts of its calibration/);
    expect(readFileSync(join(folder, "pins.xml"), "utf8")).toContain("the judge has drifted");

    // Demanded: neither a score without a calibration nor a judge that nobody looked at passes.
    const without = await run("--require-calibration");
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Failed: A new novel: its score is not on people's scale/),
    });
    const unknown = await run("--calibration", "people.json", "--require-calibration");
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Failed: calibration: it is not known whether the judge has drifted/),
    });
  });
});
