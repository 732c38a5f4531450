import { type LayoutCase, paragraphs, prose, utf8 } from "./layout-case.ts";

const PORTUGUESE =
  "A lâmpada ardia baixa, e no porto ninguém falava da tempestade que vinha do oeste; ele contou os barcos até que a luz se foi.";
const KOREAN =
  "등불은 낮게 타올랐고, 항구에서는 아무도 폭풍을 말하지 않았다. 그는 빛이 사라질 때까지 배를 세고 옛길로 집에 돌아갔다.";
const body = (sentence: string, seed: number) =>
  Array.from({ length: 6 }, (_, at) => `${sentence} ${sentence} ${seed}.${at}.`).join("\n\n");
const book = (sentence: string, titles: readonly string[]) =>
  utf8(titles.map((title, at) => `${title}\n\n${body(sentence, at)}`).join("\n\n\n"));
const same = (file: string, sentence: string, chapters: readonly string[]): LayoutCase => ({
  ...{ file, chapters },
  bytes: book(sentence, chapters),
});
const ROMAN = ["I", "II", "III", "IV"];

/** Words for the pieces of a book that only some languages have, and pieces that few books have. */
export const LANGUAGES: Readonly<Record<string, LayoutCase>> = {
  "Portuguese numbers in words": same("pt.txt", PORTUGUESE, [
    ...["CAPÍTULO PRIMEIRO", "CAPÍTULO SEGUNDO", "CAPÍTULO TERCEIRO", "CAPÍTULO QUARTO"],
  ]),
  "Portuguese parts in words": {
    file: "partes.txt",
    bytes: utf8(
      ["PRIMEIRA PARTE", "SEGUNDA PARTE"]
        .map(
          (part, at) =>
            `${part}\n\n\n\n${[1, 2, 3].map((number) => `Capítulo ${number}\n\n${body(PORTUGUESE, at * 3 + number)}`).join("\n\n\n\n")}`,
        )
        .join("\n\n\n\n"),
    ),
    chapters: [1, 2, 3, 1, 2, 3].map((number) => `Capítulo ${number}`),
    parts: [1, 1, 1, 2, 2, 2].map((part) => (part === 1 ? "PRIMEIRA PARTE" : "SEGUNDA PARTE")),
  },
  "a Korean prologue and epilogue": same("ko.txt", KOREAN, [
    "프롤로그",
    "제1장 항구",
    "제2장 편지",
    "제3장 폭풍",
    "에필로그",
  ]),
  "Korean numbers in words": same("ko-words.txt", KOREAN, ["제일장", "제이장", "제삼장", "제사장"]),
  "Korean titles with a number": same("ko-numbers.txt", KOREAN, ["1. 항구", "2. 편지", "3. 폭풍", "4. 아침"]),
  "an appendix that is of the story": {
    file: "appendix.txt",
    bytes: utf8(
      [...ROMAN.map((roman) => `CHAPTER ${roman}`), "APPENDIX"]
        .map((title, at) => `${title}\n\n${prose(4, at)}`)
        .join("\n\n\n\n"),
    ),
    chapters: [...ROMAN.map((roman) => `CHAPTER ${roman}`), "APPENDIX"],
  },
  "letters, the first near the top of the file": {
    file: "letters.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => `LETTER ${roman}\n\nTo Mrs. Bell, Harbour Street\n\n${prose(4, at)}`).join("\n\n\n\n"),
    ),
    chapters: ROMAN.map((roman) => `LETTER ${roman}`),
  },
  "one act of a play that somebody reads in a novel": {
    file: "act.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => {
        const act = `\n\n\nACT I\n\nSCENE 1. The harbour.\n\nKEEPER. Who goes there?\n\n${prose(2, 20)}`;
        return `CHAPTER ${roman}\n\n${prose(4, at)}${at === 1 ? act : ""}`;
      }).join("\n\n\n\n"),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
    contains: ["ACT I", "KEEPER. Who goes there?"],
  },
  "wrapped lines without a blank one, with headings at the margin": {
    file: "no-blank.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => {
        const wrapped = paragraphs(5, at).map((text) => `    ${text.replace(/(.{55,70}) /g, "$1\n")}`);
        return `CHAPTER ${roman}\n${wrapped.join("\n")}`;
      }).join("\n"),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
  },
};
