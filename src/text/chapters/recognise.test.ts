import { describe, expect, it } from "vitest";
import { parseHan, parseRoman } from "./numbers.ts";
import { recogniseHeading } from "./recognise.ts";

const read = (line: string) => {
  const recognition = recogniseHeading(line);
  return recognition && [recognition.kind, recognition.number, recognition.rest];
};

describe("headings", () => {
  it.each([
    ["CHAPTER IV", "chapter", 4, ""],
    ["Chapter the First", "chapter", 1, ""],
    ["CHAPTER XII. THE WEDDING", "chapter", 12, "THE WEDDING"],
    ["Chapter 1 PETER BREAKS THROUGH", "chapter", 1, "PETER BREAKS THROUGH"],
    ["CHAPTER I—START IN LIFE", "chapter", 1, "START IN LIFE"],
    ["_Chapter Twenty-One_", "chapter", 21, ""],
    ["THE FORTY-FIRST CHAPTER", "chapter", 41, ""],
    ["Chapter One Hundred and Two", "chapter", 102, ""],
    ["STAVE ONE.", "chapter", 1, ""],
    ["Letter 3", "chapter", 3, ""],
    ["BOOK THE FIRST", "division", 1, ""],
    ["PART II: The Return", "division", 2, "The Return"],
    ["VOLUME III.", "division", 3, ""],
    ["PROLOGUE", "named", null, ""],
    ["Epilogue: Ten Years After", "named", null, "Ten Years After"],
    ["THE PREFACE", "named", null, ""],
    ["XIV", "numeral", 14, ""],
    ["7.", "numeral", 7, ""],
    ["[ 3 ]", "numeral", 3, ""],
    ["IX. The Guest", "numeral", 9, "The Guest"],
    ["I  The Old Pyncheon Family", "numeral", 1, "The Old Pyncheon Family"],
    ["TWELVE", "numeral", 12, ""],
    ["CONTENTS", "paratext", null, ""],
    ["Transcriber’s Note", "paratext", null, ""],
    ["CHAPITRE PREMIER", "chapter", 1, ""],
    ["Chapitre III — Le Retour", "chapter", 3, "Le Retour"],
    ["PREMIÈRE PARTIE", "division", 1, ""],
    ["Erstes Kapitel", "chapter", 1, ""],
    ["Eerste hoofdstuk", "chapter", 1, ""],
    ["Hoofdstuk eenentwintig", "chapter", 21, ""],
    ["Rozdział trzeci", "chapter", 3, ""],
    ["Rozdział dwudziesty pierwszy", "chapter", 21, ""],
    ["Andra kapitlet", "chapter", 2, ""],
    ["Kapitel sju", "chapter", 7, ""],
    ["Beşinci Bölüm", "chapter", 5, ""],
    ["On İkinci Bölüm", "chapter", 12, ""],
    ["İkinci Bölüm", "chapter", 2, ""],
    ["BİRİNCİ BÖLÜM", "chapter", 1, ""],
    ["Bab Pertama", "chapter", 1, ""],
    ["Bab Dua Belas", "chapter", 12, ""],
    ["Bab Dua Puluh Satu", "chapter", 21, ""],
    ["Chương một", "chapter", 1, ""],
    ["Chương thứ nhất", "chapter", 1, ""],
    ["Chương mười hai", "chapter", 12, ""],
    ["الفصل الأول", "chapter", 1, ""],
    ["الفصل الحادي عشر", "chapter", 11, ""],
    ["الفصل الثاني عشر", "chapter", 12, ""],
    ["الفصل الثالث والعشرون", "chapter", 23, ""],
    ["الفصل ٣", "chapter", 3, ""],
    ["अध्याय एक", "chapter", 1, ""],
    ["पहला अध्याय", "chapter", 1, ""],
    ["अध्याय १२", "chapter", 12, ""],
    ["Zweiter Teil", "division", 2, ""],
    ["Capítulo primero", "chapter", 1, ""],
    ["CAPITOLO XXXVIII", "chapter", 38, ""],
    ["Глава первая", "chapter", 1, ""],
    ["ЧАСТЬ ВТОРАЯ", "division", 2, ""],
    ["第一回 宴桃园豪杰三结义", "chapter", 1, "宴桃园豪杰三结义"],
    ["正文 第一二零回 甄士隐详说太虚情", "chapter", 120, "甄士隐详说太虚情"],
    ["第１２章：风起", "chapter", 12, "风起"],
    ["第壹佰零叁章", "chapter", 103, ""],
    ["卷三", "division", 3, ""],
    ["第二卷 少年", "division", 2, "少年"],
    ["二十一", "numeral", 21, ""],
    ["三、归来", "numeral", 3, "归来"],
    ["楔子 张天师祈禳瘟疫", "lead-in", null, "张天师祈禳瘟疫"],
    ["尾声", "named", null, ""],
    ["目录", "paratext", null, ""],
    ["プロローグ", "named", null, ""],
  ])("%s", (line, kind, number, rest) => expect(read(line)).toEqual([kind, number, rest]));

  it.each([
    "Letter I received yesterday was from him.",
    "Part of the reason was plain.",
    "One night I was sitting in the chimney corner.",
    "Chapter and verse, he knew them all.",
    "I: 'Is that so? Who knows?'",
    "I went home.",
    "Book in hand, she sat down.",
    "第一回见面时他笑了。",
    "第四回中既将薛家母子在荣府内寄居等事略已表明，此回则暂不能写矣",
    "1813",
    "",
  ])("not %j", (line) => expect(read(line)).toBeNull());
});

describe("numbers", () => {
  it("are read as old prints and Chinese titles write them", () => {
    expect(["IIII", "XIX", "XC", "MCMXIII"].map(parseRoman)).toEqual([4, 19, 90, 1913]);
    expect(["一百零三", "十二", "廿一", "一二零", "１２", "貳拾", "两百"].map(parseHan)).toEqual([
      103, 12, 21, 120, 12, 20, 200,
    ]);
    expect(["", "IC", "MILD"].map(parseRoman)).toEqual([null, null, null]);
  });
});
