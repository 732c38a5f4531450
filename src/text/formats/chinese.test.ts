import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../read-book.ts";

const PROSE = "话说天下大势，分久必合，合久必分。众人听了，都说不错，于是一同往前走去，天色渐渐晚了。";
const NUMERALS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readBookFromBytes(bytes(text), "小说.txt");
const prose = (count: number, chapter = 0) => Array.from({ length: count }, () => `　　${PROSE}${chapter}`).join("\n");

const fullWidth = (number: number) =>
  String(number).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const FORMAL: Readonly<Record<string, string>> = {
  ...{ 一: "壹", 二: "贰", 三: "叁", 四: "肆", 五: "伍", 六: "陆", 七: "柒", 八: "捌", 九: "玖", 十: "拾" },
};
const formal = (numeral: string) => numeral.replace(/./gu, (sign) => FORMAL[sign] ?? sign);

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
    ["full-width numbers", (number: number) => `第${fullWidth(number + 1)}章　风起\n${prose(6, number)}`],
    ["formal numerals", (number: number) => `第${formal(NUMERALS[number]!)}回 风起\n${prose(6, number)}`],
    [
      "digit by digit",
      (number: number) =>
        `第一${"〇〇〇〇〇〇〇〇〇一一一"[number]}${"一二三四五六七八九〇一二"[number]}回\n${prose(6, number)}`,
    ],
    ["with an old form of 回", (number: number) => `第${NUMERALS[number]}囘 风起\n${prose(6, number)}`],
    ["with 正文 glued to it", (number: number) => `正文第${number + 1}章 风起\n${prose(6, number)}`],
    [
      "volume and chapter without a gap",
      (number: number) => `第一卷少年第${NUMERALS[number]}章风起\n${prose(6, number)}`,
    ],
    ["without 第", (number: number) => `${String(number + 1).padStart(3, "0")}章 风起\n${prose(6, number)}`],
    ["with the number last", (number: number) => `章${NUMERALS[number]} 风起\n${prose(6, number)}`],
    ["label in brackets, title behind", (number: number) => `【第${NUMERALS[number]}章】风起\n${prose(6, number)}`],
    ["numeral in brackets, title behind", (number: number) => `（${NUMERALS[number]}）风起\n${prose(6, number)}`],
    ["with a site's star", (number: number) => `☆、第${NUMERALS[number]}章 风起\n${prose(6, number)}`],
    [
      "with a star and no number",
      (number: number) => `☆、风起之${"甲乙丙丁戊己庚辛壬癸子丑"[number]}\n${prose(6, number)}`,
    ],
    ["with the English word", (number: number) => `Chapter ${number + 1} 风起\n${prose(6, number)}`],
    [
      "begging for votes",
      (number: number) => `第${number + 1}章 风起（求月票，第三更）\n${prose(6, number)}\n（本章完）`,
    ],
    ["a chapter to a line", (number: number) => `第${NUMERALS[number]}章 风起 ${PROSE.repeat(4)}其${number}。`],
    [
      "every heading twice, in two styles",
      (number: number) => `正文 第${number + 1}章 风起\n\n　　第${NUMERALS[number]}章 风起\n\n${prose(6, number)}`,
    ],
  ])("%s", async (_style, chapter) => {
    const book = await read(`《风起》作者：某人\n\n${NUMERALS.map((_, number) => chapter(number)).join("\n\n")}\n`);
    expect(book.chapters).toHaveLength(12);
    expect(book).toMatchObject({ title: "风起", language: "zh" });
    expect(book.warnings.filter((warning) => !warning.startsWith("The first number of a chapter is 101"))).toEqual([]);
  });

  it("with a table of contents, which is not read as chapters", async () => {
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

  it.each([
    ["with titles glued to their labels", (numeral: string) => `第${numeral}章风起 ${PROSE.repeat(8)}`, ""],
    ["with labels glued to the text", (numeral: string) => `第${numeral}章${PROSE.repeat(8)}`, ""],
    ["with 正文", (numeral: string) => `正文 第${numeral}章 风起 ${PROSE.repeat(8)}`, " "],
    ["with numerals and titles", (numeral: string) => `${numeral}、风起 ${PROSE.repeat(16)}`, " "],
    ["with bare numerals", (numeral: string) => `${numeral}　　${PROSE.repeat(16)}`, "　　"],
  ])("in one line %s", async (_style, chapter, between) => {
    const book = await read(NUMERALS.map(chapter).join(between));
    expect(book.chapters).toHaveLength(12);
    for (const { text, title } of book.chapters) {
      expect(text).toMatch(/^话说天下大势.*天色渐渐晚了。$/su);
      expect(title!.length).toBeLessThan(14);
    }
  });

  it("does not take the points of a list, or numbers that do not count, for chapters", async () => {
    const list = `他列了单子：一、米；二、盐；三、油；四、茶。${PROSE.repeat(200)}`;
    expect((await read(list)).chapters.every(({ title }) => title === null)).toBe(true);
    const visits = `${PROSE.repeat(100)}第三章他没有看。${PROSE.repeat(100)}第九回 他又来了。${PROSE.repeat(50)}`;
    expect((await read(visits)).chapters.every(({ title }) => title === null)).toBe(true);
  });

  it("with a table of contents in one line", async () => {
    const contents = `目录 ${NUMERALS.map((numeral) => `第${numeral}章 风起`).join(" ")}`;
    const body = NUMERALS.map((numeral) => `第${numeral}章 风起\n${prose(6)}`).join("\n\n");
    expect((await read(`${contents}\n\n${body}`)).chapters).toHaveLength(12);
  });

  it("with headings that lost their line ends, found where the numbering jumps", async () => {
    const ends = NUMERALS.map((numeral, at) => `${numeral}\n${prose(6, at)}。${at % 4 === 1 ? "" : "\n"}`).join("");
    const bare = await read(ends);
    expect(bare.warnings).toEqual([]);
    expect(bare.chapters.map(({ title }) => title)).toEqual(NUMERALS);
    const titled = NUMERALS.map((numeral, at) => `第${numeral}章 风起\n${prose(6)}。${at % 4 === 1 ? "" : "\n"}`).join(
      "",
    );
    expect((await read(titled)).chapters).toHaveLength(12);
    const starts = NUMERALS.map((numeral, at) => `${numeral}${at % 4 === 1 ? "　" : "\n"}${prose(6).trim()}\n`).join(
      "",
    );
    expect((await read(starts)).chapters).toHaveLength(12);
  });

  it("in UTF-16 without a mark, whichever byte is first", async () => {
    const text = NUMERALS.map((numeral) => `第${numeral}章 风起\n${prose(6)}`).join("\n\n");
    const little = Buffer.from(text, "utf16le");
    const big = Buffer.from(text, "utf16le").swap16();
    for (const [file, encoding] of [
      [little, "UTF-16LE"],
      [big, "UTF-16BE"],
    ] as const) {
      const book = await readBookFromBytes(new Uint8Array(file), "小说.txt");
      expect(book.chapters).toHaveLength(12);
      expect(book.source.encoding).toBe(encoding);
    }
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
