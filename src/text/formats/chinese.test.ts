import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../read-book.ts";

const PROSE = "话说天下大势，分久必合，合久必分。众人听了，都说不错，于是一同往前走去，天色渐渐晚了。";
const NUMERALS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readBookFromBytes(bytes(text), "小说.txt");
const prose = (count: number, chapter = 0) => Array.from({ length: count }, () => `　　${PROSE}${chapter}`).join("\n");

describe("Chinese novels", () => {
  it.each([
    ["one chapter to a heading line", (number: number) => `第${NUMERALS[number]}章 风起云涌\n${prose(6, number)}`],
    ["with Arabic numbers and a colon", (number: number) => `第${number + 1}章：风起云涌\n\n${prose(6, number)}`],
    ["padded numbers", (number: number) => `第${String(number + 1).padStart(3, "0")}章 风起\n${prose(6, number)}`],
    ["in brackets", (number: number) => `【第${NUMERALS[number]}章 风起】\n${prose(6, number)}`],
    [
      "with volume and chapter in one line",
      (number: number) => `第一卷 少年 第${NUMERALS[number]}章 风起\n${prose(6, number)}`,
    ],
    [
      "with the couplet on the next line",
      (number: number) => `第${NUMERALS[number]}回\n\n甄士隐梦幻识通灵　贾雨村风尘怀闺秀\n\n${prose(6, number)}`,
    ],
    ["with bare numerals", (number: number) => `${NUMERALS[number]}\n\n${prose(6, number)}`],
    ["with numerals and titles", (number: number) => `${NUMERALS[number]}、归来\n\n${prose(6, number)}`],
    [
      "with every heading twice",
      (number: number) => `第${NUMERALS[number]}章 风起\n\n第${NUMERALS[number]}章 风起\n${prose(6, number)}`,
    ],
    ["with Markdown's marks", (number: number) => `## 第${NUMERALS[number]}回 风起\n\n${prose(6, number)}`],
    [
      "with a site's lines",
      (number: number) =>
        `正文 第${NUMERALS[number]}章 风起\n更新时间:2007-11-16 7:55:51 本章字数:4804\n${prose(6, number)}`,
    ],
  ])("%s", async (_style, chapter) => {
    const book = await read(`《风起》作者：某人\n\n${NUMERALS.map((_, number) => chapter(number)).join("\n\n")}\n`);
    expect(book.chapters).toHaveLength(12);
    expect(book).toMatchObject({ title: "风起", language: "zh", warnings: [] });
  });

  it("with a table of contents, which is not taken for chapters", async () => {
    const contents = NUMERALS.map((numeral) => `第${numeral}章 风起`).join("\n");
    const body = NUMERALS.map((numeral) => `第${numeral}章 风起\n${prose(6)}`).join("\n\n");
    expect((await read(`目录\n${contents}\n\n${body}`)).chapters).toHaveLength(12);
    expect((await read(`${contents}\n\n${body}`)).chapters).toHaveLength(12);
  });

  it("in one line", async () => {
    const line = NUMERALS.map(
      (numeral) => `第${numeral}回 宴桃园豪杰三结义 斩黄巾英雄首立功　　${PROSE.repeat(8)}`,
    ).join("　　");
    const book = await read(line);
    expect(book.chapters).toHaveLength(12);
    expect(book.chapters[4]?.title).toBe("第五回 宴桃园豪杰三结义 斩黄巾英雄首立功");
    expect(book.chapters[4]?.text).toBe(PROSE.repeat(8));
  });

  it("in volumes", async () => {
    const body = NUMERALS.map(
      (numeral, number) =>
        `${number % 6 === 0 ? `第${NUMERALS[number / 6]}卷 少年\n\n` : ""}第${numeral}章 风起\n${prose(6)}`,
    );
    const book = await read(body.join("\n\n"));
    expect(book.chapters.map(({ part }) => part)).toEqual([
      ...Array(6).fill("第一卷 少年"),
      ...Array(6).fill("第二卷 少年"),
    ]);
  });

  it("wrapped at a fixed width, with paragraphs indented", async () => {
    const wrapped = `　　${PROSE}`.replace(/(.{20})/gu, "$1\n");
    const book = await read(
      NUMERALS.map((numeral) => `第${numeral}章 风起\n\n${Array(8).fill(wrapped).join("\n")}`).join("\n\n"),
    );
    expect(book.chapters).toHaveLength(12);
    expect(book.chapters[0]?.text.split("\n\n")[0]).toBe(PROSE);
  });
});
