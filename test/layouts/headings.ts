import { docxOf } from "../support/small-files.ts";
import { han, type LayoutCase, paragraphs, prose, utf8 } from "./layout-case.ts";

const ROMAN = ["I", "II", "III", "IV", "V"];
const TITLES = ["Fog", "Wind", "Snow", "Sun"];
const text = (titles: readonly string[], gap = "\n\n\n\n\n", count = 4) =>
  utf8(titles.map((title, at) => `${title}\n\n\n${prose(count, at)}`).join(gap));
const same = (file: string, titles: readonly string[], gap?: string): LayoutCase => ({
  file,
  bytes: text(titles, gap),
  chapters: titles,
});
const lines = (parts: readonly string[]) => utf8(parts.join("\n"));
const french =
  "La lampe brûlait dans la fenêtre, et personne sur le quai ne parlait de la tempête qui venait de l’ouest cette nuit-là.";

/** Headings that are told by how they are set, or by their fellows. */
export const HEADINGS: Readonly<Record<string, LayoutCase>> = {
  "names of narrators, far apart and not in capitals": same("darl.txt", [
    "Darl",
    "Cora",
    "Darl",
    "Jewel",
    "Dewey Dell",
    "Cora",
  ]),
  "numbers in words, not in capitals": same("words.txt", ["One", "Two", "Three", "Four", "Five"]),
  "small Roman numerals": same("small.txt", ["i", "ii", "iii", "iv", "v"]),
  "years as chapters": same("1914.txt", ["1914", "1915", "1916", "1917"]),
  "numbers in brackets": same("brackets.txt", ["(1)", "(2)", "(3)", "(4)"]),
  "section signs": same("signs.txt", ["§ 1", "§ 2", "§ 3", "§ 4"]),
  "numbers with the word for one": same("no.txt", ["No. 1", "No. 2", "No. 3", "No. 4"]),
  "the shortest word for chapter": same("ch.txt", ["Ch. 1", "Ch. 2", "Ch. 3", "Ch. 4"]),
  "interludes that are counted": same("interludes.txt", [
    ...["CHAPTER 1", "CHAPTER 2", "FIRST INTERLUDE", "CHAPTER 3", "CHAPTER 4", "SECOND INTERLUDE", "CHAPTER 5"],
  ]),
  "ornaments around every heading": {
    file: "ornaments.txt",
    bytes: text(["❦ Chapter One ❦", "❦ Chapter Two ❦", "❦ Chapter Three ❦", "❦ Chapter Four ❦"]),
    chapters: ["Chapter One", "Chapter Two", "Chapter Three", "Chapter Four"],
  },
  "a play that somebody reads in a novel": {
    file: "inner-play.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => {
        const play = `\n\n\nACT I\n\n\nSCENE I. A harbour.\n\n${prose(2, 20)}\n\n\nACT II\n\n\n${prose(2, 30)}`;
        return `CHAPTER ${roman}\n\n${prose(4, at)}${at === 2 ? play : ""}`;
      }).join("\n\n\n\n"),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
    contains: ["ACT II"],
  },
  "chapters of a book that somebody reads aloud": {
    file: "aloud.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => {
        const read = `\n\n"CHAPTER I\n\n"The captain was alone with the lamp.\n\n"CHAPTER II\n\n"The captain died."\n\n${prose(2, 20)}`;
        return `CHAPTER ${roman}\n\n${prose(4, at)}${at === 2 ? read : ""}`;
      }).join("\n\n\n\n"),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
    contains: ["The captain died."],
  },
  "stories of which one is in numbered sections": {
    file: "collection.txt",
    bytes: utf8(
      `SEA STORIES\n\n\nCONTENTS\n\nTHE LAMP\nTHE LAST BOAT\nA WINTER CROSSING\nTHE PILOT'S WIFE\n\n\n\n\n${[
        "THE LAMP",
        "THE LAST BOAT",
        "A WINTER CROSSING",
        "THE PILOT'S WIFE",
      ]
        .map((title, at) => {
          const sections = ["I", "II", "III"].map((roman, inner) => `${roman}\n\n${prose(3, inner)}`).join("\n\n");
          return `${title}\n\n\n${at === 1 ? sections : prose(9, at)}`;
        })
        .join("\n\n\n\n\n")}`,
    ),
    chapters: ["THE LAMP", "THE LAST BOAT", "A WINTER CROSSING", "THE PILOT'S WIFE"],
  },
  "sections that count from one in every numbered chapter": {
    file: "sections.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => {
        const sections = ["1", "2", "3"].map((number, inner) => `${number}\n\n${prose(2, at * 10 + inner)}`);
        return `${roman}\n\n${sections.join("\n\n\n")}`;
      }).join("\n\n\n\n"),
    ),
    chapters: ROMAN,
  },
  "dates of the last chapter, set far apart": {
    file: "dates.txt",
    bytes: utf8(
      `${ROMAN.map((roman, at) => `Chapter ${roman}\n\n${prose(4, at)}`).join("\n\n\n\n")}\n\n\n\nSeptember 2nd\n\n\n${prose(3, 11)}\n\n\n\nSeptember 5th\n\n\n${prose(3, 12)}`,
    ),
    chapters: ROMAN.map((roman) => `Chapter ${roman}`),
    contains: ["September 5th"],
  },
  "a diary without any other headings": {
    file: "diary.txt",
    bytes: text(["3 May.", "4 May.", "9 May.", "1 June."]),
    chapters: ["3 May.", "4 May.", "9 May.", "1 June."],
  },
  "titles written like sentences": {
    file: "retour.txt",
    bytes: utf8(
      ["PREMIER", "II", "III"]
        .map((number, at) => `CHAPITRE ${number}\n\nLe retour\n\n${`${french} C’était le jour ${at}. `.repeat(3)}`)
        .join("\n\n\n\n"),
    ),
    chapters: ["PREMIER", "II", "III"].map((number) => `CHAPITRE ${number}: Le retour`),
  },
  "sections of one name under every heading": {
    file: "scenes.md",
    bytes: utf8(
      TITLES.map(
        (title, at) => `# ${title}\n\n## Morning\n\n${prose(3, at)}\n\n## Evening\n\n${prose(3, at + 5)}`,
      ).join("\n\n"),
    ),
    chapters: TITLES,
  },
  "a Word file whose titles are only in bold": {
    file: "bold.docx",
    bytes: docxOf(
      TITLES.flatMap((title, at) => [
        { text: title, isBold: true },
        ...paragraphs(4, at).map((line) => ({ text: line })),
      ]),
    ),
    chapters: TITLES,
  },
  "a page whose titles are only in bold": {
    file: "bold.html",
    bytes: utf8(
      `<html><body>${TITLES.map(
        (title, at) =>
          `<p align="center"><b>${title}</b></p>${paragraphs(4, at)
            .map((line) => `<p>${line}</p>`)
            .join("")}`,
      ).join("")}</body></html>`,
    ),
    chapters: TITLES,
  },
  "Chinese: first, middle and last without a word for part": {
    file: "thirds.txt",
    bytes: lines(["上", ...han(12, 1), "中", ...han(12, 2), "下", ...han(12, 3)]),
    chapters: ["上", "中", "下"],
  },
  "Chinese: titles alone, with blank lines above": {
    file: "titles.txt",
    bytes: lines(["狂人", "药铺", "故乡"].flatMap((title, at) => ["", "", title, "", ...han(14, at)])),
    chapters: ["狂人", "药铺", "故乡"],
  },
  "Chinese: a last chapter without a number": {
    file: "last.txt",
    bytes: lines(
      ["第一章", "第二章", "第三章", "大结局（上）", "最终章 归去"].flatMap((title, at) => [title, ...han(8, at)]),
    ),
    chapters: ["第一章", "第二章", "第三章", "大结局（上）", "最终章 归去"],
  },
  "Chinese: chapters in two pieces with one number": {
    file: "pieces.txt",
    bytes: lines(
      ["第一章 灯（上）", "第一章 灯（下）", "第二章 雨（上）", "第二章 雨（下）"].flatMap((title, at) => [
        title,
        ...han(8, at),
      ]),
    ),
    chapters: ["第一章 灯（上）", "第一章 灯（下）", "第二章 雨（上）", "第二章 雨（下）"],
  },
};
