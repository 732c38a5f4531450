import { mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { type BookEvaluation, bookEvaluationSchema } from "../../../src/judge/evaluation.ts";
import { readBook } from "../../../src/text/read-book.ts";
import { STORY } from "../../support/stories.ts";
import { runFabula } from "../run-fabula.ts";

describe("evaluating the bundled story offline", () => {
  let evaluation: BookEvaluation;
  beforeAll(async () => {
    const { code, stdout } = await runFabula(["evaluate", STORY, "--json"]);
    expect(code).toBe(0);
    evaluation = bookEvaluationSchema.parse(JSON.parse(stdout));
  });

  it("has the crowd's score on 0 to 100 as overall, inside a range that holds more than its chapters differ by", () => {
    const { overall, overallCourse, scale, jury } = evaluation;
    if (overall.kind !== "scored" || !overall.interval) throw new Error("the bundled story must be scored");
    expect(scale).toEqual({ minimum: 0, maximum: 100 });
    const [low, high] = overall.interval;
    expect(low).toBeLessThanOrEqual(overall.score);
    expect(high).toBeGreaterThanOrEqual(overall.score);
    const chapters = overallCourse.flatMap(({ verdict }) => (verdict.kind === "scored" ? [verdict.score] : []));
    expect(chapters).toHaveLength(evaluation.book.chapters.length);
    expect(high - low).toBeGreaterThan(Math.max(...chapters) - Math.min(...chapters));
    expect(jury).toMatchObject({ headline: "crowd" });
    expect(jury!.jurors[0]!.overall).toEqual(overall);
    // Whose opinion it is stands beside the number, for a program that reads no further.
    const { id: juror, speaker, caveat } = jury!.jurors[0]!;
    expect(evaluation.overallSpeaker).toEqual({ juror, speaker, caveat });
  });

  it("has three jurors, each with who is speaking, its own scale, its ground and its caveat", () => {
    const { jurors } = evaluation.jury!;
    expect(jurors.map(({ id, speaker, scale }) => [id, speaker, scale.minimum, scale.maximum])).toEqual([
      ["crowd", "readers of short stories online", 0, 100],
      ["editor", "professional editors", 1, 10],
      ["grader", "a language-model grader", 0, 20],
    ]);
    for (const { ground, caveat, percentile, noPercentile, overall } of jurors) {
      expect(overall.kind).toBe("scored");
      expect(caveat === null).toBe(ground === "inside");
      if (ground !== "inside") expect(percentile).toBeNull();
      expect(percentile === null).toBe(noPercentile !== null);
    }
    expect(jurors.map(({ criteria }) => criteria.length)).toEqual([0, 0, 11]);
  });

  it("has the eight aspects and grades none of them as if it had read the story", () => {
    expect(evaluation.aspects.map((aspect) => aspect.id)).toEqual([
      "plot",
      "characters",
      "writing",
      "world",
      "themes",
      "emotion",
      "enjoyment",
      "expectation",
    ]);
    for (const { id, verdict } of evaluation.aspects) {
      expect(verdict.kind).toBe("unscored");
      if (id !== "writing") expect(verdict).toEqual({ kind: "unscored", reason: "no offline judge reads a story" });
    }
  });

  it("quotes only what stands in the book, at the place it names, with how likely an editor changes it", async () => {
    const book = await readBook(STORY);
    const writing = evaluation.aspects.find(({ id }) => id === "writing")!;
    expect(writing.evidence.length).toBeGreaterThan(10);
    for (const { chapter, quote, start, end } of writing.evidence) {
      expect(book.chapters[chapter - 1]!.text.slice(start!, end!)).toBe(quote);
    }
    const likelihoods = (remarks: typeof writing.strengths) =>
      remarks.flatMap(({ evidence }) => evidence.map((at) => writing.evidence[at]!.change!));
    expect(Math.min(...likelihoods(writing.weaknesses))).toBeGreaterThan(Math.max(...likelihoods(writing.strengths)));
  });

  it("costs nothing, covers the whole book, and says so", () => {
    expect(evaluation).toMatchObject({
      judge: "jury",
      method: "aggregate",
      calls: 0,
      cost: 0,
      coverage: { share: 1 },
    });
  });

  it("gives the same answer twice", async () => {
    const { stdout } = await runFabula(["evaluate", STORY, "--json"]);
    expect(bookEvaluationSchema.parse(JSON.parse(stdout))).toEqual(evaluation);
  });
});

describe("one juror alone", () => {
  const evaluateBy = async (judge: string) => {
    const { code, stdout } = await runFabula(["evaluate", STORY, "--judge", judge, "--json"]);
    expect(code).toBe(0);
    return bookEvaluationSchema.parse(JSON.parse(stdout));
  };

  it.each([
    ["crowd", "crowd", { minimum: 0, maximum: 100 }, []],
    ["editor", "editor", { minimum: 1, maximum: 10 }, ["writing"]],
    ["grader", "grader", { minimum: 0, maximum: 20 }, []],
    ["pocket", "grader", { minimum: 0, maximum: 20 }, []],
  ])("by --judge %s speaks for the %s, on its scale", async (name, id, scale, scoredAspects) => {
    const { judge, scale: own, overall, aspects, jury } = await evaluateBy(name);
    expect({ judge, scale: own }).toEqual({ judge: id, scale });
    expect(jury!.jurors.map((juror) => juror.id)).toEqual([id]);
    expect(jury!.jurors[0]!.overall).toEqual(overall);
    const given = aspects.filter(({ verdict }) => verdict.kind === "scored");
    expect(given.map((aspect) => aspect.id)).toEqual(scoredAspects);
    for (const { verdict } of given) expect(verdict).toEqual(overall);
  });

  it("shows the grader's own criteria at the terminal, as criteria", async () => {
    const { stdout } = await runFabula(["evaluate", STORY, "--judge", "grader"]);
    expect(stdout).toMatch(/Overall: grader .* of 20 .*a language-model grader/);
    expect(stdout).toMatch(/Purple Prose \(less is better\)/i);
    expect(stdout).toMatch(/Not judged: plot and structure/);
  });
});

describe("reports", () => {
  it.each(["report.html", "report.md", "report.json"])("are written to %s and nowhere else", async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-"));
    const { code, stderr } = await runFabula(["evaluate", STORY, "--out", name], { folder });
    expect(code).toBe(0);
    expect(stderr).toContain(`The report is in ${name}`);
    expect(readdirSync(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), "utf8")).toContain("The Inspector of Weights");
  });

  it("need an ending that tells what to write, and lose nothing when it is missing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-"));
    const { code, stderr } = await runFabula(["evaluate", STORY, "--out", "report.xyz"], { folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/\.html, \.md, \.json/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a book the jury cannot judge", () => {
  it.each([
    ["too short", "It was a dark night. Nothing else was written.\n", /words/],
    [
      "in another language",
      `${"Es war einmal ein König, der hatte eine Tochter, und die war schön wie der Tag. ".repeat(40)}\n`,
      /German|not English/,
    ],
    [
      "no connected prose",
      `${"harbour copper seven lantern whereas gull invoice marble under tepid quorum vessel ".repeat(60)}\n`,
      /not connected|not English/,
    ],
  ])("because it is %s is unscored with the reason, and exits 3", async (_why, text, reason) => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-"));
    writeFileSync(join(folder, "book.txt"), text);
    const { code, stdout } = await runFabula(["evaluate", "book.txt", "--json"], { folder });
    expect(code).toBe(3);
    const { overall, aspects, jury } = bookEvaluationSchema.parse(JSON.parse(stdout));
    const refused = { kind: "unscored", reason: expect.stringMatching(reason) };
    expect(overall).toMatchObject(refused);
    expect(aspects).toHaveLength(8);
    for (const { verdict, evidence } of aspects)
      expect({ verdict, evidence }).toMatchObject({ verdict: refused, evidence: [] });
    for (const juror of jury!.jurors) expect(juror.overall).toMatchObject(refused);
  });
});

describe("bad input", () => {
  const folder = mkdtempSync(join(tmpdir(), "fabula-"));
  const files = {
    "empty.txt": () => new Uint8Array(),
    "binary.bin": () => Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256),
    "not-a-book.epub": () => zipSync({ "readme.txt": strToU8("hello") }),
    "outside.epub": () =>
      zipSync({
        mimetype: strToU8("application/epub+zip"),
        "META-INF/container.xml": strToU8(
          '<container><rootfiles><rootfile full-path="../../etc/passwd"/></rootfiles></container>',
        ),
        "../../escaped.xhtml": strToU8("<html><body><p>Out.</p></body></html>"),
      }),
    "bomb.epub": () =>
      zipSync({
        mimetype: strToU8("application/epub+zip"),
        "META-INF/container.xml": strToU8(
          '<container><rootfiles><rootfile full-path="content.opf"/></rootfiles></container>',
        ),
        "content.opf": new Uint8Array(220_000_000),
      }),
  };
  beforeAll(() => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content());
    writeFileSync(join(folder, "huge.txt"), "A line of a very long book.\n");
    truncateSync(join(folder, "huge.txt"), 200 * 1024 * 1024);
    mkdirSync(join(folder, "folder"));
  });

  it.each(["missing.txt", "folder", "huge.txt", ...Object.keys(files)])(
    "%s ends in one sentence and exit 1",
    async (name) => {
      const before = readdirSync(folder);
      const { code, stdout, stderr } = await runFabula(["evaluate", name, "--out", "report.html"], { folder });
      expect(code).toBe(1);
      expect(stdout).toBe("");
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toMatch(/^fabula: \S.*[.!]$/m);
      expect(stderr).not.toMatch(/unexpected|undefined|at .*\.js/);
      expect(readdirSync(folder)).toEqual(before);
    },
  );

  it("invalid UTF-8 is read, counted and reported, never fatal", async () => {
    const names = ["Anna", "Tom", "the clerk", "his sister", "the pilot", "no one"];
    const text = Array.from({ length: 40 }, (_, at) => {
      const [first, second] = [names[at % 6], names[(at * 5 + 1) % 6]];
      return `On day ${at} the rain had stopped — “before” the ferry came in, and ${first} saw ${second} at the café.`;
    }).join(" ");
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0xc3, 0x28]), Buffer.from(text)]);
    writeFileSync(join(folder, "broken.txt"), bytes);
    const { code, stdout } = await runFabula(["evaluate", "broken.txt", "--json"], { folder });
    expect(code).toBe(0);
    expect(bookEvaluationSchema.parse(JSON.parse(stdout)).book.warnings.join(" ")).toMatch(/decode|encoding|bytes/i);
  });
});
