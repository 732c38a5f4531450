import { expect, it } from "vitest";
import { readManuscript } from "../map/book-prose.ts";
import { scenesOf } from "./scenes.ts";

const harbour = Array.from(
  { length: 6 },
  (_, at) => `Margaret went down to the harbour and counted the boats, ${at} of them, and went home again.`,
).join(" ");
const kitchen = Array.from(
  { length: 6 },
  (_, at) => `“I saw ${at} of them,” said Tobias. “I know,” said Margaret.`,
).join("\n\n");

it("parts a chapter at its scene breaks and counts each scene by itself", () => {
  const first = `${harbour}\n\n* * *\n\n${kitchen}`;
  const bookProse = readManuscript([
    { index: 1, title: "Arrival", text: first },
    { index: 2, title: null, text: `#\n\n${harbour}` },
  ]);
  const scenes = scenesOf(bookProse, "en");
  expect(scenes.map(({ chapter, number }) => [chapter, number])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ]);
  const [boats, talk] = scenes;
  expect(first.slice(boats!.start, boats!.end)).toBe(harbour);
  expect(first.slice(talk!.start, talk!.end)).toBe(kitchen);
  expect(boats!.opening).toMatch(/^Margaret went down to the harbour .* home again\.$/);
  expect(boats!.people).toEqual(["Margaret"]);
  expect(talk!.people).toEqual(expect.arrayContaining(["Tobias", "Margaret"]));
  expect(boats!.dialogueShare).toBe(0);
  expect(talk!.dialogueShare).toBeGreaterThan(0.4);
  expect(boats).toMatchObject({ title: "Arrival", person: "third", tense: "past" });
  // Names and tenses are recognised only in English; for other languages they are null.
  expect(scenesOf(bookProse, "de")[0]).toMatchObject({ people: null, person: null, words: boats!.words });
});
