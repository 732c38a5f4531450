import { describe, expect, it } from "vitest";
import { readProse } from "../prose-text.ts";
import { findCharacters } from "./find-characters.ts";

const charactersIn = (text: string) => findCharacters(readProse(text), () => false);

describe("findCharacters", () => {
  it("takes an island that people live on for a place", () => {
    const text = `The ferryman of Carrow kept quiet. Hester said that Carrow had been quiet. There was one scale on Carrow,
and Hester asked for it. She had come from Carrow once before. Carrow came up slowly. Hester said no more.`;
    expect(charactersIn(text).map(({ name }) => name)).toEqual(["Hester"]);
  });

  it("takes a ship for a ship, with a lady's title too", () => {
    const text = `The mate said that the Lady Anstey was late. Hugh said so too. Then the Lady Anstey came in. She had lost a sail,
and the Lady Anstey had no boat. They went aboard the Lady Anstey, and Hugh said that the Lady Anstey was old. The Lady
Anstey lay still. Hugh asked for tea.`;
    expect(charactersIn(text).map(({ name }) => name)).toEqual(["Hugh"]);
  });

  it("knows a man by his whole name at the start of a sentence, by his title and by his initial", () => {
    const text = `Matthew Vane had been the inspector. They asked him to sit, and Mr Vane sat. Then Vane said that Mr Vane the
elder was dead. The paper was signed by M. Vane.`;
    const [first] = charactersIn(text);
    expect(first?.aliases.toSorted()).toEqual(["M. Vane", "Matthew Vane", "Mr Vane", "Vane"]);
  });
});
