import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../read-book.ts";

const PROSE = "The rain had stopped before anyone thought to close the windows, and the house smelled of wet stone.";
const chapter = (number: number, ...paragraphs: string[]) =>
  [`CHAPTER ${number}`, PROSE, ...paragraphs, PROSE, PROSE].join("\n\n");
const read = (text: string, name = "mill.txt") => readBookFromBytes(new TextEncoder().encode(text), name);
const storyOf = async (text: string, name?: string) =>
  (await read(text, name)).chapters.map(({ text: own }) => own).join("\n\n");

describe("text of the story stays although it reads like a notice:", () => {
  it.each(["mill.txt", "mill.md"])("everything above a last line *END* (%s)", async (name) => {
    const text = `${chapter(1)}\n\n${chapter(2)}\n\n*END*\n\nThank you for reading; the next one is on its way.\n`;
    const book = await read(text, name);
    expect(book.chapters.length).toBeGreaterThanOrEqual(2);
    expect(book.words).toBeGreaterThan(100);
    expect((await read(`${chapter(1)}\n\n${chapter(2)}\n\n*END*\n`, name)).words).toBeGreaterThan(100);
  });

  it.each([
    "Produced by a lifetime of fear, her silence filled the house like water.",
    "Scanned and rejected, the ticket fell from his hand onto the platform.",
    "This file was created on the night of the murder, Harding said, and not by my wife.",
    "Transcribed from memory, the letter took her three nights and most of the lamp oil.",
    "Transcriber's note: the tape ends here, and I, who typed it, must tell the rest myself.",
  ])("%s", async (sentence) => {
    const paragraph = `${sentence} ${PROSE} ${PROSE} ${PROSE}`;
    for (const name of ["mill.txt", "mill.md"]) {
      const text = `${chapter(1, paragraph)}\n\n${chapter(2)}\n\n${chapter(3, paragraph)}\n`;
      expect((await storyOf(text, name)).split(sentence)).toHaveLength(3);
    }
  });

  it.each([
    "他四处求收藏家出手，把那幅画买下来。",
    "本书由祖父亲手制作，封面是牛皮的，扉页上写着他的名字。",
    "老师问：字数：够不够？",
    "声明：我与此事无关，也不曾在学习之外见过她。他在纸上这样写道。",
  ])("%s", async (sentence) => {
    const prose = "安娜慢慢走向那座桥，雨点打在屋顶上，钟声还没有停。".repeat(8);
    expect(await storyOf(`第一章\n\n${prose}\n${sentence}\n\n第二章\n\n${prose}\n`)).toContain(sentence);
  });

  it("running prose under the heading INDEX is reported as removed", async () => {
    const { warnings } = await read(
      `${[1, 2, 3, 4, 5, 6].map((number) => chapter(number, PROSE)).join("\n\n")}\n\nINDEX\n\n${`${PROSE}\n\n`.repeat(4)}`,
    );
    expect(warnings.join("\n")).toMatch(/^Removed, may be story: index/m);
  });
});

describe("notices are removed:", () => {
  it.each([
    "Produced by David Widger",
    "Produced by Sue Ascher, with help from many others at Distributed Proofreaders",
    "Transcribed from the 1899 Smith and Elder edition by a friend, friend@example.org",
    "This file was produced from images generously made available by a library",
    "Transcriber's Note: Obvious errors of spelling were corrected.",
  ])("%s", async (notice) =>
    expect(await storyOf(`${notice}\n\n${chapter(1)}\n\n${chapter(2)}\n`)).not.toContain(notice),
  );

  it.each([
    "更新时间：2010-3-4 10:20:33 本章字数：3520",
    "本书由某某书屋整理制作，仅供预览",
    "求收藏，求推荐票！",
    "声明：本书来自网络，版权归作者所有。",
  ])("%s", async (notice) => {
    const prose = "安娜慢慢走向那座桥，雨点打在屋顶上，钟声还没有停。".repeat(8);
    expect(await storyOf(`第一章\n\n${notice}\n${prose}\n\n第二章\n\n${prose}\n`)).not.toContain(notice);
  });

  it("the small print of old files, with everything above its *END*", async () => {
    const text = `The Project Gutenberg Etext of Rain\n\nTHE SMALL PRINT FOR PUBLIC DOMAIN ETEXTS\n\nYou may keep this.\n\n*END*\n\n${chapter(1)}\n\n${chapter(2)}\n`;
    expect(await storyOf(text)).not.toContain("You may keep this");
  });
});
