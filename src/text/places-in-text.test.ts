import { expect, it } from "vitest";
import { placesInText } from "./places-in-text.ts";

const FIRST = "“Who goes there?” said the ferryman, and nobody answered him for as long as it takes to cross twice.";
const SECOND = "In the morning the boat lay on the other bank, and its rope was cut through with something sharp.";
const chapter = (index: number, text: string) => ({ index, title: null, text, words: text.split(" ").length });
const wrapped = (text: string) => text.replaceAll(/(.{20,40}) /g, "$1\r\n");
/** The text at the place of these words, on one line. */
function shown(text: string, chapters: ReturnType<typeof chapter>[], index: number, words: string): string | null {
  const start = chapters.find((one) => one.index === index)!.text.indexOf(words);
  const place = placesInText(text, { chapters })!(index, { start, end: start + words.length });
  return place && text.slice(place.start, place.end).replaceAll("\r\n", " ");
}

it("finds a passage in a text whose lines were joined and whose headings were dropped", () => {
  const text = `THE FERRY\r\n\r\nCHAPTER I\r\n\r\n${wrapped(FIRST)}\r\n\r\nCHAPTER II\r\n\r\n${wrapped(SECOND)}\r\n\r\nTHE END\r\n`;
  const chapters = [chapter(1, FIRST), chapter(3, SECOND)];
  for (const words of [FIRST, "“Who goes there?”", "goes there", "cross twice."])
    expect(shown(text, chapters, 1, words)).toBe(words);
  expect(shown(text, chapters, 3, "and its rope was cut")).toBe("and its rope was cut");
});

it("finds each chapter's own place if two are alike", () => {
  const text = `One\n${FIRST}\nTwo\n${FIRST}\n`;
  const find = placesInText(text, { chapters: [chapter(1, FIRST), chapter(2, FIRST)] })!;
  const whole = { start: 0, end: FIRST.length };
  expect([find(1, whole)?.start, find(2, whole)?.start]).toEqual([text.indexOf(FIRST), text.lastIndexOf(FIRST)]);
});

it("continues after words that cleaning removed from a paragraph", () => {
  const text = `${FIRST}\n\n${SECOND.replace("the boat", "the [Pg 7] _boat_")}\n\n${FIRST}`;
  const chapters = [chapter(1, FIRST), chapter(2, SECOND), chapter(3, FIRST)];
  expect(shown(text, chapters, 2, "In the morning the boat lay")).toBe("In the morning the [Pg 7] _boat_ lay");
  expect(shown(text, chapters, 2, "something sharp.")).toBe("something sharp.");
  expect(shown(text, chapters, 3, "said the ferryman")).toBe("said the ferryman");
});

it("gives up if the book is not in the text, or only a small part of it", () => {
  expect(placesInText(FIRST, { chapters: [chapter(1, FIRST), chapter(2, SECOND)] })).toBeNull();
  expect(placesInText(`${FIRST}\n\n${SECOND.repeat(5)}`, { chapters: [chapter(1, FIRST)] })).toBeNull();
  expect(placesInText(FIRST, { chapters: [] })).toBeNull();
});

it("is fast in a text of many paragraphs that cleaning has changed", () => {
  const paragraph = (at: number) =>
    `${FIRST} It was the ${at}. time that anybody had tried it since the ferry was built.`;
  const paragraphs = Array.from({ length: 20_000 }, (_, at) => paragraph(at));
  const text = paragraphs.map((one) => one.replace("nobody", "[Pg 7] nobody")).join("\n\n");
  const before = process.cpuUsage();
  expect(placesInText(text, { chapters: [chapter(1, paragraphs.join("\n"))] })).not.toBeNull();
  const { user } = process.cpuUsage(before);
  // Searching the rest of the text for each paragraph takes minutes.
  expect(user / 1e6).toBeLessThan(20);
});
