import { type Damage, withTexts } from "./damage.ts";

/** British spellings with their American forms, as whole words or stems. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ["colour", "color"],
  ["honour", "honor"],
  ["favour", "favor"],
  ["neighbour", "neighbor"],
  ["labour", "labor"],
  ["parlour", "parlor"],
  ["harbour", "harbor"],
  ["humour", "humor"],
  ["grey", "gray"],
  ["centre", "center"],
  ["theatre", "theater"],
  ["traveller", "traveler"],
  ["marvellous", "marvelous"],
  ["realise", "realize"],
  ["recognise", "recognize"],
  ["apologise", "apologize"],
  ["towards", "toward"],
  ["defence", "defense"],
  ["jewellery", "jewelry"],
  ["plough", "plow"],
];

function respelt(text: string): string {
  // The direction that changes more words: a British book becomes American, and the other way round.
  const british = SPELLINGS.filter(([from]) => text.includes(from)).length;
  const american = SPELLINGS.filter(([, from]) => text.includes(from)).length;
  const pairs = british >= american ? SPELLINGS : SPELLINGS.map(([left, right]) => [right, left] as const);
  return pairs.reduce(
    (all, [from, to]) =>
      all
        .replace(new RegExp(`(?<!\\p{L})${from}`, "gu"), to)
        .replace(new RegExp(`(?<!\\p{L})${capital(from)}`, "gu"), capital(to)),
    text,
  );
}

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

/** Changes of the page that leave the book as it is. */
export const LAYOUT_CHANGES: readonly Damage[] = [
  {
    id: "spelling-convention",
    name: "British spelling turned American, or the other way round",
    harmless: true,
    apply: (book) => withTexts(book, ({ text }) => respelt(text)),
  },
  {
    id: "quotation-marks",
    name: "other quotation marks",
    harmless: true,
    apply: (book) =>
      withTexts(book, ({ text }) =>
        /[“”]/.test(text) ? text.replace(/[“”]/g, '"') : text.replace(/"([^"\n]*)"/g, "“$1”"),
      ),
  },
  {
    id: "line-breaks",
    name: "other line breaks",
    harmless: true,
    apply: (book) =>
      withTexts(book, ({ text }) =>
        text
          .split(/\n{2,}/)
          .map((paragraph) => wrapped(paragraph.replace(/\s+/g, " ").trim(), 72))
          .join("\n\n"),
      ),
  },
];

function wrapped(paragraph: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
