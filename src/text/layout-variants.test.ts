import { describe, expect, it } from "vitest";
import { epubOf } from "../../test/support/small-files.ts";
import { readBookFromBytes } from "./read-book.ts";

/** Layouts that differ from each other in a line or two, so it is shorter to write them here than to keep them as files. */

const SENTENCE =
  "The lamp burned low, and nobody at the harbour spoke of the storm that came in from the west that night.";
const prose = (words: number) =>
  Array.from({ length: Math.ceil(words / 60) }, (_, at) =>
    `${SENTENCE} It was day ${at}. ${SENTENCE} ${SENTENCE}`.replace(/(.{50,70}) /g, "$1\n"),
  ).join("\n\n");
const han = (length: number) =>
  "他走进屋里，看见桌上放着一封信。窗外风雨大作，街上没有行人。".repeat(Math.ceil(length / 30));
const ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"];
const chapters = (heading: (roman: string, number: number) => string, body = () => prose(300)) =>
  ROMAN.map((roman, at) => `${heading(roman, at + 1)}\n\n${body()}`).join("\n\n\n\n");
const read = (text: string, name = "book.txt") => readBookFromBytes(new TextEncoder().encode(text), name);
const titles = async (text: string, name?: string) => (await read(text, name)).chapters.map(({ title }) => title);

describe("before the first chapter", () => {
  it.each(["DRAMATIS PERSONAE", "CAST OF CHARACTERS", "PERSONS OF THE STORY", "List of Characters"])(
    "%s is not a chapter",
    async (heading) => {
      const people = "JOHN BELL, a captain.\nMARY BELL, his wife.\nTHE CLERK.\nTOM, a boy of the harbour.";
      const found = await titles(
        `THE LAMP\n\n\n${heading}\n\n${people}\n\n\n\n${chapters((roman) => `CHAPTER ${roman}`)}`,
      );
      expect(found).toEqual(ROMAN.map((roman) => `CHAPTER ${roman}`));
    },
  );

  it.each(["PROLOGUE", "THE PROLOGUE", "Prologue", "PROLOGUE: THE STORM", "PROLOG"])(
    "%s is a chapter of its own",
    async (heading) => {
      const found = await titles(`${heading}\n\n${prose(300)}\n\n\n${chapters((roman) => `CHAPTER ${roman}`)}`);
      expect(found).toEqual([heading, ...ROMAN.map((roman) => `CHAPTER ${roman}`)]);
    },
  );
});

describe("after the last chapter", () => {
  it.each(["An excerpt from THE ROPE", "Excerpt from The Rope", "A Sneak Peek at The Rope", "Preview of The Rope"])(
    "%s is another book's, and its removal is reported",
    async (heading) => {
      const page = (title: string) => `<h2>${title}</h2>${`<p>${SENTENCE} ${SENTENCE}</p>`.repeat(8)}`;
      const own = ROMAN.map((roman) => `Chapter ${roman}`);
      const book = await read(`<html><body>${[...own, heading].map(page).join("")}</body></html>`, "book.html");
      expect(book.chapters.map(({ title }) => title)).toEqual(own);
      expect(book.warnings.join()).toContain("Removed, may be story");
    },
  );
});

describe("headings", () => {
  it.each([
    ...["CAPÍTULO {r}", "CAPITOLO {r}", "ГЛАВА {r}", "Hoofdstuk {n}", "Rozdział {r}", "Kapitel {n}", "Kapittel {n}"],
    ...["Kapitola {r}", "{n}. fejezet", "{n}. Bölüm", "Capitolul {r}", "{n}. luku", "Κεφάλαιο {n}", "Розділ {r}"],
    ...["제{n}장", "{n}화", "Chương {n}", "Capítol {r}", "Caput {r}", "Bab {n}", "الفصل {n}", "פרק {n}"],
  ])("as %s are found", async (pattern) => {
    const heading = (roman: string, number: number) => pattern.replace("{r}", roman).replace("{n}", String(number));
    expect(await titles(chapters(heading))).toEqual(ROMAN.map((roman, at) => heading(roman, at + 1)));
  });

  it("are not the dates of a diary, although there are more of those", async () => {
    const entries = () => ["3 May. Bistritz.", "4 May.", "5 June, later."].map((date) => `${date}\n\n${prose(120)}`);
    expect(
      await titles(
        chapters(
          (roman) => `${roman}.`,
          () => entries().join("\n\n"),
        ),
      ),
    ).toHaveLength(8);
  });

  it("in capitals are titles, even the first, close below the book's own", async () => {
    const stories = ["A SCANDAL AT SEA", "THE RED LAMP", "THE CUP", "THE MAN AT THE DOOR"];
    const text = `STORIES\n\n\n${stories.map((title) => `${title}\n\n\n${prose(500)}`).join("\n\n\n\n")}`;
    expect(await titles(text)).toEqual(stories);
  });

  it.each(["{n}.", "{n}. The Lamp", "{n})"])(
    "as %j in Markdown keep their number, as in a plain text",
    async (pattern) => {
      const heading = (_: string, number: number) => pattern.replace("{n}", String(number));
      expect(await titles(chapters(heading), "book.md")).toEqual(ROMAN.map((roman, at) => heading(roman, at + 1)));
    },
  );

  it("by the ten thousand all become chapters", async () => {
    const text = Array.from({ length: 30_000 }, (_, at) => `Chapter ${at + 1}\n\nThe lamp burned low on night ${at}.`);
    expect((await read(text.join("\n\n"))).chapters).toHaveLength(30_000);
  });
});

describe("a number on a line of its own", () => {
  const spelled = (number: number) => [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  const words = Array.from({ length: 900 }, (_, at) => spelled(at));
  const lines = words
    .join(" ")
    .replace(/(.{50,70}) /g, "$1\n")
    .split("\n");
  /** Pages that end in the middle of a sentence, as most do. */
  const paged = (mark: (number: number) => string) =>
    Array.from({ length: 9 }, (_, page) => {
      const heading = page % 3 === 0 ? `CHAPTER ${ROMAN[page / 3]}\n\n` : "";
      return `${heading}${lines.slice(page * 5, page * 5 + 5).join("\n")}\n\n${mark(page + 1)}\n`;
    }).join("\n");
  const marks = [
    "- {n} -",
    "— {n} —",
    "      – {n} –",
    "~ {n} ~",
    ". {n} .",
    "{n}",
    "[{n}]",
    "Page {n}",
    "Page {n} of 9",
  ];

  it.each(marks)("as %j in the middle of sentences is a page, and the sentence is whole", async (mark) => {
    const text = paged((number) => mark.replace("{n}", String(number)));
    const book = await read(text);
    expect(book.chapters.map(({ title }) => title)).toEqual(["CHAPTER I", "CHAPTER II", "CHAPTER III"]);
    expect(book.removed.filter(({ rule }) => rule === "page number")).toHaveLength(9);
    const headless = await read(text.replace(/CHAPTER .*/g, ""));
    expect(headless.chapters).toHaveLength(1);
    expect(headless.chapters[0]!.text).toContain(`${lines[4]} ${lines[5]}`);
  });

  it.each(["- {n} -", "— {n} —", "[{n}]", "{n}", "~ {n} ~"])("as %j over each chapter is its heading", async (mark) => {
    const heading = (number: number) => mark.replace("{n}", String(number));
    const found = await titles(`The Ferry\n\n\n${chapters((_, number) => heading(number))}`);
    expect(found.map((title) => title?.replace(/^~ | ~$/g, ""))).toEqual(
      ROMAN.map((_, at) => heading(at + 1).replace(/^~ | ~$/g, "")),
    );
  });

  it("of a footnote stays with its text", async () => {
    const notes = [1, 2, 3].map((number) => `[${number}]\n\nSo they call it there.`).join("\n\n");
    const book = await read(
      chapters(
        (roman) => `CHAPTER ${roman}`,
        () => `${prose(200)}\n\n${notes}`,
      ),
    );
    expect(book.chapters).toHaveLength(8);
  });
});

describe("a headline in the last chapter", () => {
  const five = chapters((roman) => `CHAPTER ${roman}`);
  const headline = "GALE STRIKES THE ISLAND";

  it.each([
    ["under the first lines of it", `CHAPTER IX\n\nThe paper lay there.\n\n\n\n${headline}\n\n\n${prose(300)}`],
    ["that a sentence introduces", `CHAPTER IX\n\n${prose(300)}\n\nHe read:\n\n\n\n${headline}\n\n\n${prose(300)}`],
  ])("%s is not a chapter", async (_name, ending) => {
    const book = await read(`${five}\n\n\n\n${ending}`);
    expect(book.chapters.map(({ title }) => title)).toEqual([
      ...ROMAN.map((roman) => `CHAPTER ${roman}`),
      "CHAPTER IX",
    ]);
    expect(book.chapters.at(-1)!.text).toContain(headline);
  });

  it("may be the title of an epilogue: it is read as one, with a warning", async () => {
    const book = await read(`${five}\n\n\n\nTEN YEARS AFTER\n\n${prose(300)}`);
    expect(book.chapters.at(-1)!.title).toBe("TEN YEARS AFTER");
    expect(book.warnings.join()).toContain("Chapter 9 “TEN YEARS AFTER” after the last numbered one has no number");
  });
});

describe("an archive of pages without headings", () => {
  it("is one text, with a warning", async () => {
    const page = `<html><body>${Array.from({ length: 8 }, () => `<p>${SENTENCE}</p>`).join("")}</body></html>`;
    const book = await readBookFromBytes(epubOf({ "1.xhtml": page, "2.xhtml": page, "3.xhtml": page }), "rain.epub");
    expect(book.warnings.join()).toContain("No chapter headings were found in the file's 3 pages");
  });
});

describe("Chinese", () => {
  it("in one line is cut at the storyteller's own words, although titles are glued to the text", async () => {
    const numbers = "一二三四五六七八九";
    const text = [...numbers]
      .map((number) => `第${number}回风雨归来却说${han(400)}欲知后事如何，且听下回分解。`)
      .join("");
    expect(await titles(text)).toEqual([...numbers].map((number) => `第${number}回风雨归来`));
  });

  const body = ["第一章 归来", han(300), "第二章 风雨", han(300)].join("\n");
  it.each([
    ["【書名】風雨\n【作者】某甲\n", "book.txt", "風雨", "某甲"],
    ["书名：《风雨》\n作　者：某甲\n", "book.txt", "风雨", "某甲"],
    ["《风雨》\n　　作者:某甲\n", "book.txt", "风雨", "某甲"],
    ["", "风雨 作者：某丙.txt", "风雨", "某丙"],
    ["", "《风雨》（全本）作者：某丙.txt", "风雨", "某丙"],
    ["", "风雨（作者：某丙）.txt", "风雨", "某丙"],
  ])("names its author: %j in %s", async (head, name, title, author) => {
    expect(await read(head + body, name)).toMatchObject({ title, author });
  });
});

describe("a page that says what it is", () => {
  it("by the roles of digital publishing is read like one with epub:type", async () => {
    const section = (title: string) => `<section role="doc-chapter"><h2>${title}</h2><p>${SENTENCE}</p></section>`;
    const found = await titles(
      `<html><body>${["Rain", "Wind", "Sun"].map(section).join("")}</body></html>`,
      "book.html",
    );
    expect(found).toEqual(["Rain", "Wind", "Sun"]);
  });

  it("with a list of links under its title keeps neither as a chapter", async () => {
    const links = "- [Rain](#rain)\n- [Wind](#wind)\n- [Sun](#sun)";
    const chapter = (title: string) => `## ${title}\n\n${prose(300)}`;
    const text = `# The Lamp\n\n${links}\n\n${["Rain", "Wind", "Sun"].map(chapter).join("\n\n")}`;
    expect(await titles(text, "book.md")).toEqual(["Rain", "Wind", "Sun"]);
  });
});

describe("a repeated number", () => {
  it("leads to a warning with its place", async () => {
    const text = ["CHAPTER I", "CHAPTER II. Rain", "CHAPTER II. Wind", "CHAPTER III"].map(
      (title) => `${title}\n\n${prose(200)}`,
    );
    expect((await read(text.join("\n\n\n"))).warnings.join()).toContain("same number: 2 at “CHAPTER II. Wind”");
  });
});

describe("verse", () => {
  it("at the margin keeps its lines, as does an address; prose does not", async () => {
    const verse = "O lamp that burns,\nThe night is long,\nAnd no man learns.";
    const text = (
      await read(
        chapters(
          (roman) => `CHAPTER ${roman}`,
          () => `${prose(200)}\n\n${verse}\n\n${prose(60)}`,
        ),
      )
    ).chapters[0]!.text;
    expect(text).toContain(verse);
    expect(
      text
        .replace(verse, "")
        .split("\n\n")
        .every((paragraph) => !paragraph.includes("\n")),
    ).toBe(true);
  });
});
