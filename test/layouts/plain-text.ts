import { type LayoutCase, prose, utf8 } from "./layout-case.ts";

const text = (chapters: readonly string[], separator = "\n\n\n\n") => utf8(chapters.join(separator));
const WORDS = ["One", "Two", "Three", "Four", "Five"];
const ROMAN = ["I", "II", "III", "IV", "V"];
const DATES = ["3 May", "4 May", "9 May", "1 June", "2 June"];

/** Plain texts and Markdown. */
export const PLAIN_TEXTS: Readonly<Record<string, LayoutCase>> = {
  "letters, numbered": {
    file: "letters.txt",
    bytes: text(
      ROMAN.map(
        (roman, at) =>
          `LETTER ${roman}.\n\nTo Mrs. Bell, at the Harbour.\n\nST. PETER, Dec. ${at + 11}th.\n\n${prose(4, at)}\n\nYour loving brother,\n\nJOHN BELL`,
      ),
    ),
    chapters: ROMAN.map((roman) => `LETTER ${roman}.`),
    contains: ["To Mrs. Bell, at the Harbour.", "JOHN BELL"],
  },
  "a diary in chapters": {
    file: "diary.txt",
    bytes: text(
      ROMAN.slice(0, 4).map(
        (roman, at) =>
          `CHAPTER ${roman}\n\nJOHN BELL'S JOURNAL\n\n${DATES.slice(0, 3)
            .map((date) => `_${date}._--${prose(3, at)}`)
            .join("\n\n")}`,
      ),
    ),
    chapters: ROMAN.slice(0, 4).map((roman) => `CHAPTER ${roman}: JOHN BELL'S JOURNAL`),
  },
  "a play in acts and scenes": {
    file: "play.txt",
    bytes: text(
      ["I", "II"].flatMap((act, first) => [
        `ACT ${act}`,
        ...["I", "II"].map(
          (scene, at) =>
            `SCENE ${scene}\n\nA harbour. Night.\n\nJOHN. You are late.\n\nMARY. The boats are in, and nobody spoke of it.\n\n${prose(4, first * 10 + at)}`,
        ),
      ]),
      "\n\n\n",
    ),
    chapters: ["SCENE I", "SCENE II", "SCENE I", "SCENE II"],
    parts: ["ACT I", "ACT I", "ACT II", "ACT II"],
    contains: ["A harbour. Night."],
  },
  "footnotes of an editor whom the novel invents": {
    file: "editor.txt",
    bytes: text(
      ROMAN.slice(0, 4).map(
        (roman, at) =>
          `CHAPTER ${roman}\n\n${prose(3, at)}\n\n[Editor's note: here the manuscript is torn, and the captain's widow has written in\nthe margin that he never came back from the reef, whatever the owners told her.]\n\n${prose(2, at + 7)}`,
      ),
    ),
    chapters: ROMAN.slice(0, 4).map((roman) => `CHAPTER ${roman}`),
    contains: ["he never came back from the reef"],
  },
  "parts and books within a book": {
    file: "books.txt",
    bytes: text(
      ["ONE", "TWO"].flatMap((part, half) => [
        `PART ${part}`,
        ...["FIRST", "SECOND"].flatMap((book, quarter) => [
          `BOOK THE ${book}`,
          ...["I", "II"].map(
            (roman, at) => `CHAPTER ${roman}\n\nThe Lamp at the Door\n\n${prose(4, half * 20 + quarter * 10 + at)}`,
          ),
        ]),
      ]),
    ),
    chapters: Array.from({ length: 4 }).flatMap(() => [
      "CHAPTER I: The Lamp at the Door",
      "CHAPTER II: The Lamp at the Door",
    ]),
    parts: ["ONE", "ONE", "ONE", "ONE", "TWO", "TWO", "TWO", "TWO"].map(
      (part, at) => `PART ${part} · BOOK THE ${at % 4 < 2 ? "FIRST" : "SECOND"}`,
    ),
  },
  "a prologue, interludes and an epilogue": {
    file: "interludes.txt",
    bytes: text([
      `Prologue\n\n${prose(5)}`,
      ...["1", "2"].map((number, at) => `Chapter ${number}\n\n${prose(6, at)}`),
      `Interlude\n\n${prose(4, 3)}`,
      ...["3", "4"].map((number, at) => `Chapter ${number}\n\n${prose(6, at + 4)}`),
      `Interlude: The Other Shore\n\n${prose(4, 8)}`,
      `Chapter 5\n\n${prose(6, 9)}`,
      `Epilogue\n\n${prose(3, 10)}`,
    ]),
    chapters: [
      ...["Prologue", "Chapter 1", "Chapter 2", "Interlude", "Chapter 3", "Chapter 4"],
      ...["Interlude: The Other Shore", "Chapter 5", "Epilogue"],
    ],
  },
  "scenes with numbers inside chapters": {
    file: "scenes.txt",
    bytes: text(
      WORDS.map(
        (word, at) => `Chapter ${word}\n\n1\n\n${prose(3, at)}\n\n2\n\n${prose(3, at + 5)}\n\n3\n\n${prose(2, at)}`,
      ),
    ),
    chapters: WORDS.map((word) => `Chapter ${word}`),
  },
  "chapters named for who tells them": {
    file: "voices.txt",
    bytes: text(
      ["MARY", "JOHN", "MARY", "THE CLERK", "JOHN", "MARY"].map((name, at) => `${name}\n\n\n${prose(8, at)}`),
      "\n\n\n\n\n",
    ),
    chapters: ["MARY", "JOHN", "MARY", "THE CLERK", "JOHN", "MARY"],
  },
  "lower-case headings with a dash": {
    file: "dash.txt",
    bytes: text(WORDS.map((word, at) => `chapter ${word.toLowerCase()} - the old road\n\n${prose(6, at)}`)),
    chapters: WORDS.map((word) => `chapter ${word.toLowerCase()} - the old road`),
  },
  "days as headings": {
    file: "days.txt",
    bytes: text(WORDS.map((word, at) => `Day ${word}\n\n${prose(6, at)}`)),
    chapters: WORDS.map((word) => `Day ${word}`),
  },
  "hash signs without a space, as some writers set them": {
    file: "hashes.md",
    bytes: text(WORDS.map((word, at) => `#Chapter ${word}\n\n${prose(6, at)}`)),
    chapters: WORDS.map((word) => `Chapter ${word}`),
  },
  "Markdown with front matter, parts and chapters": {
    file: "novel.md",
    bytes: utf8(
      `---\ntitle: The Lamp\nauthor: A. Writer\ntags: [novel, draft]\n---\n\n# The Lamp\n\n${["One", "Two"]
        .map(
          (part, half) =>
            `# Part ${part}\n\n${["Rain", "Wind"].map((title, at) => `## ${title} ${part}\n\n${prose(5, at + 10 * half)}`).join("\n\n")}`,
        )
        .join("\n\n")}`,
    ),
    title: "The Lamp",
    author: "A. Writer",
    chapters: ["Rain One", "Wind One", "Rain Two", "Wind Two"],
    parts: ["Part One", "Part One", "Part Two", "Part Two"],
  },
  "Markdown with TOML front matter": {
    file: "hugo.md",
    bytes: utf8(
      `+++\ntitle = "The Lamp"\nauthor = "A. Writer"\n+++\n\n${["Rain", "Wind", "Sun"].map((title, at) => `## ${title}\n\n${prose(5, at)}`).join("\n\n")}`,
    ),
    title: "The Lamp",
    author: "A. Writer",
    chapters: ["Rain", "Wind", "Sun"],
    excludes: ["+++", "A. Writer"],
  },
  "old Macintosh line ends": {
    file: "macintosh.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => `CHAPTER ${roman}\n\n${prose(5, at)}`)
        .join("\n\n\n")
        .replaceAll("\n", "\r"),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
  },
  "Windows line ends with doubled carriage returns": {
    file: "doubled.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => `CHAPTER ${roman}\n\n${prose(5, at)}`)
        .join("\n\n\n")
        .replaceAll("\n", "\r\r\n"),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
  },
  "a serial with more than a thousand chapters": {
    file: "serial.txt",
    bytes: utf8(
      Array.from({ length: 1210 }, (_, at) => `Chapter ${at + 1}: Night ${at + 1}\n\n${prose(1, at)}`).join("\n\n\n"),
    ),
    chapters: Array.from({ length: 1210 }, (_, at) => `Chapter ${at + 1}: Night ${at + 1}`),
  },
  "a serial that counts in bare numbers beyond a thousand": {
    file: "numbers.txt",
    bytes: utf8(
      Array.from({ length: 1105 }, (_, at) => `${at + 1}. Night ${WORDS[at % 5]}\n\n${prose(1, at)}`).join("\n\n\n"),
    ),
    chapters: Array.from({ length: 1105 }, (_, at) => `${at + 1}. Night ${WORDS[at % 5]}`),
  },
  "a year over a scene is no chapter": {
    file: "years.txt",
    bytes: text(
      ROMAN.map(
        (roman, at) => `CHAPTER ${roman}\n\n${1890 + at}\n\n${prose(3, at)}\n\n${1910 + at}\n\n${prose(3, at + 5)}`,
      ),
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
  },
  "chapters under a running head of the book's title": {
    file: "running.txt",
    bytes: text(ROMAN.map((roman, at) => `THE LAMP\n\nChapter ${roman}\n\n${prose(6, at)}`)),
    chapters: ROMAN.map((roman) => `Chapter ${roman}`),
  },
  "UTF-16 with a mark": {
    file: "wide.txt",
    bytes: Buffer.from(
      `\uFEFF${ROMAN.map((roman, at) => `CHAPTER ${roman}\r\n\r\n${prose(4, at)}`).join("\r\n\r\n\r\n")}`,
      "utf16le",
    ),
    chapters: ROMAN.map((roman) => `CHAPTER ${roman}`),
  },
};
