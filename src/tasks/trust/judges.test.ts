import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import { scoreTexts, trustJudges } from "../../index.ts";
import { trustAnswer, trustNotes, trustTables, trustWarnings } from "../../report/agreement/trust-report.ts";
import { onPeoplesScale, readCalibration } from "./calibration.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-trust-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/**
 * Forty texts for eight prompts by five writers: three raters, a judge close to them, a noisy one, and one outside
 * the scale of 1 to 5.
 */
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

    // Krippendorff's α for interval data without gaps: 1 minus the ratio of the disagreement within texts to that of
    // any two ratings.
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

    // Quadratic κ: 1 minus the ratio of the squared distance of pairs to that of all combinations of their marginals.
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

    // The alternative-annotator test: how often the judge is at least as close to the other two as the rater who is
    // left out.
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

  it("does not call it trust or failure where there is too little to tell", async () => {
    const equal = file("equal.csv", csv(rows.map((row) => ({ ...row, flat: 3, even: 4, few: "" }))));
    const flat = await trustJudges(equal, { ...asked, judge: ["flat", "even"] });
    expect(trustAnswer(flat)[1]).toBe(
      "There is no correlation to plan from (flat: all scores are equal; even: all scores are equal).",
    );
    const one = await trustJudges(equal, { ...asked, judge: ["close", "flat"] });
    expect(trustAnswer(one)[1]).toMatch(/^No other judge can be compared with it \(flat: all scores are equal\); its/);

    // One judge in 24 orders four texts perfectly by chance.
    const four = file(
      "four.csv",
      csv(rows.slice(0, 4).map((row, at) => ({ ...row, r1: at, r2: at, r3: at, close: at }))),
    );
    const perfect = await trustJudges(four, { ...asked, judge: ["close", "loose"] });
    expect(perfect.study.judges[0]!.spearman).toMatchObject({ value: 1, interval: null });
    expect(trustAnswer(perfect).join(" ")).toMatch(
      /^None of these judges is shown to agree .*: 4 texts are too few for an interval, which takes 15; the same holds for how sure its agreement is\.$/,
    );
    const some = file(
      "some.csv",
      csv(rows.map((row, at) => ({ ...row, few: at < 4 ? average([row.r1, row.r2, row.r3]) : "" }))),
    );
    expect((await trustJudges(some, { ...asked, judge: ["few", "close"] })).study.plan.best).toBe("close");

    // Thirty texts show a good order, but do not settle whether the judge can replace a person.
    const lucky = rows.slice(0, 30).map((row) => ({ ...row, near: onFive(row.r1 + (row.r1 + row.r2 < 5 ? 1 : 0)) }));
    const short = await trustJudges(file("short.csv", csv(lucky)), { ...asked, judge: ["near"] });
    expect(short.study.judges[0]!.alternative!.outcome).toBe("cannot be told");
    expect(trustAnswer(short)[0]).toMatch(/\(whether it may stand in for a person cannot be told from 30 texts/);
    expect(JSON.stringify(trustTables(short))).toContain("cannot be told (0 of 3)");
    expect(trustWarnings(short).join(" ")).toMatch(
      /cannot be told from these texts: near \((about \d[\d,]* texts that all rated would tell|if it is as close as it looks, )/,
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

  it("measures what a judge makes of its own verbosity and of the text that is shown first", async () => {
    const wordy = rows.map(({ id, close }, at) => ({
      id,
      judge: "gpt",
      score: close,
      reply_words: 40 * close + (at % 3),
    }));
    const shown = rows
      .slice(1)
      .map(({ id }, at) => ({ first: rows[at]!.id, second: id, winner: "first", judge: "gpt" }));
    const { health } = await trustJudges(TABLE, {
      ...asked,
      judge: ["loose"],
      scores: [file("wordy.csv", csv(wordy))],
      comparisons: file("shown.csv", csv(shown)),
    });
    const found = (judge: string) =>
      Object.fromEntries(health.find((one) => one.judge === judge)!.findings.map(({ check, state }) => [check, state]));
    expect(found("gpt")).toMatchObject({ verbosity: "problem", "position-bias": "problem" });
    expect(found("loose")).toMatchObject({ verbosity: "unknown", "position-bias": "unknown" });
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
    // Each story is rated by three of many workers. Sums in thirds must tie, whatever the order of addition.
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
      // Ratings of five aspects each, and other stories that were not rated this way.
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
    // A rater who agrees with nobody is no person that a judge could replace.
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

describe("a table with faults", () => {
  it("names a value that does not fit its column, and lets no judge stand in for people who are not shown to agree", async () => {
    const slips = rows.map((row, at) => ({
      ...row,
      r2: at === 7 ? 99 : row.r2,
      r3: at === 9 ? 2.5 : row.r3,
      close: at === 11 ? 44 : row.close,
    }));
    const slipped = await trustJudges(file("slips.csv", csv(slips)), { ...asked, judge: ["close"] });
    const warnings = trustWarnings(slipped).join("\n");
    expect(warnings).toContain("r2 has 99 for t7, far outside its other values (1 to 5)");
    expect(warnings).toContain("r3 has 2.5 for t9, where all others are whole numbers");
    expect(warnings).toContain("close has 44 for t11, far outside its other values (1 to 5)");
    expect(slipped.study.strays).toHaveLength(3);
    const one = rows.map((row, at) => ({ ...row, r2: at === 7 ? 99 : row.r2 }));
    const apart = await trustJudges(file("slip.csv", csv(one)), { ...asked, judge: ["close"], resamples: 200 });
    expect(apart.study.ceiling.alpha.interval![0]).toBeLessThanOrEqual(0);
    expect(apart.study.judges[0]!.alternative!.passes).toBe(true);
    expect(trustAnswer(apart)[0]).not.toContain("in place of a person");
    expect(trustWarnings(apart).join("\n")).toMatch(/One text carries r of close: without t7 it is/);
    expect(trustWarnings(apart).join("\n")).toContain("People are not shown to agree with each other");
    expect(trustTables(apart)[0]!.rows[0]!.at(-2)).toBe("–");
    expect((await trustJudges(TABLE, asked)).study.strays).toEqual([]);
  });

  it("asks about values that lie together far from all others, and about raters on another scale", async () => {
    const warningsOf = async (name: string, changed: (row: Row, at: number) => Partial<Record<Rater, number>>) => {
      const table = file(name, csv(rows.map((row, at) => ({ ...row, ...changed(row, at) }))));
      const report = await trustJudges(table, { ...asked, judge: ["close"], resamples: 20 });
      return { warnings: trustWarnings(report).join("\n"), answer: trustAnswer(report)[0]! };
    };
    const coded = await warningsOf("coded.csv", (_, at) => (at % 8 === 0 ? { r2: 99 } : {}));
    expect(coded.warnings).toContain(
      "r2 has 99 for 5 texts, far from all its other values (1 to 5): if it stands for no rating, leave those cells empty",
    );
    expect(coded.answer).toMatch(/^As the table stands, with the values that the warnings name, (trust|none)/);
    const negative = await warningsOf("negative.csv", (_, at) => (at % 8 === 0 ? { r2: -1 } : {}));
    expect(negative.warnings).toContain("r2 has -1 for 5 texts, far from all its other values (1 to 5): if it stands");
    const dated = await warningsOf("dated.csv", (row, at) => (at % 8 === 0 ? { r1: 46_000 + row.r1 } : {}));
    expect(dated.warnings).toMatch(/r1 has 4600\d, .* for 5 texts, .*: a spreadsheet has perhaps made dates of them/);
    const scales = await warningsOf("scales.csv", (row) => ({ r3: 20 * row.r3 }));
    expect(scales.warnings).toContain("r3 rates from 20 to 100, all others from 1 to 5: if these are two scales");
    const plain = await warningsOf("as-before.csv", () => ({}));
    expect(plain.answer).toMatch(/^Trust close/);
    expect(plain.warnings).not.toMatch(/far from|two scales|take turns/);
  });

  it("takes neither the raters' own mean nor a rater nor a number of rows for a judge", async () => {
    const mean = ({ r1, r2, r3 }: Row) => ((r1 + r2 + r3) / 3).toFixed(2);
    const middle = ({ r1, r2, r3 }: Row) => [r1, r2, r3].sort()[1]!;
    const table = file(
      "means.csv",
      csv(
        rows.map(({ id, ...row }, at) => ({
          id,
          nr: at + 1,
          ...row,
          average: mean({ id, ...row }),
          median: middle({ id, ...row }),
        })),
      ),
    );
    const report = await trustJudges(table, { human: [...RATERS], resamples: 0 });
    expect(report.study.judges.map(({ judge }) => judge)).toEqual(["close", "loose", "hundred"]);
    expect(trustNotes(report)).toEqual(
      expect.arrayContaining([
        "Assumed to be judges, because --judge names none: close, loose, hundred.",
        "Not taken for a judge: nr, since it numbers the texts.",
        "Not taken for a judge: average, since it is the mean of the raters.",
        "Not taken for a judge: median, since it is the median of the raters.",
      ]),
    );
    await expect(trustJudges(table, { human: [...RATERS], judge: ["close", "average"] })).rejects.toThrow(
      /"average" is no judge of .*: it is the mean of the raters, and nobody is compared with themselves/,
    );
    await expect(trustJudges(table, { human: ["r1", "close"], judge: ["close"] })).rejects.toThrow(
      /"close" is no judge of .*: it is one of --human/,
    );
  });

  it("knows an embedded judge by a file of its scores too, and says which texts it has learnt from", async () => {
    const story = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8").split(/\s+/);
    const texts = Array.from({ length: 24 }, (_, at) => ({
      id: at,
      text: story.slice(at * 230, at * 230 + 230).join(" "),
    }));
    const input = file("to-score.jsonl", texts.map((text) => JSON.stringify(text)).join("\n"));
    const out = join(folder, "by-the-crowd.jsonl");
    await scoreTexts(input, { judge: "crowd", out });
    const scored = readFileSync(out, "utf8").trim().split("\n");
    const ratings = scored
      .map((line) => JSON.parse(line))
      .map(({ id, overall }) => `${id},${Math.round(overall.score)}`);
    const table = file("as-the-crowd.csv", `id,rating\n${ratings.join("\n")}\n`);
    const report = await trustJudges(table, { human: ["rating"], scores: [out], resamples: 200 });
    expect(report.learned).toMatchObject([{ judge: "by-the-crowd", isSuspected: true }]);
    expect(trustAnswer(report)[0]).toMatch(/^by-the-crowd agrees .* but its card has .* for texts held back/);
    await expect(scoreTexts(table, { judge: "crowd", out })).rejects.toThrow(/is a table, and score reads JSONL/);
  });

  it("names texts that stand twice, and judges whose lower scores are the better ones", async () => {
    const texts = rows.map((row, at) => ({ ...row, text: `Story ${at === 9 ? 3 : at}`, close: 6 - row.close }));
    const report = await trustJudges(file("texts-twice.csv", csv(texts)), { ...asked, judge: ["close"] });
    const warnings = trustWarnings(report).join("\n");
    expect(warnings).toContain(
      "The same text stands under several names and counts as often: t3 = t9. Keep one of each.",
    );
    expect(warnings).toMatch(/close is against people \(ρ = −0\.\d\d .*: if its lower scores are the better ones/);
  });

  it("compares raters by name, also beside some who rated little, and asks for --rater", async () => {
    // Two strict raters and a lenient one take turns, so ratings of one text differ more in the order of their rows
    // than those of two texts.
    const people = ["ann", "bob", "cy"];
    const leniency = { ann: -3, bob: 3, cy: 3, dee: 0 };
    const ratings = Array.from({ length: 60 }, (_, at) => {
      const turn = people
        .map((_, who) => people[(who + at) % 3]!)
        .map((who, place) => (at === 5 && place === 0 ? "dee" : who));
      return turn.map((who) => ({ id: `t${at}`, who, score: (at % 5) + leniency[who as "ann"], close: at % 5 }));
    }).flat();
    const table = file("turns.csv", csv(ratings));
    const options = { human: ["score"], judge: ["close"], resamples: 50 };
    const named = await trustJudges(table, { ...options, rater: "who" });
    expect(named.human.toSorted()).toEqual(["ann", "bob", "cy", "others 1"]);
    expect(named.study.ceiling.spearman.value).toBeGreaterThan(0.9);
    const inOrder = await trustJudges(table, options);
    expect(inOrder.human).toEqual(["rating 1", "rating 2", "rating 3"]);
    expect(trustWarnings(inOrder).join("\n")).toContain('say who rated with --rater "who"');
    const wide = Array.from({ length: 60 }, (_, at) => {
      const own = ratings.filter(({ id }) => id === `t${at}`).map(({ score }) => score);
      return { id: `t${at}`, r1: own[0], r2: own[1], r3: own[2], close: at % 5 };
    });
    const slots = await trustJudges(file("slots.csv", csv(wide)), { ...asked, judge: ["close"] });
    expect(slots.study.ceiling.alpha.interval![1]).toBeLessThan(0);
    expect(trustWarnings(slots).join("\n")).toContain("strict and lenient people take turns in the columns");
  });

  it("refuses a text that stands twice while each rater has a column", async () => {
    const twice = file("id-twice.csv", csv(rows.map((row) => (row.id === "t8" ? { ...row, id: "t3" } : row))));
    await expect(trustJudges(twice, { ...asked, judge: ["close"] })).rejects.toThrow(
      /"t3" stands in rows 4, 9 of .* where each rater has a column a text has one row/,
    );
  });

  it("does not put ratings of different texts on different scales together", async () => {
    const halves = rows.map(({ id, close, r1 }, at) => ({
      id,
      close,
      r1: at < 22 ? r1 : "",
      r2: at < 22 ? "" : r1 + 5,
    }));
    const wide = file("halves.csv", csv(halves));
    const long = file(
      "halves-long.csv",
      csv(
        rows.map(({ id, close, r1 }, at) => ({ id, close, who: at < 22 ? "r1" : "r2", rating: at < 22 ? r1 : r1 + 5 })),
      ),
    );
    const reports = [
      await trustJudges(wide, { human: ["r1", "r2"], judge: ["close"], resamples: 20 }),
      await trustJudges(long, { human: ["rating"], rater: "who", judge: ["close"], resamples: 20 }),
    ];
    const first = rows.slice(0, 22);
    for (const report of reports) {
      expect(report.human).toEqual(["r1"]);
      expect(report.unrated).toBe(0);
      expect(report.study.judges[0]!.spearman.value).toBeCloseTo(
        spearmanOf(
          first.map(({ close }) => close),
          first.map(({ r1 }) => r1),
        ),
        12,
      );
      expect(trustWarnings(report)[0]).toBe(
        "Left out: r2 (18 texts, rated 6 to 10). No text is shared with r1 (22 texts, rated 1 to 5), and the range is another, so the ratings cannot be put together.",
      );
    }
    const same = halves.map((row) => ({ ...row, r2: row.r2 === "" ? "" : Number(row.r2) - 5 }));
    const pooled = await trustJudges(file("same.csv", csv(same)), {
      human: ["r1", "r2"],
      judge: ["close"],
      resamples: 20,
    });
    expect(pooled).toMatchObject({ human: ["r1", "r2"], apart: [] });
  });

  it("says which α and κ it gives", async () => {
    const report = await trustJudges(TABLE, { ...asked, judge: ["close"], resamples: 0 });
    expect(trustNotes(report).join(" ")).toMatch(
      /α with interval distances 0\.\d\d; κ of two people with quadratic weights 0/,
    );
    expect(trustTables(report)[0]!.note).toContain("κ has quadratic weights");
  });

  it("says how many ratings of which rater are missing", async () => {
    const gaps = rows.map((row, at) => ({ ...row, r1: at < 3 ? "NaN" : row.r1, r3: at === 5 ? "" : row.r3 }));
    const report = await trustJudges(file("gaps.csv", csv(gaps)), { ...asked, judge: ["close"], resamples: 0 });
    expect(trustWarnings(report)).toContain(
      "Without a rating: r1 for 3 texts, r3 for 1 text; people's figures are of the ratings there are.",
    );
  });

  it("keeps intervals on people's scale within its ends, and counts one text as one", async () => {
    const settings = {
      hash: "0",
      judges: ["gpt"],
      method: "summary",
      protocol: "scores",
      rubric: { id: "r", version: 1, hash: "0" },
      aspects: [],
      definitions: true,
      language: "en",
      temperature: null,
      summariser: null,
      chapterSummaries: false,
      segmentWords: null,
      runs: 1,
      untilHalfWidth: null,
      prompts: {},
    };
    const evaluated = (name: string, score: number) => ({
      ...sampleEvaluation({ judge: "gpt", overall: { kind: "scored", score }, settings }),
      book: { ...sampleEvaluation().book, title: name, file: `${name}.md` },
    });
    const judged = rows.map((row) => JSON.stringify(evaluated(row.id, 20 * row.close)));
    const calibration = join(folder, "people.json");
    const scores = [file("judged.jsonl", judged.join("\n"))];
    const report = await trustJudges(TABLE, { human: [...RATERS], scores, calibration, resamples: 0 });
    const [low, high] = [20, 100].map((score) => evaluated("new", score));
    const read = await readCalibration(calibration);
    expect(read.people.ends).toEqual([1, 5]);
    const intervals = [low!, high!].map((one) => {
      const verdict = onPeoplesScale(one, read).people!.verdict;
      return verdict.kind === "scored" ? verdict.interval! : [];
    });
    expect(intervals[0]![0]).toBe(1);
    expect(intervals[1]![1]).toBe(5);

    const { study } = report;
    const [judge] = study.judges;
    const near = {
      ...study,
      judges: [{ ...judge!, spearman: { value: 0.5, interval: [0.3, 0.7] as const } }],
      plan: { ...study.plan, textsForPrecision: judge!.n + 1 },
    };
    expect(trustAnswer({ ...report, study: near })[1]).toContain("1 more text (41 in all) would give");
  });
});
