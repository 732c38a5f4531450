import { copyFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { readBook } from "../../text/read-book.ts";
import { evaluateWithJury } from "./evaluate-book.ts";
import { mapBook, mapTexts } from "./map-book.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");

describe("mapping a book", () => {
  it("puts every figure beside the reference, and every passage in its chapter", async () => {
    const map = await mapBook(STORY);
    const { chapters } = await readBook(STORY);
    expect(map).toMatchObject({
      schema: "fabula.map.v1",
      book: { chapters: chapters.length },
      viewpoint: { tense: "past" },
    });
    expect(map.figures.filter(({ value }) => value !== null).length).toBeGreaterThan(20);
    expect(map.figures.every(({ reference }) => reference !== null && reference.low <= reference.high)).toBe(true);
    const passages = [
      ...map.shape.chapters.flatMap(({ opening, closing }) => [opening, closing]),
      ...map.dialogue.tags.flatMap((tag) => tag.passages),
      ...map.characters!.characters.flatMap(({ first, last }) => [first!, last!]),
      ...map.habits!.filterWords.passages,
    ];
    expect(passages.length).toBeGreaterThan(20);
    for (const { chapter, start, end } of passages) {
      const { text } = chapters.find(({ index }) => index === chapter)!;
      expect(text.slice(start, end).trim().length, `chapter ${chapter}, ${start} to ${end}`).toBeGreaterThan(0);
    }
    const [main] = map.characters!.characters;
    const { text } = chapters.find(({ index }) => index === main!.first!.chapter)!;
    expect(main!.aliases).toContain(text.slice(main!.first!.start, main!.first!.end).replace(/['’]s$/, ""));
  });

  it("maps a Chinese story's shape and dialogue", async () => {
    const map = await mapBook(assetPath("examples", "the-lamp-at-mist-harbour.zh.md"));
    expect(map.language).toBe("zh");
    expect(map.dialogue.share).toBeGreaterThan(0.05);
    expect(map.pace).toBeNull();
  });

  it("keeps to the writer's corrections", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-map-"));
    const before = await mapBook(STORY);
    const [first, second] = before.characters!.characters;
    const corrections = join(folder, "characters.json");
    await writeFile(
      corrections,
      JSON.stringify({ drop: [first!.name], rename: [{ from: second!.name, to: "Renamed" }] }),
    );
    const names = (await mapBook(STORY, { characterCorrections: corrections })).characters!.characters.map(
      ({ name }) => name,
    );
    expect(names).not.toContain(first!.name);
    expect(names).toContain("Renamed");
  });

  it("keeps the corrections of book.yaml, in the map and in the letter", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-map-"));
    const file = join(folder, "story.md");
    await copyFile(STORY, file);
    await writeFile(
      join(folder, "book.yaml"),
      "characters:\n  drop: [Carrow]\n  rename: [{ from: Hester, to: Hester Vane }]\n",
    );
    const names = (await mapBook(file)).characters!.characters.map(({ name }) => name);
    const { map } = await evaluateWithJury(await readBook(file));
    for (const list of [names, map!.characters.map(({ name }) => name)]) {
      expect(list).toContain("Hester Vane");
      expect(list).not.toContain("Hester");
      expect(list).not.toContain("Carrow");
    }
  });

  it("says what is wrong with a file of corrections", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-map-"));
    const corrections = join(folder, "characters.json");
    await writeFile(corrections, JSON.stringify({ merge: "Anne" }));
    await expect(mapBook(STORY, { characterCorrections: corrections })).rejects.toThrow(/does not fit at merge/);
  });
});

describe("mapping many texts", () => {
  it("writes a line per text, with offsets into it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-map-"));
    const text = 'Then Anne looked up, and Anne said no.\n\n"Come in," said Anne. Anne waited.';
    const [input, output] = [join(folder, "texts.jsonl"), join(folder, "maps.jsonl")];
    await writeFile(input, `${JSON.stringify({ id: "a", text })}\n${JSON.stringify({ id: 2, text: "" })}\n`);
    const signal = new AbortController().signal;
    expect(await mapTexts({ input, output, signal, onProgress: () => {} })).toBe(2);
    const lines = (await readFile(output, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({
      id: "a",
      person: "third",
      characters: [{ name: "Anne", aliases: ["Anne"], mentions: 4 }],
    });
    const [quote] = lines[0].dialogue.quotes;
    expect(text.slice(quote.start, quote.end)).toBe("Come in,");
    expect(quote.speaker).toBe("Anne");
    expect(lines[1]).toMatchObject({ id: 2, dialogue: { share: 0, quotes: [] }, characters: [] });
  });
});
