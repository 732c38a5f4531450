import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifestSchema } from "../../bench/bench-folder.ts";
import { seededRandom } from "../../core/random.ts";
import { corpusFiles } from "./corpus.ts";
import { prepareBench } from "./prepare.ts";

const WORDS = "rain river harbour clerk ledger morning window letter winter stone quiet town light hand door".split(
  " ",
);

function novel(seed: number, chapters: number): string {
  const random = seededRandom(seed);
  const sentence = () =>
    `The ${Array.from({ length: 12 }, () => `${WORDS[Math.floor(random() * WORDS.length)]}${Math.floor(random() * 50)}`).join(" ")}.`;
  const text = () => Array.from({ length: 20 }, sentence).join(" ");
  return Array.from({ length: chapters }, (_, index) => `# Chapter ${index + 1}\n\n${text()}\n`).join("\n");
}

describe("preparing a corpus", () => {
  const corpus = mkdtempSync(join(tmpdir(), "fabula-corpus-"));
  writeFileSync(join(corpus, "a.md"), novel(1, 14));
  writeFileSync(join(corpus, "b.md"), novel(2, 12));
  writeFileSync(join(corpus, "copy.md"), novel(1, 14));
  writeFileSync(join(corpus, "short.md"), novel(3, 4));
  writeFileSync(join(corpus, "empty.txt"), "");
  writeFileSync(join(corpus, "notes.csv"), "no,book");
  mkdirSync(join(corpus, "in-chapters"));
  for (let chapter = 1; chapter <= 11; chapter++) {
    writeFileSync(join(corpus, "in-chapters", `${chapter}.txt`), novel(100 + chapter, 1).replace(/^#.*\n/, ""));
  }
  const prepare = async (folder: string, given: { seed?: number; minimumWorks?: number } = {}) =>
    prepareBench({
      files: await corpusFiles([corpus]),
      folder,
      chapters: 10,
      minimumWorks: 1,
      similarity: 0.9,
      seed: 1,
      ...given,
      signal: new AbortController().signal,
    });
  const read = (folder: string) =>
    manifestSchema.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")));

  it("takes the books of a folder, a folder in it as one book, and leaves nothing behind but its two files", async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "fabula-prepared-")), "bench");
    const { novels, chapters, excluded } = await prepare(folder);
    expect({ novels, chapters }).toEqual({ novels: 3, chapters: 30 });
    expect(excluded.map(({ file, reason }) => [file.slice(corpus.length + 1), reason])).toEqual([
      ["empty.txt", expect.stringContaining("is empty")],
      ["copy.md", expect.stringContaining("nearly the same text")],
      ["short.md", "4 chapters were found, 10 are required"],
    ]);
    expect(readdirSync(folder).sort()).toEqual(["chapters.jsonl", "manifest.json"]);
    const manifest = read(folder);
    expect(manifest.novels.map((entry) => entry.novel)).toEqual(["a", "b", "in-chapters"]);
    for (const entry of manifest.novels) {
      const first = entry.chapters[0]!.index;
      expect(entry.chapters.map(({ index }) => index)).toEqual(Array.from({ length: 10 }, (_, at) => first + at));
    }
  });

  it("draws no chapter twice, however often the file holds its text", async () => {
    const repeating = mkdtempSync(join(tmpdir(), "fabula-repeating-"));
    const chapters = novel(7, 12).split(/(?=# Chapter)/);
    // Six different chapters, three of them under three headings each.
    const texts = chapters.map((chapter, at) =>
      chapters[at < 6 ? at : at % 3]!.replace(/^.*/, chapter.split("\n")[0]!),
    );
    writeFileSync(join(repeating, "repeats.md"), texts.join("\n"));
    const prepared = async (wanted: number) => {
      const folder = join(mkdtempSync(join(tmpdir(), "fabula-prepared-")), "bench");
      const result = await prepareBench({
        ...{ files: [join(repeating, "repeats.md")], folder, chapters: wanted },
        ...{ minimumWorks: 1, similarity: 0.9, seed: 4, signal: new AbortController().signal },
      });
      return { ...result, drawn: read(folder).novels.flatMap((entry) => entry.chapters.map(({ sha256 }) => sha256)) };
    };
    const { drawn, warnings } = await prepared(6);
    expect(drawn).toHaveLength(6);
    expect(new Set(drawn).size).toBe(6);
    expect(warnings.map(({ warning }) => warning)).toContain("6 chapters repeat others and are not drawn.");
    expect((await prepared(7)).excluded).toMatchObject([{ reason: "6 chapters were found, 7 are required" }]);
  });

  it("leaves out a novel without chapter headings: pieces of a certain length are no chapters", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fabula-unparsed-")), "unparsed.txt");
    const paragraphs = novel(8, 60).replace(/^#.*$/gm, "").trim();
    writeFileSync(file, paragraphs);
    const folder = join(mkdtempSync(join(tmpdir(), "fabula-prepared-")), "bench");
    const { novels, excluded } = await prepareBench({
      ...{ files: [file], folder, chapters: 2, minimumWorks: 1, similarity: 0.9, seed: 1 },
      signal: new AbortController().signal,
    });
    expect(novels).toBe(0);
    expect(excluded[0]!.reason).toMatch(/^no chapter headings were found: its text was cut by length into \d+ pieces/);
  });

  it("takes the books of folders within folders, and not each folder as one book", async () => {
    const nested = mkdtempSync(join(tmpdir(), "fabula-nested-"));
    mkdirSync(join(nested, "authors", "ada"), { recursive: true });
    mkdirSync(join(nested, "in-chapters"));
    const long = "word ".repeat(20_000);
    for (const name of ["one.txt", "two.txt"]) writeFileSync(join(nested, "authors", "ada", name), long);
    for (const name of ["1.txt", "2.txt"]) writeFileSync(join(nested, "in-chapters", name), "A short chapter.");
    const found = (await corpusFiles([nested])).map((file) => file.slice(nested.length + 1));
    expect(found).toEqual([join("authors", "ada", "one.txt"), join("authors", "ada", "two.txt"), "in-chapters"]);
  });

  it("follows symbolic links to books and folders, but not around in circles", async () => {
    const [linked, elsewhere] = [
      mkdtempSync(join(tmpdir(), "fabula-linked-")),
      mkdtempSync(join(tmpdir(), "fabula-real-")),
    ];
    writeFileSync(join(elsewhere, "one.txt"), "word ".repeat(20_000));
    mkdirSync(join(elsewhere, "shelf"));
    writeFileSync(join(elsewhere, "shelf", "two.txt"), "word ".repeat(20_000));
    symlinkSync(join(elsewhere, "one.txt"), join(linked, "one.txt"));
    symlinkSync(join(elsewhere, "shelf"), join(linked, "shelf"));
    symlinkSync(linked, join(linked, "itself"));
    symlinkSync(join(elsewhere, "missing.txt"), join(linked, "missing.txt"));
    const found = (await corpusFiles([linked])).map((file) => file.slice(linked.length + 1));
    expect(found).toEqual(["one.txt", join("shelf", "two.txt")]);
  });

  it("draws the same chapters for the same seed, and others for another", async () => {
    const folders = ["one", "two", "three"].map((name) => join(mkdtempSync(join(tmpdir(), "fabula-prepared-")), name));
    await prepare(folders[0]!);
    await prepare(folders[1]!);
    await prepare(folders[2]!, { seed: 5 });
    const firsts = folders.map((folder) => read(folder).novels.map(({ chapters }) => chapters[0]!.index));
    expect(firsts[1]).toEqual(firsts[0]);
    expect(firsts[2]).not.toEqual(firsts[0]);
  });

  it("says so when a folder holds no book, or a path leads nowhere", async () => {
    await expect(corpusFiles([mkdtempSync(join(tmpdir(), "fabula-none-"))])).rejects.toThrow(/There is no book in/);
    await expect(corpusFiles([join(corpus, "a.md"), "misspelt.md"])).rejects.toThrow("There is no file misspelt.md");
  });
});
