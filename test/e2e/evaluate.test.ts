import { mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { type BookEvaluation, bookEvaluationSchema } from "../../src/judge/evaluation.ts";
import { readBook } from "../../src/text/read-book.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

describe("evaluating the bundled story offline", () => {
  let evaluation: BookEvaluation;
  beforeAll(async () => {
    const { code, stdout } = await runFabula(["evaluate", STORY, "--json"]);
    expect(code).toBe(0);
    evaluation = bookEvaluationSchema.parse(JSON.parse(stdout));
  });

  it("gives an overall score inside its interval and its place among the reference novels", () => {
    const { overall, overallPercentile, population } = evaluation;
    if (overall.kind !== "scored" || !overall.interval) throw new Error("the bundled story must be scored");
    expect(overall.interval[0]).toBeLessThanOrEqual(overall.score);
    expect(overall.interval[1]).toBeGreaterThanOrEqual(overall.score);
    expect(population?.size).toBe(80);
    expect(overallPercentile).not.toBeNull();
  });

  it("has the eight aspects, scored or with a reason, and a course over the chapters", () => {
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
    const judged = evaluation.aspects.filter((aspect) => aspect.verdict.kind === "scored");
    expect(judged.length).toBeGreaterThanOrEqual(4);
    for (const aspect of judged) expect(aspect.course).toHaveLength(evaluation.book.chapters.length);
  });

  it("quotes only what stands in the book, at the place it names", async () => {
    const book = await readBook(STORY);
    const quotations = evaluation.aspects.flatMap((aspect) => aspect.evidence);
    expect(quotations.length).toBeGreaterThan(10);
    for (const { chapter, quote, start, end } of quotations) {
      expect(book.chapters[chapter - 1]!.text.slice(start!, end!)).toBe(quote);
    }
  });

  it("costs nothing, covers the whole book, and says so", () => {
    expect(evaluation).toMatchObject({
      judge: "pocket",
      method: "aggregate",
      calls: 0,
      cost: 0,
      coverage: { share: 1 },
    });
  });

  it("gives the same answer twice", async () => {
    const { stdout } = await runFabula(["evaluate", STORY, "--json"]);
    expect(JSON.parse(stdout)).toEqual(evaluation);
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

describe("a book the pocket judge cannot judge", () => {
  it.each([
    ["too short", "It was a dark night. Nothing else was written.\n", /words/],
    [
      "in another language",
      `${"Es war einmal ein König, der hatte eine Tochter, und die war schön wie der Tag. ".repeat(40)}\n`,
      /German|not English/,
    ],
  ])("because it is %s is unscored with the reason, and exits 3", async (_why, text, reason) => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-"));
    writeFileSync(join(folder, "book.txt"), text);
    const { code, stdout } = await runFabula(["evaluate", "book.txt", "--json"], { folder });
    expect(code).toBe(3);
    const { overall } = bookEvaluationSchema.parse(JSON.parse(stdout));
    expect(overall).toMatchObject({ kind: "unscored", reason: expect.stringMatching(reason) });
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
    const text = `${"The rain had stopped — “before” the ferry came in, and the café was black with it. ".repeat(40)}`;
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0xc3, 0x28]), Buffer.from(text)]);
    writeFileSync(join(folder, "broken.txt"), bytes);
    const { code, stdout } = await runFabula(["evaluate", "broken.txt", "--json"], { folder });
    expect(code).toBe(0);
    expect(bookEvaluationSchema.parse(JSON.parse(stdout)).book.warnings.join(" ")).toMatch(/decode|encoding|bytes/i);
  });
});
