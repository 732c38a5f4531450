import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import { scoreTexts, trustJudges } from "../../index.ts";
import { trustAnswer } from "../../report/agreement/trust-report.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-trust-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Forty texts to eight prompts by five writers: three raters, a close judge, a loose one, and one that is off a scale of 1 to 5. */
const random = seededRandom(3);
const noise = (size: number) => size * (random() + random() + random() - 1.5);
const onFive = (value: number) => Math.min(5, Math.max(1, Math.round(value)));
const rows = Array.from({ length: 40 }, (_, at) => {
  const quality = 1 + ((at * 7) % 9) / 2.2 + (at % 5 === 4 ? 1 : 0);
  return {
    id: `t${at}`,
    writer: `w${at % 5}`,
    prompt: `p${at % 8}`,
    genre: at % 2 === 0 ? "myth" : "crime",
    r1: onFive(quality + noise(1.5)),
    r2: onFive(quality + noise(1.5)),
    r3: onFive(quality + noise(1.5)),
    close: onFive(quality + noise(0.4)),
    loose: onFive(3 + noise(3)),
    hundred: 20 * quality + noise(20),
  };
});
type Row = (typeof rows)[number];
type Rater = "r1" | "r2" | "r3";
const RATERS: readonly Rater[] = ["r1", "r2", "r3"];
const csv = (table: readonly object[]) =>
  `${[Object.keys(table[0]!), ...table.map((row) => Object.values(row))].map((cells) => cells.join(",")).join("\n")}\n`;
const TABLE = file("ratings.csv", csv(rows));
const asked = { human: [...RATERS], judge: ["close", "loose", "hundred"], resamples: 50 };

/* Independent computations, as plainly as they can be written. */
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rank = (values: readonly number[]) =>
  values.map(
    (value) =>
      values.filter((other) => other < value).length + (values.filter((other) => other === value).length + 1) / 2,
  );
function pearsonOf(left: readonly number[], right: readonly number[]): number {
  const [a, b] = [average(left), average(right)];
  let [ab, aa, bb] = [0, 0, 0];
  left.forEach((value, at) => {
    ab += (value - a) * (right[at]! - b);
    aa += (value - a) ** 2;
    bb += (right[at]! - b) ** 2;
  });
  return ab / Math.sqrt(aa * bb);
}
const spearmanOf = (left: readonly number[], right: readonly number[]) => pearsonOf(rank(left), rank(right));
const others = (row: Row, rater: Rater) => RATERS.filter((other) => other !== rater).map((other) => row[other]);

describe("whom to trust", () => {
  it("has the numbers that plain arithmetic gives", async () => {
    const { study } = await trustJudges(TABLE, { ...asked, system: "writer", kind: "genre" });
    const human = rows.map((row) => average([row.r1, row.r2, row.r3]));
    const close = study.judges[0]!;
    expect(close.spearman.value).toBeCloseTo(
      spearmanOf(
        rows.map((row) => row.close),
        human,
      ),
      12,
    );
    expect(close.pearson.value).toBeCloseTo(
      pearsonOf(
        rows.map((row) => row.close),
        human,
      ),
      12,
    );

    const ceiling = average(
      RATERS.map((rater) =>
        spearmanOf(
          rows.map((row) => row[rater]),
          rows.map((row) => average(others(row, rater))),
        ),
      ),
    );
    expect(study.ceiling.spearman.value).toBeCloseTo(ceiling, 12);
    const beside = average(
      RATERS.map((rater) =>
        spearmanOf(
          rows.map((row) => row.close),
          rows.map((row) => average(others(row, rater))),
        ),
      ),
    );
    expect(close.besidePeople.value).toBeCloseTo(beside, 12);

    // Krippendorff's α for intervals without gaps: 1 less the disagreement within texts over that of any two ratings.
    const all = rows.flatMap((row) => RATERS.map((rater) => row[rater]));
    let [observed, expected] = [0, 0];
    for (const row of rows)
      for (const one of RATERS)
        for (const other of RATERS) if (one !== other) observed += (row[one] - row[other]) ** 2 / 2;
    for (const one of all) for (const other of all) expected += (one - other) ** 2;
    expect(study.ceiling.alpha.value).toBeCloseTo(
      1 - observed / all.length / (expected / (all.length * (all.length - 1))),
      12,
    );

    // Quadratic κ: 1 less the squared distance of pairs over that of all combinations of their marginals.
    const kappa = (one: readonly number[], other: readonly number[]) => {
      const distance = (a: readonly number[], b: readonly number[]) =>
        average(a.flatMap((left) => b.map((right) => (left - right) ** 2)));
      return 1 - average(one.map((left, at) => (left - other[at]!) ** 2)) / distance(one, other);
    };
    expect(close.kappa.value).toBeCloseTo(
      average(
        RATERS.map((rater) =>
          kappa(
            rows.map((row) => row.close),
            rows.map((row) => row[rater]),
          ),
        ),
      ),
      12,
    );

    // The alternative-annotator test: how often the judge is at least as close to the two others as the rater who is left out.
    RATERS.forEach((rater, at) => {
      const distance = (row: Row, value: number) =>
        Math.sqrt(average(others(row, rater).map((other) => (value - other) ** 2)));
      const won = rows.map((row) => (distance(row, row.close) <= distance(row, row[rater]) ? 1 : 0));
      const lost = rows.map((row) => (distance(row, row[rater]) <= distance(row, row.close) ? 1 : 0));
      expect(close.alternative!.raters[at]).toMatchObject({ n: 40, judge: average(won), rater: average(lost) });
    });
    expect(close.alternative!.passes).toBe(true);
    expect(study.judges[1]!.alternative!.passes).toBe(false);

    const without = [0, 1, 2, 3, 4].map((writer) => {
      const kept = rows.map((_, place) => place).filter((place) => place % 5 !== writer);
      return spearmanOf(
        kept.map((place) => rows[place]!.loose),
        kept.map((place) => human[place]!),
      );
    });
    const whole = study.judges[1]!.spearman.value!;
    const farthest = without.reduce((most, one) => (Math.abs(one - whole) > Math.abs(most - whole) ? one : most));
    if (Math.abs(farthest - whole) >= 0.1) expect(study.judges[1]!.carriedBy!.without).toBeCloseTo(farthest, 12);
    else expect(study.judges[1]!.carriedBy).toBeNull();

    const myths = rows.map((_, place) => place).filter((place) => place % 2 === 0);
    expect(close.kinds.find(({ kind }) => kind === "myth")).toMatchObject({
      n: 20,
      spearman: {
        value: expect.closeTo(
          spearmanOf(
            myths.map((at) => rows[at]!.close),
            myths.map((at) => human[at]!),
          ),
          12,
        ),
      },
    });
  });

  it("answers in two sentences, and plans what is open", async () => {
    const clear = await trustJudges(TABLE, { ...asked, judge: ["close", "loose"] });
    const [whom, open] = trustAnswer(clear);
    expect(whom).toMatch(
      /^Trust close in place of a person: it agrees with people at ρ = 0\.\d\d \(.*\), where one person agrees with the others at 0\.\d\d/,
    );
    expect(open).toMatch(/^That it is better than loose is settled/);
    const near = await trustJudges(TABLE, { ...asked, judge: ["close", "hundred"] });
    const { plan } = near.study;
    if (!plan.isSettled) expect(plan.textsToTell === null || plan.textsToTell > 40).toBe(true);
    const useless = await trustJudges(TABLE, { ...asked, judge: ["loose"] });
    expect(trustAnswer(useless)[0]).toMatch(
      /^None of these judges is shown to agree with people on these texts: the nearest is loose/,
    );
  });

  it("reads one row per rating, lists of ratings, and scores in files of their own, with the same result", async () => {
    const wide = (await trustJudges(TABLE, { ...asked, judge: ["close"] })).study;
    const long = file(
      "long.csv",
      csv(
        rows.flatMap((row) =>
          RATERS.map((rater) => ({ story: row.id, who: rater, rating: row[rater], close: row.close })),
        ),
      ),
    );
    const lists = file(
      "lists.jsonl",
      rows
        .map((row) => JSON.stringify({ id: row.id, ratings: RATERS.map((rater) => [row[rater], row[rater]]) }))
        .join("\n"),
    );
    const scores = file(
      "close.jsonl",
      rows.map(({ id, close }) => JSON.stringify({ id, overall: { kind: "scored", score: close } })).join("\n"),
    );
    const studies = await Promise.all([
      trustJudges(long, { human: ["rating"], judge: ["close"], id: "story", rater: "who", resamples: 50 }),
      trustJudges(long, { human: ["rating"], judge: ["close"], id: "story", resamples: 50 }),
      trustJudges(lists, { human: ["ratings"], scores: [scores], resamples: 50 }),
    ]);
    for (const { study } of studies) {
      expect(study.ceiling.alpha.value).toBeCloseTo(wide.ceiling.alpha.value!, 12);
      expect(study.judges[0]!.spearman).toEqual(wide.judges[0]!.spearman);
    }
  });

  it("knows runs of a judge, their repeatability and what a judgement costs", async () => {
    const runs = rows.flatMap(({ id, hundred }) =>
      [0, 1].map((run) => ({ id, judge: "gpt", score: hundred + (run === 0 ? 4 : -4), cost: 0.002 })),
    );
    const { study, costs } = await trustJudges(TABLE, {
      ...asked,
      judge: ["close"],
      scores: [file("runs.csv", csv(runs))],
    });
    const gpt = study.judges.find(({ judge }) => judge === "gpt")!;
    // Two runs 8 apart have a variance of 32 within; the means vary by what the column does, less half of that.
    const values = rows.map(({ hundred }) => hundred);
    const between = values.reduce((sum, value) => sum + (value - average(values)) ** 2, 0) / 39 - 16;
    expect(gpt.reliability).toBeCloseTo(between / (between + 32), 10);
    expect(costs).toEqual({ gpt: 0.002 });
  });

  it("takes evaluations of two models as `fabula evaluate --out` wrote them", async () => {
    const evaluations = (judge: string, score: (row: Row) => number) =>
      file(
        `${judge}.jsonl`,
        rows
          .map((row) =>
            JSON.stringify({
              ...sampleEvaluation({ judge, overall: { kind: "scored", score: score(row) }, cost: 0.03, runs: 3 }),
              book: { ...sampleEvaluation().book, title: "Untitled", file: `stories/${row.id}.md` },
              repeats: { scores: [score(row) - 1, score(row), score(row) + 1], standardDeviation: 1, unscored: 0 },
            }),
          )
          .join("\n"),
      );
    const scores = [evaluations("gpt", ({ close }) => 20 * close), evaluations("claude", ({ loose }) => 20 * loose)];
    const { study, costs } = await trustJudges(TABLE, { human: [...RATERS], scores, resamples: 50 });
    const wide = await trustJudges(TABLE, { ...asked, judge: ["close"] });
    expect(study.judges.map(({ judge }) => judge)).toEqual(["gpt", "claude"]);
    expect(study.judges[0]!.spearman.value).toBeCloseTo(wide.study.judges[0]!.spearman.value!, 12);
    expect(costs.gpt).toBeCloseTo(0.01, 12);
  });

  it("reads what inspect_ai, promptfoo, Langfuse and LangSmith write", async () => {
    const expected = (await trustJudges(TABLE, { human: ["r1"], judge: ["close"], resamples: 0 })).study.judges[0]!
      .spearman.value;
    const samples = rows.map((row) => ({
      id: row.id,
      epoch: 1,
      input: "A story.",
      target: String(row.r1),
      scores: { close: { value: row.close } },
    }));
    const log = { version: 2, eval: { task: "stories", model: "openai/gpt" }, samples };
    const archive = Object.fromEntries(
      samples.map((sample) => [`samples/${sample.id}_epoch_1.json`, new TextEncoder().encode(JSON.stringify(sample))]),
    );
    const promptfoo = {
      results: {
        results: rows.map((row, at) => ({
          testIdx: at,
          vars: { id: row.id, human: row.r1 },
          provider: { id: "close" },
          score: 1,
          response: { output: `${row.close}` },
        })),
      },
    };
    const langfuse = rows.flatMap((row) => [
      { id: `a${row.id}`, traceId: row.id, name: "quality", value: row.r1, source: "ANNOTATION" },
      { id: `b${row.id}`, traceId: row.id, name: "close", value: row.close, source: "EVAL" },
    ]);
    const langsmith = rows.flatMap((row) => [
      { run_id: row.id, key: "quality", score: row.r1, feedback_source: { type: "app" } },
      { run_id: row.id, key: "close", score: row.close, feedback_source: { type: "model" } },
    ]);
    const files = [
      file("inspect.json", JSON.stringify(log)),
      file("inspect.eval", zipSync({ "header.json": new TextEncoder().encode("{}"), ...archive })),
      file("promptfoo.json", JSON.stringify(promptfoo)),
      file("langfuse.csv", csv(langfuse)),
      file("langsmith.jsonl", langsmith.map((row) => JSON.stringify(row)).join("\n")),
    ];
    for (const path of files) {
      const { study } = await trustJudges(path, { human: ["human"], resamples: 0 });
      expect([path, study.judges.map(({ judge }) => judge)]).toEqual([path, ["close"]]);
      expect(study.judges[0]!.spearman.value).toBeCloseTo(expected!, 12);
    }
  });

  it("writes what it read in the shapes that it reads, with the same result", async () => {
    const runs = rows.flatMap(({ id, hundred }) =>
      [0, 1].map((run) => ({ id, judge: "gpt", score: hundred + (run === 0 ? 4 : -4) })),
    );
    const scores = [file("twice.csv", csv(runs))];
    const shapes = ["csv", "jsonl", "inspect.json", "promptfoo.json", "langfuse.jsonl", "langsmith.jsonl"];
    for (const shape of shapes) {
      const out = join(folder, `export.${shape}`);
      const first = await trustJudges(TABLE, { ...asked, judge: ["close"], scores, resamples: 0, export: out });
      const isTable = shape === "csv" || shape === "jsonl";
      const again = await trustJudges(out, { human: isTable ? [...RATERS] : ["human"], resamples: 0 });
      expect([shape, again.study.judges.map(({ judge }) => judge).sort()]).toEqual([shape, ["close", "gpt"]]);
      for (const { judge, spearman, reliability } of first.study.judges) {
        const same = again.study.judges.find((one) => one.judge === judge)!;
        expect([shape, same.spearman.value, same.reliability]).toEqual([shape, spearman.value, reliability]);
      }
      expect(again.study.ceiling.alpha.value).toBeCloseTo(first.study.ceiling.alpha.value!, 12);
    }
    await expect(trustJudges(TABLE, { ...asked, export: join(folder, "export.xml") })).rejects.toThrow(
      /end the name of the export with \.csv, /,
    );
  });

  it("answers for HANNA's annotations, for readers' ratings and for editors' scores as they are published", async () => {
    const story = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8").split(/\s+/);
    const texts = Array.from({ length: 24 }, (_, at) => story.slice(at * 230, at * 230 + 230).join(" "));
    const input = file("texts.jsonl", texts.map((text, id) => JSON.stringify({ id, text })).join("\n"));
    const out = join(folder, "crowd.jsonl");
    await scoreTexts(input, { judge: "crowd", out });
    const crowd = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).overall.score as number);
    // Three workers of many rate each story; thirds of their sums must tie whatever the order in which they were added.
    const ratings = texts.map((_, at) => [1 + (at % 5), 1 + ((at * 3) % 5), 1 + ((at * 7) % 4)]);
    const sums = ratings.map((own) => own.reduce((sum, rating) => sum + rating, 0));
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const hanna = [
      "Story ID,Prompt,Story,Model,Coherence,Worker ID",
      ...texts.flatMap((text, at) =>
        ratings[at]!.map((rating, who) =>
          [at, at % 6, quoted(text), `m${at % 4}`, rating, `w${(at * 3 + who) % 50}`].join(","),
        ),
      ),
    ];
    const lines = (made: readonly object[]) => made.map((row) => JSON.stringify(row)).join("\n");
    const reports = [
      await trustJudges(file("hanna.csv", hanna.join("\n")), {
        human: ["Coherence"],
        rater: "Worker ID",
        system: "Model",
        item: "Prompt",
        judge: ["crowd"],
        resamples: 20,
      }),
      // Ratings of five aspects each, and other stories that nobody rated in this way.
      await trustJudges(
        file(
          "stories.jsonl",
          lines([
            ...texts.map((text, at) => ({
              text,
              writer: `m${at % 4}`,
              premise: String(at % 6),
              ratings: ratings[at]!.map((rating) => [rating, rating - 0.1, rating + 0.1, rating - 0.3, rating + 0.3]),
            })),
            { text: "Nobody read this one.", rating_0_to_1: 0.5 },
          ]),
        ),
        { human: ["ratings"], system: "writer", item: "premise", resamples: 20 },
      ),
    ];
    for (const { study } of reports) {
      expect(study.judges.find(({ judge }) => judge === "crowd")!.spearman.value).toBeCloseTo(
        spearmanOf(crowd, sums),
        12,
      );
      const left = (who: number) =>
        spearmanOf(
          ratings.map((own) => own[who]!),
          ratings.map((own, at) => sums[at]! - own[who]!),
        );
      expect(study.ceiling.spearman.value).toBeCloseTo((left(0) + left(1) + left(2)) / 3, 12);
    }
    const edits = file("edits.jsonl", lines(texts.map((text, at) => ({ text, score_1_to_10: sums[at]! }))));
    const { study } = await trustJudges(edits, { human: ["score_1_to_10"], resamples: 20 });
    expect(study.judges.map(({ judge }) => judge)).toEqual(["crowd", "editor", "grader"]);
    expect(study.judges[0]!.spearman.value).toBeCloseTo(spearmanOf(crowd, sums), 12);
    // Who agrees with nobody is not a person to stand in for.
    expect(trustAnswer(reports[0]!)[0]).not.toMatch(/in place of a person/);
  });

  it("takes HANNA's table of metrics: a row per system, a list per rater and metric", async () => {
    const writers = [...new Set(rows.map(({ writer }) => writer))];
    const list = (own: readonly Row[], column: Rater | "close") => JSON.stringify(own.map((row) => row[column]));
    const lists = writers.map((writer) => {
      const own = rows.filter((row) => row.writer === writer);
      const cells = [...RATERS, "close" as const].map((column) => `"${list(own, column)}"`);
      return [writer, ...cells].join(",");
    });
    const table = file("lists.csv", `Model,r1,r2,r3,close\n${lists.join("\n")}\n`);
    const options = { human: [...RATERS], judge: ["close"], resamples: 50 };
    const listed = await trustJudges(table, { ...options, system: "Model", item: "position" });
    const plain = await trustJudges(TABLE, { ...options, system: "writer" });
    expect(listed.study.texts).toBe(rows.length);
    expect(listed.study.judges[0]!.spearman.value).toBeCloseTo(plain.study.judges[0]!.spearman.value!, 12);
    expect(listed.study.ceiling.spearman.value).toBeCloseTo(plain.study.ceiling.spearman.value!, 12);
    expect(listed.study.ceiling.alpha.value).toBeCloseTo(plain.study.ceiling.alpha.value!, 12);
  });

  it("says in one sentence what is missing", async () => {
    await expect(trustJudges(TABLE, {})).rejects.toThrow(/Say which columns hold the human ratings/);
    await expect(trustJudges(TABLE, { human: ["r1"], judge: ["nobody"] })).rejects.toThrow(/has no column "nobody"/);
    const other = file("other.jsonl", JSON.stringify({ id: "elsewhere", score: 3 }));
    await expect(trustJudges(TABLE, { human: ["r1"], scores: [other] })).rejects.toThrow(
      /No text of the table is named in/,
    );
  });
});
