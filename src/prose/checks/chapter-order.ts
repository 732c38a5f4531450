import type { BookProse } from "../map/book-prose.ts";
import type { Span } from "../prose-text.ts";
import type { Check, Suspicion } from "./check.ts";

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

const WORD = `(?:${[...TENS.flatMap((ten) => [`${ten}(?:[- ](?:${UNITS.slice(1, 10).join("|")}))?`]), ...UNITS.slice(1)].toSorted((left, right) => right.length - left.length).join("|")})`;
/** "Chapter 4", "Chapter Four: The Scale", "IV. The Scale", "4"; "7 July" and "I Am Born" are titles. */
const NAMED = new RegExp(
  `^\\W*(?:chapter|kapitel|chapitre|capítulo|capitolo|hoofdstuk|第)\\s*(\\d{1,3}|[ivxlc]{1,8}|${WORD})\\b`,
  "i",
);
const BARE = /^\W*(\d{1,3}|[IVXLC]{1,8})\s*(?:$|[.:)–—-])/;

/** The number in a heading, in digits, Roman digits or words. */
export function chapterNumber(title: string): number | null {
  const found = (NAMED.exec(title) ?? BARE.exec(title))?.[1]?.toLowerCase();
  if (found === undefined) return null;
  if (/^\d+$/.test(found)) return Number(found);
  if (/^[ivxlcdm]+$/.test(found)) {
    const digits = [...found].map((digit) => ROMAN[digit]!);
    return digits.reduce((sum, value, index) => (value < (digits[index + 1] ?? 0) ? sum - value : sum + value), 0);
  }
  const [first = "", second] = found.split(/[- ]/);
  const ten = TENS.indexOf(first);
  if (ten < 0) return UNITS.indexOf(first);
  return 10 * (ten + 2) + (second === undefined ? 0 : UNITS.indexOf(second));
}

interface Heading {
  readonly title: string;
  readonly number: number;
  readonly place: Span;
}

/** In a book with numbered chapters, finds those whose number does not follow the previous one. */
export const chapterOrder: Check = (bookProse) => {
  const headings = headingsOf(bookProse);
  if (headings.length < 3) return [];
  const found: Suspicion[] = [];
  for (let index = 1; index < headings.length; index++) {
    const [before, here, after] = [headings[index - 1]!, headings[index]!, headings[index + 1]];
    const expected = before.number + 1;
    // A new part may start again from one.
    if (here.number === expected || here.number === 1) continue;
    if (after?.number === expected && here.number === expected + 1) {
      found.push(
        suspicion(
          [here, after],
          `${name(here)} stands before ${name(after)}.`,
          "Put the two chapters, or their numbers, into order.",
        ),
      );
      index++;
      if (headings[index + 1]?.number === expected + 2) index++;
    } else if (here.number === before.number)
      found.push(
        suspicion(
          [before, here],
          `Two chapters have the number ${here.number}.`,
          "Renumber the second of them and those after it.",
        ),
      );
    else if (here.number > expected)
      found.push(
        suspicion(
          [before, here],
          `After ${name(before)} comes ${name(here)}: ${missing(expected, here.number - 1)}.`,
          "Put the missing chapter in, or renumber those that follow.",
        ),
      );
    else
      found.push(
        suspicion(
          [before, here],
          `After ${name(before)} comes ${name(here)}.`,
          "Put the chapters, or their numbers, into order.",
        ),
      );
  }
  // Numbers that rarely follow each other count something else.
  return found.length > Math.max(2, headings.length / 5) ? [] : found;
};

const missing = (from: number, to: number) =>
  from === to ? `number ${from} is missing` : `numbers ${from} to ${to} are missing`;
const name = ({ title }: Heading) => `“${title.replace(/\s+/g, " ").trim().slice(0, 60)}”`;

function suspicion(headings: readonly Heading[], claim: string, advice: string): Suspicion {
  return {
    kind: "chapter-order",
    title: "Chapter numbers out of sequence",
    claim,
    severity: "must",
    places: headings.map(({ place }) => place),
    advice,
  };
}

const LINE = /^[^\S\n]*(?:#{1,4}[^\S\n]*|\*{1,2})?(chapter\s+[^\n]{1,80})$/gim;
/** A heading, or the first words of a line that is too long to be one; a word is cut only if there is no space. */
const OPENING = /\S(?:[^\n]{0,199}(?!\S)|[^\n]{0,199})/;

/** The headings from the titles of the chapters or, in an undivided text, from its lines. */
function headingsOf({ chapters, prose }: BookProse): Heading[] {
  const titled = chapters.flatMap(({ title, start, end }) => {
    const number = title === null ? null : chapterNumber(title);
    if (number === null) return [];
    const opening = OPENING.exec(prose.text.slice(start, end));
    return opening
      ? [
          {
            title: title!,
            number,
            place: { start: start + opening.index, end: start + opening.index + opening[0].length },
          },
        ]
      : [];
  });
  if (titled.length > 0) return titled;
  return [...prose.text.matchAll(LINE)].flatMap(({ 0: line, 1: title, index }) => {
    const number = chapterNumber(title!);
    return number === null ? [] : [{ title: title!, number, place: { start: index, end: index + line.length } }];
  });
}
