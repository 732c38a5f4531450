import { mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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

  it("has three jurors, each with who is speaking, its own scale, its domain and its caveat", () => {
    const { jurors } = evaluation.jury!;
    expect(jurors.map(({ id, speaker, scale }) => [id, speaker, scale.minimum, scale.maximum])).toEqual([
      ["crowd", "readers of short stories online", 0, 100],
      ["editor", "professional editors", 1, 10],
      ["grader", "a language-model grader", 0, 20],
    ]);
    for (const { domain, caveat, percentile, noPercentile, overall } of jurors) {
      expect(overall.kind).toBe("scored");
      expect(caveat === null).toBe(domain === "inside");
      if (domain !== "inside") expect(percentile).toBeNull();
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
    ["one sentence, 100 times", "It rained. ".repeat(100), /one sentence repeated again and again/],
    ["one sentence, 3,000 times", "It rained. ".repeat(3000), /one sentence repeated again and again/],
    [
      "numbered sentences that all say the same",
      Array.from({ length: 900 }, (_, at) => `On day ${at + 1} it rained on the ${at % 7}th house.`).join(" "),
      /repeated again and again|repeats itself/,
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
    expect(jury!.jurors).toHaveLength(3);
    for (const juror of jury!.jurors) expect(juror.overall).toMatchObject(refused);
  });

  it("is refused from standard input, by the library and by `fabula score` as well", async () => {
    const rain = "It rained. ".repeat(3000);
    const refused = { kind: "unscored", reason: expect.stringMatching(/one sentence repeated again and again/) };
    const piped = await runFabula(["evaluate", "-", "--json"], { input: rain });
    expect([piped.code, JSON.parse(piped.stdout).overall]).toEqual([3, refused]);
    const { evaluateBook } = await import(pathToFileURL(join(process.cwd(), "dist", "index.js")).href);
    expect((await evaluateBook({ text: rain }, { judge: "editor" })).overall).toEqual(refused);
    for (const judge of ["crowd", "editor", "grader"]) {
      const scored = await runFabula(["score", "--in", "-", "--judge", judge, "--out", "-"], {
        input: `${JSON.stringify({ id: "rain", text: rain })}\n`,
      });
      expect(JSON.parse(scored.stdout).overall).toEqual(refused);
    }
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
    // Curly quotation marks make it UTF-8 beyond doubt.
    const text = readFileSync(STORY, "utf8").replaceAll('"', "”");
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x20])]);
    writeFileSync(join(folder, "broken.txt"), bytes);
    const { code, stdout } = await runFabula(["evaluate", "broken.txt", "--json"], { folder });
    expect(code).toBe(0);
    expect(bookEvaluationSchema.parse(JSON.parse(stdout)).book.warnings.join(" ")).toMatch(/decode|encoding|bytes/i);
  });
});

describe("the letter of a manuscript with a passage that appears twice", () => {
  const folder = mkdtempSync(join(tmpdir(), "fabula-letter-"));
  const story = readFileSync(STORY, "utf8");
  const paragraphs = story.split("\n\n").filter((paragraph) => paragraph.split(" ").length > 60);
  writeFileSync(join(folder, "one.md"), `${story}\n\n${paragraphs[1]}\n`);
  writeFileSync(join(folder, "two.md"), story);

  it("says so first, the same at the terminal, in Markdown, in HTML and in JSON, and nothing of scores", async () => {
    const terminal = await runFabula(["evaluate", "one.md"], { folder });
    const json = await runFabula(["evaluate", "one.md", "--json"], { folder });
    for (const name of ["report.md", "report.html"]) {
      expect((await runFabula(["evaluate", "one.md", "--out", name], { folder })).code).toBe(0);
    }
    const [finding] = bookEvaluationSchema.parse(JSON.parse(json.stdout)).letter!.findings;
    expect(finding).toMatchObject({ kind: "repeated-passage", severity: "must", origin: "counted" });
    const reports = ["report.md", "report.html"].map((name) => readFileSync(join(folder, name), "utf8"));
    for (const report of [terminal.stdout, ...reports]) {
      const start = report.indexOf("In short");
      const letter = report.slice(start, report.indexOf("Not judged:", start));
      expect(letter).toMatch(/Must fix: any reader will stop here/);
      expect(letter).toContain(finding!.title);
      expect(letter).not.toMatch(/out of 100|What the judges say|an editor would/);
    }
  });

  it("says of the next draft that it is fixed, before anything else", async () => {
    const { stdout } = await runFabula(["evaluate", "two.md", "--against", "one.md"], { folder });
    expect(stdout).toMatch(
      /Since the earlier draft\nOf \d findings? in the earlier draft, 1 is fixed and \d still there; 0 are new\.\nFixed: A passage appears twice/,
    );
  });
});
