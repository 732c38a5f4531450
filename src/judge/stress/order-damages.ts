import { type Random, randomInteger, shuffled } from "../../core/random.ts";
import { splitSentences } from "../../text/sentences.ts";
import { type Damage, withChapters, withTexts } from "./damage.ts";

/** A part of the items changes places among themselves; the others stay. */
function partlyShuffled<T>(items: readonly T[], strength: number, random: Random): T[] {
  const places = shuffled([...items.keys()], random)
    .slice(0, Math.round(strength * items.length))
    .sort((left, right) => left - right);
  const moved = shuffled(
    places.map((place) => items[place]!),
    random,
  );
  const result = [...items];
  places.forEach((place, at) => {
    result[place] = moved[at]!;
  });
  return result;
}

/** Sentences in their paragraphs, so that new ones can take their places. */
function sentencesIn(text: string): string[][] {
  return paragraphsIn(text).map((paragraph) =>
    splitSentences(paragraph).map(({ start, end }) => paragraph.slice(start, end)),
  );
}

function paragraphsIn(text: string): string[] {
  return text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
}

/** Puts sentences back into paragraphs of the sizes they had. */
function refill(shape: readonly (readonly string[])[], sentences: readonly string[]): string {
  let next = 0;
  return shape.map((paragraph) => paragraph.map(() => sentences[next++]!).join(" ")).join("\n\n");
}

export const ORDER_DAMAGES: readonly Damage[] = [
  {
    id: "sentences-in-chapter",
    name: "sentences shuffled within each chapter",
    harmless: false,
    apply: (book, { strength, random }) =>
      withTexts(book, ({ text }) => {
        const shape = sentencesIn(text);
        return refill(shape, partlyShuffled(shape.flat(), strength, random));
      }),
  },
  {
    id: "sentences-in-book",
    name: "sentences shuffled across the book",
    harmless: false,
    apply: (book, { strength, random }) => {
      const shapes = book.chapters.map(({ text }) => sentencesIn(text));
      const sentences = partlyShuffled(shapes.flat(2), strength, random);
      let next = 0;
      return withTexts(book, (_, place) => {
        const count = shapes[place]!.flat().length;
        const own = sentences.slice(next, next + count);
        next += count;
        return refill(shapes[place]!, own);
      });
    },
  },
  {
    id: "paragraphs",
    name: "paragraphs shuffled within each chapter",
    harmless: false,
    apply: (book, { strength, random }) =>
      withTexts(book, ({ text }) => partlyShuffled(paragraphsIn(text), strength, random).join("\n\n")),
  },
  {
    id: "chapters",
    name: "chapters shuffled",
    harmless: false,
    apply: (book, { strength, random }) =>
      book.chapters.length < 3 ? null : withChapters(book, partlyShuffled(book.chapters, strength, random)),
  },
  {
    id: "no-ending",
    name: "the last chapter removed",
    harmless: false,
    apply: (book) => (book.chapters.length < 2 ? null : withChapters(book, book.chapters.slice(0, -1))),
  },
  {
    id: "every-third-sentence",
    name: "every third sentence removed",
    harmless: false,
    apply: (book) =>
      withTexts(book, ({ text }) => {
        let place = 0;
        return sentencesIn(text)
          .map((paragraph) => paragraph.filter(() => place++ % 3 !== 2).join(" "))
          .filter((paragraph) => paragraph !== "")
          .join("\n\n");
      }),
  },
  {
    id: "repeated-chapter",
    name: "one chapter repeated",
    harmless: false,
    apply: (book, { random }) => {
      if (book.chapters.length < 2) return null;
      const place = randomInteger(random, book.chapters.length);
      const chapters = [...book.chapters];
      chapters.splice(place, 0, book.chapters[place]!);
      return withChapters(book, chapters);
    },
  },
];
