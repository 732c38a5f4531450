import { han, type LayoutCase, prose, utf8 } from "./layout-case.ts";

const ROMAN = ["I", "II", "III", "IV", "V"];
const NAMES = ["The Harbour", "The Old Road", "The Letter", "The Storm", "Home"];
const SONG =
  "        I\n\n    O lamp that burns,\n    The night is long,\n\n        II\n\n    And no man learns\n    The sailor's song.";

/** Numbers and tables of contents that mean something else than they seem, or promise what is not there. */
export const COUNTING: Readonly<Record<string, LayoutCase>> = {
  "a song in numbered stanzas that stops right before the next number": {
    file: "song.txt",
    bytes: utf8(
      ROMAN.map((roman, at) => `${roman}\n\n${prose(4, at)}${at === 1 ? `\n\n${SONG}\n\n${prose(2, 20)}` : ""}`).join(
        "\n\n\n\n",
      ),
    ),
    chapters: ROMAN,
    contains: ["The sailor's song."],
  },
  "a list of chapters without the word for contents": {
    file: "list.txt",
    bytes: utf8(
      `THE LAMP\n\n\n${ROMAN.map((roman, at) => `${roman}. ${NAMES[at]}`).join("\n")}\n\n\n\n${ROMAN.map((roman, at) => `${roman}. ${NAMES[at]}\n\n${prose(4, at)}`).join("\n\n\n\n")}`,
    ),
    chapters: ROMAN.map((roman, at) => `${roman}. ${NAMES[at]}`),
  },
  "a number that comes twice with nothing else in the heading": {
    file: "twice.txt",
    bytes: utf8(
      ["I", "II", "II", "III", "IV"].map((roman, at) => `CHAPTER ${roman}\n\n${prose(4, at)}`).join("\n\n\n\n"),
    ),
    chapters: ["I", "II", "II", "III", "IV"].map((roman) => `CHAPTER ${roman}`),
    warning: "Two chapters in a row have the same number: 2 at “CHAPTER II”",
  },
  "contents that name chapters which the file lacks": {
    file: "lacks.txt",
    bytes: utf8(
      `CONTENTS\n\n${[...NAMES, "The Wreck"].join("\n")}\n\n\n\n${NAMES.map((name, at) => `${name}\n\n${prose(4, at)}`).join("\n\n\n\n")}`,
    ),
    chapters: NAMES,
    warning: "The table of contents lists chapters that were not found: “The Wreck”",
  },
  "Chinese: points that somebody counts, in numbered chapters": {
    file: "points.txt",
    bytes: utf8(
      [..."一二三四"]
        .flatMap((number, at) => [
          number,
          ...han(4, at),
          "一、把灯点上",
          "二、把门关上",
          "三、别说话",
          ...han(4, at + 5),
        ])
        .join("\n"),
    ),
    chapters: [..."一二三四"],
    contains: ["二、把门关上"],
  },
};
