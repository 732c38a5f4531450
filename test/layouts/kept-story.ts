import { epubOf } from "../support/small-files.ts";
import { han, type LayoutCase, paragraphs, prose, utf8 } from "./layout-case.ts";

const ROMAN = ["I", "II", "III", "IV"];
const TITLES = ["Fog", "Wind", "Snow", "Sun"];
const chapters = (inner: string) =>
  utf8(
    ROMAN.map((roman, at) => `CHAPTER ${roman}\n\n${prose(2, at)}\n\n${inner}\n\n${prose(2, at + 5)}`).join("\n\n\n\n"),
  );
const body = (count: number, seed: number) =>
  paragraphs(count, seed)
    .map((text) => `<p>${text}</p>`)
    .join("");
const page = (content: string) => utf8(`<html><head><title>The Lamp</title></head><body>${content}</body></html>`);
const titled = (inner: string) => page(TITLES.map((title, at) => `<h2>${title}</h2>${body(3, at)}${inner}`).join(""));
const numbered = ROMAN.map((roman) => `CHAPTER ${roman}`);

/** Text that looks like what stands around a story, and is of the story. */
export const KEPT_STORY: Readonly<Record<string, LayoutCase>> = {
  "a serial copied from its site, with counters, notes and links around every chapter": {
    file: "serial.txt",
    bytes: utf8(
      ["Fog", "Wind", "Snow", "Sun", "Hail"]
        .map((title, at) =>
          [
            `Chapter ${at + 1}: ${title}`,
            `${1_204 + 97 * at} reads`,
            prose(5, at),
            "So it goes.",
            ...(at % 2 === 0 ? [`A/N: Thank you for ${at} votes! See you on Friday.`] : []),
            "Previous Chapter",
            "Next Chapter",
          ].join("\n\n"),
        )
        .join("\n\n\n\n"),
    ),
    chapters: ["Fog", "Wind", "Snow", "Sun", "Hail"].map((title, at) => `Chapter ${at + 1}: ${title}`),
    contains: ["So it goes."],
    excludes: ["reads", "Next Chapter", "Previous", "Friday"],
  },
  "a novel whose credits run over two lines": {
    file: "credits.txt",
    bytes: utf8(
      `Produced by A. Reader, B. Reader and the Online\nDistributed Proofreading Team at http://www.example.org\n\n\n\nTHE LAMP\n\n\n\nCHAPTER I\n\n${prose(4, 0)}\n\n\n\nCHAPTER II\n\n${prose(4, 1)}`,
    ),
    chapters: ["CHAPTER I", "CHAPTER II"],
    excludes: ["Proofreading", "example.org"],
  },
  "a wrapped line that begins like a transcriber's credit": {
    file: "credit.txt",
    bytes: chapters(
      "He could not tell whether the silence that followed was the effect\nproduced by the lamp, or by the woman who held it up to see him; and\nscanned by so many eyes at once he looked away.",
    ),
    chapters: numbered,
    contains: ["the effect produced by the lamp, or by the woman", "and scanned by so many eyes"],
  },
  "an author's note between two chapters and another after the last": {
    file: "author.html",
    bytes: page(
      [...numbered.slice(0, 2), "Author's Note", ...numbered.slice(2), "AUTHOR'S NOTE"]
        .map(
          (heading, at) =>
            `<h2>${heading}</h2>${/note/i.test(heading) ? `<p>Thank you for reading, ${at}.</p>` : body(3, at)}`,
        )
        .join(""),
    ),
    chapters: numbered,
    contains: ["Thank you for reading, 2.", "Thank you for reading, 5."],
  },
  "a note in brackets by an editor whom the novel invents": {
    file: "bracket.txt",
    bytes: chapters(
      "[Editor's note: at this place eleven leaves are wanting, and the thread is\ntaken up in another hand, which the family believe to be the sister's.]",
    ),
    chapters: numbered,
    contains: ["at this place eleven leaves are wanting, and the thread is taken up"],
  },
  "the same in a page": {
    file: "bracket.html",
    bytes: titled("<p>[Editor's note: at this place eleven leaves are wanting.]</p>"),
    chapters: TITLES,
    contains: ["eleven leaves are wanting"],
  },
  "an address that somebody types": {
    file: "address.txt",
    bytes: chapters(
      "She typed it again, slowly, as if the site at www.harbour.org were a\nchild: nothing. He had taken the whole thing down.",
    ),
    chapters: numbered,
    contains: ["the site at www.harbour.org were a child"],
  },
  "a picture whose caption runs over two lines": {
    file: "caption.txt",
    bytes: chapters("[Illustration: He came down to see the place, and the lamp burned in the\nwindow as before]"),
    chapters: numbered,
    excludes: ["He came down to see", "window as before"],
  },
  "a scene in dialogue before the first heading": {
    file: "dialogue.txt",
    bytes: utf8(
      `THE LAMP\n\n\n${Array.from({ length: 30 }, (_, at) => (at % 2 ? "“And you let him go,” she said, “again.”" : `“He asked for the lamp, and I gave it, ${at} times.”`)).join("\n\n")}\n\n\n\n${ROMAN.map((roman, at) => `CHAPTER ${roman}\n\n${prose(4, at)}`).join("\n\n\n\n")}`,
    ),
    chapters: [null, ...numbered],
    contains: ["And you let him go"],
  },
  "a sentence that declares something": {
    file: "declares.txt",
    bytes: utf8(
      [..."一二三"]
        .map((number, at) => `第${number}章 灯\n${han(4, at).join("\n")}\n声明一下，他从来没有学习过这门手艺。`)
        .join("\n"),
    ),
    chapters: [..."一二三"].map((number) => `第${number}章 灯`),
    contains: ["他从来没有学习过这门手艺"],
  },
  "a page that is one form": {
    file: "form.html",
    bytes: page(`<form method="post">${TITLES.map((title, at) => `<h2>${title}</h2>${body(4, at)}`).join("")}</form>`),
    chapters: TITLES,
  },
  "a paragraph whose class means a page break": {
    file: "break.html",
    bytes: titled(
      '<p class="pb">He set the lamp in the window and waited for the boats to come home from the reef.</p>',
    ),
    chapters: TITLES,
    contains: ["He set the lamp in the window"],
  },
  "a letter whose class says that it is a picture": {
    file: "letter.html",
    bytes: titled(
      `<div class="illustration"><p>My dear John, ${"when you read this I shall be on the boat. ".repeat(6)}</p></div>`,
    ),
    chapters: TITLES,
    contains: ["My dear John"],
  },
  "paragraphs parted by line breaks alone": {
    file: "breaks.html",
    bytes: page(
      `<div>${TITLES.map((_title, at) => `Chapter ${at + 1}<br><br>${paragraphs(4, at).join("<br>\n<br>")}`).join("<br><br>")}</div>`,
    ),
    chapters: TITLES.map((_title, at) => `Chapter ${at + 1}`),
  },
  "two books in one file, each with its licence": {
    file: "two.txt",
    bytes: utf8(
      ["LAMP", "REEF"]
        .map(
          (name, book) =>
            `*** START OF THIS PROJECT GUTENBERG EBOOK THE ${name} ***\n\n\n${ROMAN.map((roman, at) => `CHAPTER ${roman}\n\n${prose(4, book * 10 + at)}`).join("\n\n\n\n")}\n\n\n*** END OF THIS PROJECT GUTENBERG EBOOK THE ${name} ***\n`,
        )
        .join("\n\n"),
    ),
    chapters: numbered,
    removedStory: "Removed, may be story: Project Gutenberg footer",
  },
  "what stands under the title of a part": {
    file: "motto.epub",
    bytes: epubOf({
      "part.xhtml":
        '<html><body><section epub:type="part"><h2>Part One</h2><p>Here the captain’s own papers begin.</p></section></body></html>',
      ...Object.fromEntries(
        TITLES.map((title, at) => [
          `p${at}.xhtml`,
          `<html><body><section epub:type="chapter"><h3>${title}</h3>${body(4, at)}</section></body></html>`,
        ]),
      ),
    }),
    chapters: TITLES,
    contains: ["the captain’s own papers begin"],
  },
};
