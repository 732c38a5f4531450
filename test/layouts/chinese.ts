import { han, type LayoutCase, utf8 } from "./layout-case.ts";

const DIGITS = "一二三四五六七八九十";
const lines = (parts: readonly string[]) => utf8(parts.join("\n"));
const body = (seed: number, count = 6) => han(count, seed).map((paragraph) => `　　${paragraph}`);

function hanNumber(value: number): string {
  const units = ["", "十", "百", "千"];
  let text = "";
  let zero = false;
  for (const [at, digit] of [...String(value)].entries()) {
    const unit = units[String(value).length - 1 - at]!;
    if (digit === "0") zero = true;
    else {
      text += `${zero ? "零" : ""}${DIGITS[Number(digit) - 1]}${unit}`;
      zero = false;
    }
  }
  return text.startsWith("一十") ? text.slice(1) : text;
}

/** Chinese novels as sites and libraries give them. */
/** 第九十九回, then 第一OO回 with a Latin O, as some files have it. */
function hanLabel(number: number): string {
  const digits = "O一二三四五六七八九";
  const plain = [...String(number)].map((digit) => digits[Number(digit)]).join("");
  return `第${number < 100 ? hanNumber(number) : plain}回`;
}

export const CHINESE: Readonly<Record<string, LayoutCase>> = {
  "a storyteller's novel in one line, its headings glued to the text": {
    file: "one-line-glued.txt",
    bytes: utf8(
      `九命奇冤${Array.from({ length: 36 }, (_value, at) => `第${hanNumber(at + 1)}回强盗先声开头话说${han(8, at).join("")}他想起第三回的事。`).join("")}`,
    ),
    chapters: Array.from({ length: 36 }, (_value, at) => `第${hanNumber(at + 1)}回强盗先声开头`),
  },
  "a storyteller's novel in one line that counts beyond a hundred": {
    file: "one-line-hundred.txt",
    bytes: utf8(
      Array.from(
        { length: 120 },
        (_value, at) => `${hanLabel(at + 1)}　英雄相会　豪杰结义　${han(5, at).join("")}`,
      ).join(""),
    ),
    chapters: Array.from({ length: 120 }, (_value, at) => `${hanLabel(at + 1)} 英雄相会 豪杰结义`),
  },
  "volumes that count their chapters from one again": {
    file: "volumes.txt",
    bytes: lines(
      ["一", "二"].flatMap((volume, at) => [
        `第${volume}卷 风起`,
        ...["一", "二", "三"].flatMap((number, inner) => [`第${number}章 归来${number}`, ...body(at * 10 + inner)]),
      ]),
    ),
    chapters: ["一", "二", "三", "一", "二", "三"].map((number) => `第${number}章 归来${number}`),
    parts: ["一", "一", "一", "二", "二", "二"].map((volume) => `第${volume}卷 风起`),
  },
  "a prologue, an extra story and an afterword": {
    file: "extras.txt",
    bytes: lines([
      "序章",
      ...body(1),
      ...[..."一二三"].flatMap((number, at) => [`第${number}章`, ...body(at + 2)]),
      "番外 那年冬天",
      ...body(7),
      "番外二：雪夜",
      ...body(8),
      "后记",
      ...body(9, 2),
    ]),
    chapters: ["序章", "第一章", "第二章", "第三章", "番外 那年冬天", "番外二：雪夜", "后记"],
  },
  "a storyteller's lead-in": {
    file: "xiezi.txt",
    bytes: lines([
      "楔子",
      ...body(1, 3),
      ...[..."一二三四"].flatMap((number, at) => [`第${number}回 风雨夜归人`, ...body(at + 2)]),
    ]),
    chapters: [..."一二三四"].map((number) => `第${number}回 风雨夜归人`),
  },
  "a prologue that a storyteller would count with the first chapter": {
    file: "prologue.txt",
    bytes: lines([
      "楔子 雪夜",
      ...body(1, 3),
      ...[..."一二三四"].flatMap((number, at) => [`第${number}章 归来`, ...body(at + 2)]),
    ]),
    chapters: ["楔子 雪夜", ...[..."一二三四"].map((number) => `第${number}章 归来`)],
  },
  "the word for text before every heading": {
    file: "zhengwen.txt",
    bytes: lines([..."一二三四"].flatMap((number, at) => [`正文 第${number}章 归来`, ...body(at)])),
    chapters: [..."一二三四"].map((number) => `第${number}章 归来`),
  },
  "an ornament before every heading": {
    file: "ornament.txt",
    bytes: lines([..."一二三四"].flatMap((number, at) => [`★ 第${number}章 归来 ★`, ...body(at)])),
    chapters: [..."一二三四"].map((number) => `第${number}章 归来`),
  },
  "sections inside chapters": {
    file: "sections.txt",
    bytes: lines(
      [..."一二三"].flatMap((number, at) => [
        `第${number}章 归来`,
        ...[..."一二"].flatMap((section, inner) => [`第${section}节`, ...body(at * 10 + inner)]),
      ]),
    ),
    chapters: [..."一二三"].map((number) => `第${number}章 归来`),
  },
  "chapters beyond a thousand in Han numbers": {
    file: "long.txt",
    bytes: lines(
      Array.from({ length: 1210 }, (_, at) => [`第${hanNumber(at + 1)}章 夜${at + 1}`, ...body(at, 1)]).flat(),
    ),
    chapters: Array.from({ length: 1210 }, (_, at) => `第${hanNumber(at + 1)}章 夜${at + 1}`),
  },
  "chapters beyond ten thousand": {
    file: "endless.txt",
    bytes: lines(
      ["九千九百九十八", "九千九百九十九", "一万", "一万零一", "一万零二"].flatMap((number, at) => [
        `第${number}章 夜行`,
        ...body(at),
      ]),
    ),
    chapters: ["九千九百九十八", "九千九百九十九", "一万", "一万零一", "一万零二"].map(
      (number) => `第${number}章 夜行`,
    ),
    warning: "The first number of a chapter is 9998",
  },
  "traditional Chinese in UTF-16 without a mark": {
    file: "traditional.txt",
    bytes: Buffer.from(
      [..."一二三"].flatMap((number, at) => [`第${number}回 風雨歸來`, ...body(at)]).join("\r\n"),
      "utf16le",
    ),
    chapters: [..."一二三"].map((number) => `第${number}回 風雨歸來`),
  },
  "one line without a single line end": {
    file: "line.txt",
    bytes: utf8([..."一二三四"].map((number, at) => `第${number}章 归来 ${body(at, 12).join("")}`).join(" ")),
    chapters: [..."一二三四"].map((number) => `第${number}章 归来`),
  },
  "chapter titles in brackets with a site's lines": {
    file: "site.txt",
    bytes: lines(
      [..."一二三"].flatMap((number, at) => [
        `【第${number}章】雪夜`,
        "更新时间：2020-01-02 本章字数：2034",
        ...body(at),
        "（本章完）",
      ]),
    ),
    chapters: [..."一二三"].map((number) => `【第${number}章】雪夜`),
    excludes: ["本章字数", "本章完"],
  },
  "volume and chapter on one line": {
    file: "both.txt",
    bytes: lines(
      [
        "第一卷 风起 第一章 归来",
        "第一卷 风起 第二章 雪夜",
        "第二卷 云涌 第三章 远行",
        "第二卷 云涌 第四章 故人",
      ].flatMap((title, at) => [title, ...body(at)]),
    ),
    chapters: [
      "第一卷 风起 第一章 归来",
      "第一卷 风起 第二章 雪夜",
      "第二卷 云涌 第三章 远行",
      "第二卷 云涌 第四章 故人",
    ],
  },
  "first, middle and last": {
    file: "three.txt",
    bytes: lines(["上篇", ...body(1, 12), "中篇", ...body(2, 12), "下篇", ...body(3, 12)]),
    chapters: ["上篇", "中篇", "下篇"],
  },
};
