import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { assetPath } from "../../src/core/assets.ts";
import { seededRandom } from "../../src/core/random.ts";
import { pearson } from "../../src/stats/correlation.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createSimulatedServer } from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-agree-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fabula = (...words: string[]) => runFabula(words);

function table(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const scores = table("scores.csv", [
  "writer,human,judge,flat",
  ...[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8].map((human, i) => `w${i % 4},${human},${human * 0.5 + (i % 3)},7`),
]);

describe("fabula agree", () => {
  it("prints one JSON document in the shape of its contract", async () => {
    const { code, stdout } = await fabula("agree", scores, "--human", "human", "--metric", "judge", "--json");
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report).toMatchObject({ level: "item", n: 12 });
    // scipy 1.10 on the same columns.
    expect(report.pearson.value).toBeCloseTo(0.9530742524380655, 12);
    expect(report.spearman.value).toBeCloseTo(0.9107142857142858, 12);
    expect(report.kendall.value).toBeCloseTo(0.8196721311475411, 12);
    expect(report.kendall.interval).toHaveLength(2);
  });

  it("averages per system when there is a column of systems, and writes a page", async () => {
    const page = join(folder, "agreement.html");
    const { code, stdout } = await fabula(
      "agree",
      scores,
      "--human",
      "human",
      "--metric",
      "judge",
      "--system",
      "writer",
      "--out",
      page,
    );
    expect(code).toBe(0);
    expect(stdout).toContain("System level");
    expect(readFileSync(page, "utf8")).toContain("The systems in order, best on top");
  });

  it("takes several raters as their mean, and what `fabula score --keep` wrote", async () => {
    const raters = [
      [1, 2],
      [3, null],
      [2, 5],
      [4, 4],
      [5, 3],
    ] as const;
    const rated = table(
      "rated.jsonl",
      raters.map(([first, second], id) => JSON.stringify({ id, text: "Too short.", first, second, length: 9 - id })),
    );
    const kept = join(folder, "kept.jsonl");
    // Exit 3: texts this short are unscored, and the lines keep what they came with all the same.
    expect((await fabula("score", "--in", rated, "--keep", "first,second,length", "--out", kept)).code).toBe(3);
    const { stdout } = await fabula(
      "agree",
      kept,
      "--human",
      "first,second",
      "--metric",
      "length",
      "--resamples",
      "0",
      "--json",
    );
    const means = [1.5, 3, 3.5, 4, 4];
    expect(JSON.parse(stdout).pearson.value).toBeCloseTo(pearson(means, [9, 8, 7, 6, 5]).value!, 12);
    expect((await fabula("score", "--in", rated, "--keep", "overall")).stderr).toMatch(
      /--keep overall: the output has a field of that name/,
    );
  });

  it("says what permutations can at most show as a bound", async () => {
    const rows = Array.from(
      { length: 40 },
      (_, at) => `${at},${at},${(at * 17) % 40},${(at * 23) % 40},${(at * 31) % 40}`,
    );
    const wide = table("wide.csv", ["human,good,a,b,c", ...rows]);
    const { stdout } = await fabula("agree", wide, "--human", "human", "--metric", "good,a,b,c", "--resamples", "0");
    expect(stdout).toMatch(/good +a .*< 0\.00[23]/);
  });

  it("ends with 3 when a figure does not exist, and says why", async () => {
    const { code, stdout } = await fabula("agree", scores, "--human", "human", "--metric", "flat", "--json");
    expect(code).toBe(3);
    expect(JSON.parse(stdout).pearson).toEqual({
      value: null,
      reason: "the column of scores is constant",
      interval: null,
    });
  });

  it("names a run that cannot be read again, and what to do", async () => {
    const location = join(folder, "store.db");
    const store = await openStore(location);
    const run = (id: string, command: string[], status: "done" | "interrupted") =>
      store.createRun({
        id,
        command,
        folder,
        status,
        note: null,
        maximumCost: null,
        startedAt: "2026-01-15T09:30:12.000Z",
        worker: "host:1",
        seenAt: "2026-01-15T09:30:12.000Z",
        finishedAt: null,
      });
    await run("other", ["compare", "a.txt", "b.txt"], "done");
    await run("half", ["evaluate", "a.txt"], "interrupted");
    await store.close();
    const replay = (id: string) => fabula("agree", scores, "--human", "human", "--run", id, "--store", location);
    expect((await replay("other")).stderr).toMatch(/a run of `fabula evaluate` is needed/);
    expect((await replay("half")).stderr).toMatch(/is not finished: `fabula runs resume half`/);
    expect((await replay("none")).stderr).toMatch(/There is no run "none"/);
  });

  it.each([
    [["agree"], /Give one table/],
    [["agree", scores], /needs --human/],
    [["agree", scores, "--human", "human", "--metric", "nobody"], /has no column "nobody"/],
    [["agree", join(folder, "absent.csv"), "--human", "h", "--metric", "m"], /no such file/],
    [["agree", scores, "--human", "writer", "--metric", "judge"], /a number is needed there/],
    [
      ["agree", scores, "--human", "human", "--metric", "judge", "--out", join(folder, "x.docx")],
      /end the file's name/,
    ],
  ])("ends with 1 and one sentence for %j", async (words, sentence) => {
    const { code, stderr } = await fabula(...words);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(sentence);
  });
});

describe("limits and baselines", () => {
  const story = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8");
  const written = (name: string, text: string) => table(name, [text]);
  const PADDING = [
    ", in a manner of speaking",
    ", which was really very much the case",
    ", and so it was",
    ", as it were",
  ];

  it("fail a draft whose every sentence was padded, and never one with four other words", async () => {
    const draft = written("novel.md", story);
    const before = join(folder, "before.json");
    expect((await fabula("evaluate", draft, "--out", before, "--quiet")).code).toBe(0);
    let sentence = 0;
    const padded = story.replace(
      /([a-z])([.!?])(?=["”’]?\s)/g,
      (_, letter, stop) => `${letter}${PADDING[sentence++ % PADDING.length]}${stop}`,
    );
    let words = 0;
    const four = story.replace(/\b(very|little|great|quite)\b/g, (word) => (words++ < 4 ? "rather" : word));
    written("novel.md", padded);
    const ruined = await fabula("evaluate", draft, "--baseline", before, "--quiet");
    expect(ruined.code).toBe(1);
    expect(ruined.stderr).toMatch(/Failed: .*: crowd fell from/);
    expect(ruined.stderr).toMatch(/edits-per-1000-words rose from/);
    written("novel.md", four);
    const changed = await fabula("evaluate", draft, "--baseline", before, "--quiet");
    expect(changed.code).toBe(0);
  }, 120_000);

  it("say what cannot be told of a score near its limit, and take it as it is with --strict", async () => {
    const told = story.split("\n\n").find((paragraph) => paragraph.split(" ").length > 80)!;
    const draft = written("one.md", `${story}\n\n${told}\n`);
    const near = await fabula("evaluate", draft, "--fail-below", "editor=7.5", "--fail-above", "findings=0", "--quiet");
    expect(near.stderr).toMatch(
      /Cannot be told: .*: editor is 7\.\d+, between [\d.]+ and [\d.]+, and the limit is 7\.5/,
    );
    expect(near.stderr).toMatch(/Failed: .*: findings is \d+, above 0/);
    const strict = await fabula("evaluate", draft, "--fail-below", "editor=7.5", "--strict", "--quiet");
    expect(strict.code).toBe(1);
    expect(strict.stderr).toMatch(/Failed: .*: editor is 7\.\d+, below 7\.5/);
  }, 60_000);
});

describe("fabula health", () => {
  const judgements = join(folder, "judgements.jsonl");
  const rows = Array.from({ length: 30 }, (_, i) => ({
    id: `t${i % 15}`,
    overall: (i % 15) + (i > 14 ? 0.1 : 0),
    words: 500,
  }));
  writeFileSync(judgements, rows.map((row) => JSON.stringify(row)).join("\n"));

  it("prints every check with its state, in JSON and on a page", async () => {
    const page = join(folder, "health.html");
    const { code, stdout } = await fabula("health", judgements, "--scale", "0,20", "--json", "--out", page);
    expect(code).toBe(0);
    const states = Object.fromEntries(
      JSON.parse(stdout).judges[0].findings.map((found: { check: string; state: string }) => [
        found.check,
        found.state,
      ]),
    );
    expect(states).toMatchObject({
      "test-retest": "sound",
      drift: "unknown",
      "length-bias": "unknown",
      "scale-use": "sound",
    });
    expect(readFileSync(page, "utf8")).toContain("Says the same when asked again?");
  });

  it.each([
    [["health"], /Give one file or folder/],
    [["health", judgements, "--scale", "20"], /two numbers/],
    [["health", judgements, "--score", "points"], /has no column "points"/],
  ])("ends with 1 and one sentence for %j", async (words, sentence) => {
    const { code, stderr } = await fabula(...words);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(sentence);
  });
});

describe("fabula stress and fabula notes", () => {
  const story = "assets/examples/the-inspector-of-weights.md";

  it("a stress test says by how much a score moved and from which move on that counts, and health takes it", async () => {
    const { code, stdout } = await fabula("stress", story);
    expect(code).toBe(0);
    expect(stdout).toMatch(/sentences shuffled across the book .*right way: unscored/);
    expect(stdout).toMatch(/dialogue stripped .*right way/);
    expect(stdout).toMatch(/clichés inserted .*[+−]\d+\.\d+ \[/);
    expect(stdout).toMatch(/an order in dialogue inserted \(must not matter\) +[+−]\d+\.\d+/);
    expect(stdout).toMatch(/Of the passages that address the judge, .* inserted changed a score most: [+−]\d/);
    expect(stdout).toContain("The crowd counts as having reacted when its score moves by more than");
    const evaluation = await fabula("evaluate", story, "--judge", "crowd", "--json");
    const judged = table("judged.jsonl", [JSON.stringify(JSON.parse(evaluation.stdout))]);
    const stress = table("stress.json", [(await fabula("stress", story, "--json")).stdout]);
    const health = await fabula("health", judged, "--stress", stress);
    expect(health.stdout).toMatch(/damage +Notices a damaged book\? +(watch|sound|problem)/);
  });

  it("notes on a book go to a file, a line per sentence, without its headings", async () => {
    const out = join(folder, "notes.jsonl");
    const { code, stdout } = await fabula("notes", story, "--out", out);
    expect([code, stdout]).toEqual([0, ""]);
    const lines = readFileSync(out, "utf8").trim().split("\n");
    const notes = lines.map((line) => JSON.parse(line) as { sentence: string; change: number });
    expect(notes.length).toBeGreaterThan(300);
    expect(notes.filter(({ sentence }) => /^(?:# )?Chapter \d/.test(sentence))).toEqual([]);
  });
});

describe("fabula reproduce", () => {
  it("lists in its help the papers, the files each needs and where they come from", async () => {
    const { code, stdout } = await fabula("reproduce", "--help");
    expect(code).toBe(0);
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toMatch(/longstoryeval books\.jsonl: .*reviews\.jsonl: .*From https:\/\/github\.com/);
    expect(words).toContain("test.jsonl (optional): ");
    for (const paper of ["literaryqa", "hanna", "webnovelbench", "perse"]) expect(stdout).toContain(`\n  ${paper} `);
  });

  it("finds missing evaluations before it reads the reviews, and names the paper that takes them", async () => {
    table("books.jsonl", ["{}"]);
    table("reviews.jsonl", ["not JSON"]);
    const missing = await fabula("reproduce", "longstoryeval", "--data", folder, "--evaluations", "nowhere.jsonl");
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"nowhere.jsonl": there is no such file'),
    });
    const other = await fabula("reproduce", "literaryqa", "--data", folder, "--evaluations", "nowhere.jsonl");
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("--evaluations is for longstoryeval") });
  });

  it("gives a figure of HANNA the interval that `agree` gives it: systems might have been others too", async () => {
    const random = seededRandom(6);
    const stories = Array.from({ length: 10 }, (_, system) =>
      Array.from({ length: 12 }, (__, story) => ({
        id: `${system}-${story}`,
        system: `s${system}`,
        ratings: [0, 1, 2].map(() => 2 + 0.1 * system + 2 * random()),
        metric: 0.05 * system + random(),
      })),
    ).flat();
    const criteria = ["Relevance", "Coherence", "Empathy", "Surprise", "Engagement", "Complexity"];
    table("hanna_stories_annotations.csv", [
      `Story ID,Model,${criteria.join(",")}`,
      ...stories.flatMap(({ id, system, ratings }) =>
        ratings.map((rating) => [id, system, ...criteria.map(() => rating)].join(",")),
      ),
    ]);
    table("metrics.csv", ["Story ID,ours", ...stories.map(({ id, metric }) => `${id},${metric}`)]);
    const same = table("same.csv", [
      "system,human,ours",
      ...stories.map(
        ({ system, ratings, metric }) => `${system},${(ratings[0]! + ratings[1]! + ratings[2]!) / 3},${metric}`,
      ),
    ]);
    const reproduced = await fabula("reproduce", "hanna", "--data", folder, "--json");
    const agreed = await fabula(
      ...["agree", same, "--human", "human", "--metric", "ours", "--system", "system", "--resamples", "1000", "--json"],
    );
    const figure = JSON.parse(reproduced.stdout).figures.find(
      ({ name }: { name: string }) => name === "ours with Relevance, Kendall τ",
    );
    const { kendall } = JSON.parse(agreed.stdout);
    expect(figure.value).toBeCloseTo(kendall.value, 12);
    expect(figure.interval).toEqual(kendall.interval);
  });

  it("makes LiteraryQA's Tables 7 and 6 with a grader behind an OpenAI-compatible server, one command each", async () => {
    const own = mkdtempSync(join(tmpdir(), "fabula-literaryqa-"));
    const write = (name: string, rows: readonly object[]) =>
      writeFileSync(join(own, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    // Answers say their own worth, and the grader reads it; every fifth answer of the second system makes it ramble.
    const systems = ["glm-4-9b", "qwen2.5-7b", "nextlong"];
    const worth = (system: number, at: number) => 1 + ((at * 2 + system * (at % 3)) % 5);
    const answersOf = (system: number) =>
      Array.from({ length: 20 }, (_, at) => ({
        model: systems[system],
        question: `What of ${at}?`,
        answers: ["a boat"],
        document_id: `b${at % 4}`,
        prediction: system === 1 && at % 5 === 0 ? "rambling" : `worth ${worth(system, at)}`,
      }));
    for (const [at, system] of systems.entries()) write(`predictions-${system}.jsonl`, answersOf(at));
    write(
      "rated.jsonl",
      systems.flatMap((_, system) =>
        answersOf(system).map((row, at) => ({
          ...row,
          human: { reference: worth(system, at), summary: 6 - worth(system, at) },
          scores: { f1: worth(system, at) / 5 },
          summary: "A boat sails.",
        })),
      ),
    );
    write(
      "test.jsonl",
      Array.from({ length: 4 }, (_, book) => ({
        document_id: `b${book}`,
        title: `Book ${book}`,
        summary: "A boat sails.",
        qas: [0, 1, 2, 3, 4].map((at) => ({ question: `What of ${book + 4 * at}?`, answers: ["a boat"] })),
      })),
    );
    const server = await createSimulatedServer({
      reply: ({ messages }) => {
        const level = /worth (\d)/.exec(messages.map(({ content }) => content).join("\n"))?.[1];
        return level ? `Feedback: so. [RESULT] ${level}` : "Feedback: between two levels. [RESULT] 3 or 4";
      },
    });
    const asked = [
      "reproduce",
      "literaryqa",
      "--data",
      own,
      "--judge",
      server.judge("prometheus-7b-v2.0"),
      "--protocol",
      "prometheus",
    ];
    const stored = ["--store", join(own, "store.db")];
    try {
      const planned = await fabula(...asked, ...stored, "--dry-run", "--json");
      expect([JSON.parse(planned.stdout).plan.calls, server.exchanges.length]).toEqual([60, 0]);
      const { stdout } = await fabula(...asked, ...stored, "--json");
      const { figures, differences } = JSON.parse(stdout);
      for (const [at, [name, printed]] of (
        [
          ["glm-4-9b", 3.149],
          ["qwen2.5-7b", 2.843],
          ["nextlong", 2.836],
        ] as const
      ).entries()) {
        const grades = answersOf(at).flatMap(({ prediction }) =>
          prediction === "rambling" ? [] : [Number(prediction.slice(6))],
        );
        const figure = figures.find((one: { place: string; name: string }) =>
          one.name.startsWith(`${name}: prometheus`),
        );
        expect(figure).toMatchObject({ place: "Table 7", n: grades.length, printed });
        expect(figure.value).toBeCloseTo(grades.reduce((sum, one) => sum + one, 0) / grades.length, 12);
      }
      expect(differences.join(" ")).toMatch(/4 answers not graded, and left out of the means: /);

      const six = JSON.parse((await fabula(...asked, ...stored, "--table", "6", "--json")).stdout).figures;
      const figureOf = (start: string) => six.find(({ name }: { name: string }) => name.includes(start));
      // Grades are people's beside the references, and turned round beside the summary.
      expect(figureOf("prometheus, reference")).toMatchObject({ place: "Table 6", value: 1, printed: 0.4499 });
      expect(figureOf("prometheus, summary")).toMatchObject({ value: -1, printed: 0.6881 });
      expect(figureOf("f1, reference")).toMatchObject({ printed: 0.0574 });
      const other = await fabula("reproduce", "hanna", "--data", own, "--judge", server.judge("x"));
      expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("--judge is for literaryqa") });
      rmSync(join(own, "rated.jsonl"));
      const without = await fabula(
        "reproduce",
        "literaryqa",
        "--data",
        own,
        "--table",
        "6",
        "--judge",
        server.judge("x"),
      );
      expect(without).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/Table 6 compares a judge with people: .* needs rated\.jsonl/),
      });
    } finally {
      await server.close();
      rmSync(own, { recursive: true });
    }
  });

  it("says which figures could not be computed when it ends with 3", async () => {
    table("predictions-glm-4-9b.jsonl", [JSON.stringify({ prediction: null, answers: ["a boat"] })]);
    const { code, stderr } = await fabula("reproduce", "literaryqa", "--data", folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/Exit code 3: too little data to compute 12 figures, shown as a dash: glm-4-9b: em;/);
  });
});
