import { type Random, randomInteger } from "../../core/random.ts";
import { splitSentences } from "../../text/sentences.ts";
import { collectNames } from "../anonymise/collect-names.ts";
import { replaceNames } from "../anonymise/replace-names.ts";
import { CLICHES } from "./cliches.ts";
import { type Damage, withTexts } from "./damage.ts";

/** Characters with single names, most frequent first: what can be swapped without touching anything else. */
function singleNames(chapters: Parameters<typeof collectNames>[0], most: number): string[] {
  return collectNames(chapters)
    .map(({ name }) => name)
    .filter((name) => /^\p{Lu}\p{Ll}{2,}$/u.test(name))
    .slice(0, most);
}

/** One letter lost, doubled or changing places with its neighbour: the slips of a hurried typist. */
function misspelt(word: string, random: Random): string {
  const at = 1 + randomInteger(random, word.length - 2);
  switch (randomInteger(random, 3)) {
    case 0:
      return word.slice(0, at) + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + word[at]! + word.slice(at);
    default:
      return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
  }
}

const SPEECH = /[“"][^“”"\n]{1,600}[”"]/gu;

export const WORDING_DAMAGES: readonly Damage[] = [
  {
    id: "swapped-names",
    name: "names of characters swapped at random",
    harmless: false,
    apply: (book, { strength, random }) => {
      const names = singleNames(book.chapters, 12);
      if (names.length < 2) return null;
      const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join("|")})(?![\\p{L}\\p{N}])`, "gu");
      return withTexts(book, ({ text }) =>
        text.replace(pattern, (name) => (random() < strength ? names[randomInteger(random, names.length)]! : name)),
      );
    },
  },
  {
    id: "no-dialogue",
    name: "dialogue stripped",
    harmless: false,
    apply: (book, { strength, random }) => {
      const stripped = withTexts(book, ({ text }) =>
        text
          .replace(SPEECH, (speech) => (random() < strength ? "" : speech))
          .replace(/[ \t]{2,}/g, " ")
          .replace(/^[ \t,]+/gm, ""),
      );
      return stripped.words > 0.9 * book.words ? null : stripped;
    },
  },
  {
    id: "misspellings",
    name: "spelling mistakes (one word in twenty at full strength)",
    harmless: false,
    apply: (book, { strength, random }) =>
      withTexts(book, ({ text }) =>
        text.replace(/(?<![\p{L}’'])\p{Ll}{4,}(?![\p{L}’'])/gu, (word) =>
          random() < strength * 0.1 ? misspelt(word, random) : word,
        ),
      ),
  },
  {
    id: "cliches",
    name: "clichés inserted (one sentence in ten at full strength)",
    harmless: false,
    apply: (book, { strength, random }) =>
      withTexts(book, ({ text }) =>
        text
          .split(/\n{2,}/)
          .map((paragraph) =>
            splitSentences(paragraph)
              .map(({ start, end }) => {
                const sentence = paragraph.slice(start, end);
                return random() < strength * 0.1
                  ? `${sentence} ${CLICHES[randomInteger(random, CLICHES.length)]!}`
                  : sentence;
              })
              .join(" "),
          )
          .join("\n\n"),
      ),
  },
  {
    id: "spliced",
    name: "the prose of another novel spliced in",
    harmless: false,
    apply: (book, { strength, random, donor }) => {
      const foreign = donor?.chapters.flatMap(({ text }) => text.split(/\n{2,}/)) ?? [];
      if (foreign.length === 0) return null;
      let next = randomInteger(random, foreign.length);
      return withTexts(book, ({ text }) =>
        text
          .split(/\n{2,}/)
          .map((paragraph) => (random() < strength * 0.3 ? foreign[next++ % foreign.length]! : paragraph))
          .join("\n\n"),
      );
    },
  },
  {
    id: "renamed",
    name: "characters renamed, each consistently",
    harmless: true,
    apply: (book) => {
      const names = singleNames(book.chapters, NEW_NAMES.length).filter((name) => !NEW_NAMES.includes(name));
      if (names.length === 0) return null;
      const unused = NEW_NAMES.filter((name) => !book.chapters.some(({ text }) => text.includes(name)));
      const replacements = names.slice(0, unused.length).map((from, place) => ({ from, to: unused[place]! }));
      return withTexts(book, ({ text }) => replaceNames(text, replacements));
    },
  },
];

const NEW_NAMES = ["Marlen", "Tovik", "Ansela", "Rudmar", "Isket", "Corvane", "Hestia", "Olvar", "Perrin", "Sunniva"];
