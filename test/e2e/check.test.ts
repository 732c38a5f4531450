import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runFabula } from "./run-fabula.ts";

const STORM =
  "The storm came over the hill at dusk, and for an hour nobody in the village could hear a word above the wind. Slates flew from the church like birds, the old elm behind the smithy split down to its root, and the river took the footbridge.";
const FILLER = Array.from(
  { length: 30 },
  (_, index) =>
    `On the ${index + 1}. morning Hadley opened shop number ${index}, and ${"abcdefghij"[index % 10]!.repeat(4)} came in with ${"klmnopqrst"[(index * 7) % 10]!.repeat(4)} under one arm.`,
).join("\n\n");
const MANUSCRIPT = `# The Storm\n\n## Chapter One\n\n${STORM}\n\n${FILLER}\n\n## Chapter Two\n\n${FILLER.replaceAll("shop", "gate")}\n\n${STORM}\n\n## Chapter Four\n\nForty-three names stood on the wall.\n\n${FILLER.replaceAll("shop", "boat")}\n\nAll thirty-four names had gone.\n`;

async function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "fabula-check-"));
}

describe("fabula check", () => {
  it("groups findings by how much they matter, with their passages", async () => {
    const home = await folder();
    await writeFile(join(home, "storm.md"), MANUSCRIPT);
    const { code, stdout } = await runFabula(["check", "storm.md"], { folder: home });
    expect(code).toBe(0);
    expect(stdout).toContain("Any reader will notice");
    expect(stdout).toContain("“forty-three names” and “thirty-four names”");
    expect(stdout).toContain("“Forty-three names stood on the wall.”");
    expect(stdout).toContain("number 3 is missing");
    expect(stdout).toContain("words appear twice in chapters 1 and 2");
  });

  it("gives the same as a JSON document, with quotations that stand at their places", async () => {
    const home = await folder();
    await writeFile(join(home, "storm.md"), MANUSCRIPT);
    const { stdout } = await runFabula(["check", "storm.md", "--json"], { folder: home });
    const [book] = JSON.parse(stdout).books;
    expect(book).toMatchObject({ file: "storm.md", title: "The Storm", notTried: [] });
    const kinds = book.findings.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["attribute-conflict", "chapter-order", "repeated-passage"]));
  });

  it("says so in one sentence when there is nothing to say", async () => {
    const home = await folder();
    await writeFile(join(home, "plain.md"), `# Plain\n\n## Chapter One\n\n${STORM}\n`);
    const { code, stdout } = await runFabula(["check", "plain.md"], { folder: home });
    expect(code).toBe(0);
    expect(stdout).toContain("Nothing found that code alone can find.");
    await writeFile(join(home, "two.txt"), "Two words.\n");
    const short = await runFabula(["check", "two.txt"], { folder: home });
    expect(short.stdout).toContain("Not checked: a text of 2 words is too short.");
    expect(short.stdout).not.toContain("Nothing found");
  });

  it("checks many texts, a line each, with offsets into the text", async () => {
    const home = await folder();
    const text = `${STORM}\n\n${FILLER}\n\n${STORM}`;
    const rows = [
      { id: "twice", text },
      { id: 2, text: STORM },
      {
        id: "leer",
        text: "Der Sturm kam über den Hügel, und eine Stunde lang hörte im Dorf niemand ein Wort. ".repeat(3),
      },
    ];
    await writeFile(join(home, "texts.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
    const { code, stderr } = await runFabula(["check", "--in", "texts.jsonl", "--out", "findings.jsonl"], {
      folder: home,
    });
    expect(code).toBe(0);
    expect(stderr).toContain("3 texts checked");
    const lines = (await readFile(join(home, "findings.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id }) => id)).toEqual(["twice", 2, "leer"]);
    const [finding] = lines[0].findings;
    expect(finding).toMatchObject({ kind: "repeated-passage", origin: "counted" });
    for (const { start, end, quote } of finding.passages) expect(text.slice(start, end)).toBe(quote);
    expect(lines[1].findings).toEqual([]);
    expect(lines[2].notTried.map(({ kind }: { kind: string }) => kind)).toContain("name-variant");
  });

  it("reads the chapters of a text, and nothing of what stands around them", async () => {
    const home = await folder();
    const wrapped = MANUSCRIPT.replaceAll(/(.{40,60}) /g, "$1\r\n");
    const marks = ["START", "END"].map((which) => `*** ${which} OF THE PROJECT GUTENBERG EBOOK THE STORM ***`);
    const text = `${marks[0]}\n\n${wrapped}\n\n${marks[1]}\n\n${STORM}\n\n${FILLER}`;
    await writeFile(join(home, "texts.jsonl"), JSON.stringify({ id: "storm", text }));
    await runFabula(["check", "--in", "texts.jsonl", "--out", "findings.jsonl"], { folder: home });
    const { findings } = JSON.parse(await readFile(join(home, "findings.jsonl"), "utf8"));
    const claims = findings.map(({ claim }: { claim: string }) => claim);
    expect(claims).toContainEqual(expect.stringContaining("words appear twice in chapters 1 and 2"));
    expect(claims).toContain("“forty-three names” and “thirty-four names”, both in chapter 3.");
    for (const { start, end, quote } of findings.flatMap(({ passages }: { passages: object[] }) => passages)) {
      expect(text.slice(start, end)).toBe(quote);
      expect(start).toBeLessThan(text.indexOf("*** END"));
    }
  });

  it("refuses what it cannot read with one sentence", async () => {
    const home = await folder();
    await writeFile(join(home, "texts.jsonl"), '{"id":1}\n');
    expect(await runFabula(["check"], { folder: home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Give at least one book"),
    });
    expect(await runFabula(["check", "missing.epub"], { folder: home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("missing.epub"),
    });
    for (const [rows, sentence] of [
      ["\n", '"rows.jsonl" holds no texts'],
      ['{"id":"a","text":"A."}\n{"id":"a","text":"B."}\n', 'Lines 1 and 2 of "rows.jsonl" have the same id, "a"'],
      ['{"text":"A."}\n', 'Line 1 of "rows.jsonl" does not fit at id: it is missing.'],
    ] as const) {
      await writeFile(join(home, "rows.jsonl"), rows);
      expect(await runFabula(["check", "--in", "rows.jsonl", "--out", "found.jsonl"], { folder: home })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(sentence),
      });
    }
    await writeFile(join(home, "storm.md"), MANUSCRIPT);
    for (const command of ["check", "map"])
      expect(await runFabula([command, "storm.md", "--out", "storm.html"], { folder: home })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("give a name that ends in .json"),
      });
    expect(await runFabula(["check", "--in", "texts.jsonl"], { folder: home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("text"),
    });
  });
});
