import { describe, expect, it } from "vitest";
import { readProse } from "../prose-text.ts";
import { readDialogue } from "./read-dialogue.ts";

const NAMES = `Emma Woodhouse looked up, and Emma said that it was late. Mr. Knightley turned, and Mr. Knightley said so too.
Emma smiled, and Emma said no more. Mr. Knightley bowed, and Mr. Knightley asked nothing.\n\n`;

/** Who speaks each quotation of the text, after a paragraph that introduces Emma Woodhouse and Mr. Knightley. */
function speakers(text: string): (string | null)[] {
  const dialogue = readDialogue(readProse(NAMES + text));
  return dialogue.quotations.map((_, index) => {
    const speaker = dialogue.speakers[index] ?? null;
    return speaker === null ? null : dialogue.cast.characters[speaker]!.name;
  });
}

describe("who speaks", () => {
  it("is named by the tag, before or after the speech", () => {
    expect(speakers('"Good morning," said Emma.\n\nMr. Knightley bowed and replied, "Good morning."')).toEqual([
      "Emma",
      "Mr. Knightley",
    ]);
  });

  it("goes on after the tag in the middle", () => {
    expect(speakers('"It is late," said Emma, "and I am tired."')).toEqual(["Emma", "Emma"]);
  });

  it("is found by the pronoun where only one person fits", () => {
    expect(speakers('Emma came in. Mr. Knightley rose.\n\n"You are early," he said.\n\n"I ran," said she.')).toEqual([
      "Mr. Knightley",
      "Emma",
    ]);
  });

  it("alternates where nothing is said between", () => {
    const text = '"One," said Emma.\n\n"Two," said Mr. Knightley.\n\n"Three."\n\n"Four."\n\n"Five," said Emma.';
    expect(speakers(text)).toEqual(["Emma", "Mr. Knightley", "Emma", "Mr. Knightley", "Emma"]);
  });

  it("is not the person who is spoken to", () => {
    expect(speakers('"One," said Emma.\n\n"Are you sure, Emma?"').at(-1)).not.toBe("Emma");
  });

  it("is unknown where two people speak together or the tag names no character", () => {
    expect(speakers('"Hurrah!" cried Emma and Mr. Knightley.')).toEqual([null]);
    expect(speakers('"Tickets!" called the conductor.')).toEqual([null]);
  });

  it("is the narrator in a story told by one of its people, by the name that others say", () => {
    const told = `I went to my door and I opened it. I saw Poirot, and I let him in. Poirot said that I was late.
Poirot smiled at me, and I asked him to sit down with me by my fire.\n\n`;
    const text = `${told}"Well, Hastings?" said Poirot.\n\n"Well," I said.\n\n"You are tired, Hastings," said Poirot. "Go home, Hastings."`;
    const dialogue = readDialogue(readProse(text));
    expect(dialogue.person).toBe("first");
    expect(dialogue.cast.characters[dialogue.speakers[1]!]!.name).toBe("Hastings");
  });
});

describe("what quotation marks hold", () => {
  const kinds = (text: string) => readDialogue(readProse(NAMES + text)).kinds;

  it("tells speech, thought, a letter and a quoted word apart", () => {
    expect(kinds('"It is late," said Emma.')).toEqual(["speech"]);
    expect(kinds('"It is late," thought Emma.')).toEqual(["thought"]);
    expect(kinds('"Yes," said Emma. She spoke of the "poor little boys" with a sigh.')).toEqual(["speech", "mention"]);
    const letter = `This was the letter:\n\n"My dear Emma, I write to you in haste. ${"The roads are bad and the horses are tired. ".repeat(5).trim()}"`;
    expect(kinds(letter)).toEqual(["letter"]);
  });
});
