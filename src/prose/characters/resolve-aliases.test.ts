import { describe, expect, it } from "vitest";
import { NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { readProse } from "../prose-text.ts";
import { correctCharacters, readDialogue } from "../speakers/read-dialogue.ts";
import { findCharacters } from "./find-characters.ts";

/** Sentences that mark each name as a person: two mentions, a speech, a verb. */
function storyOf(names: readonly string[], times = 3): string {
  const sentences = names.flatMap((name) =>
    Array.from({ length: times }, () => `Then ${name} looked up, and at last ${name} said that it was late.`),
  );
  return sentences.join("\n\n");
}

const cast = (names: readonly string[], times = 3) => findCharacters(readProse(storyOf(names, times)), () => false);
const groups = (names: readonly string[], times = 3) =>
  cast(names, times)
    .map(({ aliases }) => [...aliases].sort())
    .sort((left, right) => (left[0]! < right[0]! ? -1 : 1));

describe("which names mean one person", () => {
  it("Mr. Darcy, Darcy and Fitzwilliam Darcy", () => {
    expect(groups(["Mr. Darcy", "Darcy", "Fitzwilliam Darcy"])).toEqual([["Darcy", "Fitzwilliam Darcy", "Mr. Darcy"]]);
  });

  it("a given name and the whole name", () => {
    expect(groups(["Emma", "Emma Woodhouse", "Miss Woodhouse"])).toEqual([
      ["Emma", "Emma Woodhouse", "Miss Woodhouse"],
    ]);
  });

  it("a woman who is called Hester, and once by her whole name, and Miss Vane", () => {
    const story = `${storyOf(["Hester", "Miss Vane", "Mr. Vane"], 6)}\n\nIt was Hester Vane, and she knew it. Hester took her hat.`;
    const found = findCharacters(readProse(story), () => false).map(({ aliases }) => [...aliases].sort());
    expect(found).toContainEqual(["Hester", "Hester Vane", "Miss Vane"]);
    expect(found).toContainEqual(["Mr. Vane"]);
  });

  it("not a ship or a board, which are written with “the” and do not speak", () => {
    const named =
      "Then the Nautilus turned north, and the Nautilus rose. The Harbour Board had met, and the Harbour Board waited. ";
    const names = findCharacters(readProse(`${named.repeat(6)}\n\n${storyOf(["Anne"])}`), () => false);
    expect(names.map(({ name }) => name)).toEqual(["Anne"]);
  });

  it("not a girl called Tony and Mr. Shimerda, her father", () => {
    const girl = "Tony looked up, and she smiled. Then Tony said that she was late.\n\n".repeat(6);
    const found = findCharacters(readProse(`${girl}${storyOf(["Tony Shimerda", "Mr. Shimerda"], 4)}`), () => false);
    expect(found.map(({ aliases }) => aliases)).toContainEqual(["Mr. Shimerda"]);
  });

  it("not a mother and her daughter", () => {
    expect(groups(["Mrs. Bennet", "Miss Bennet", "Jane Bennet", "Elizabeth Bennet"])).toEqual([
      ["Elizabeth Bennet"],
      ["Jane Bennet"],
      ["Miss Bennet"],
      ["Mrs. Bennet"],
    ]);
  });

  it("not a judge and his son, whom he addresses; the bare surname is of the one who was there first", () => {
    const early = storyOf(["Weedon Scott", "Scott", "Scott"], 4);
    const late = `${storyOf(["Judge Scott", "Weedon Scott"], 3)}\n\n“Weedon, send for the doctor,” said Judge Scott.`;
    const { characters } = readDialogue(readProse(`${early}\n\n${late}`), NO_CORRECTIONS).cast;
    expect(characters.map(({ aliases }) => [...aliases].sort())).toEqual([
      ["Scott", "Weedon", "Weedon Scott"],
      ["Judge Scott"],
    ]);
  });

  it("not a girl who goes by her given name and a Mrs. of the name, though she comes but once or twice", () => {
    const story = `${storyOf(["Ruby", "Ruby", "Ruby", "Ruby", "Ruby Gillis"], 6)}\n\n${storyOf(["Mrs. Gillis"], 1)}`;
    const found = findCharacters(readProse(story), () => false).map(({ aliases }) => [...aliases].sort());
    expect(found).toEqual([["Ruby", "Ruby Gillis"], ["Mrs. Gillis"]]);
  });

  it("but a speaker who names himself", () => {
    const story = `${storyOf(["Poirot", "Hercule Poirot"], 6)}\n\n“I, Hercule Poirot, shall see to it,” said Poirot.`;
    const { characters } = readDialogue(readProse(story), NO_CORRECTIONS).cast;
    expect(characters.map(({ name }) => name)).toEqual(["Hercule Poirot"]);
  });

  it("not two brothers: who is always Mr. John Knightley is not Mr. Knightley", () => {
    expect(groups(["Mr. Knightley", "Mr. John Knightley"], 6)).toEqual([["Mr. John Knightley"], ["Mr. Knightley"]]);
  });

  it("not a lady and the husband whose name she bears", () => {
    expect(groups(["Mrs. John Knightley", "John Knightley"])).toEqual([["John Knightley"], ["Mrs. John Knightley"]]);
  });

  it("a knight by his given name", () => {
    expect(groups(["Sir Thomas", "Sir Thomas Bertram"])).toEqual([["Sir Thomas", "Sir Thomas Bertram"]]);
  });

  it("a family name with particles", () => {
    expect(groups(["Mr. van der Luyden", "Henry van der Luyden"])).toEqual([
      ["Henry van der Luyden", "Mr. van der Luyden"],
    ]);
  });

  it("a short form that only speakers use", () => {
    const text = storyOf(["Elizabeth"]).concat('\n\n"Come here, Lizzy," said Jane. "Lizzy, come. Oh, Lizzy!"');
    const found = readDialogue(readProse(text)).cast.characters;
    expect(found.find(({ name }) => name === "Elizabeth")?.aliases).toContain("Lizzy");
  });

  it("Miss Bishop is Arabella, and Colonel Bishop is not, though a bishop has a title", () => {
    const names = [
      "Arabella",
      "Arabella Bishop",
      "Miss Bishop",
      "Colonel Bishop",
      "Bishop",
      "Captain Blood",
      "Peter Blood",
    ];
    expect(groups(names)).toEqual([
      ["Arabella", "Arabella Bishop", "Miss Bishop"],
      ["Bishop", "Colonel Bishop"],
      ["Captain Blood", "Peter Blood"],
    ]);
  });

  it("Cap'n is whichever captain was named last", () => {
    const text = ["Captain Blood", "Captain Hagthorpe"].map(
      (name) => `${storyOf([name])}\n\nThen the Captain looked up. At last Cap'n came and went.`,
    );
    expect(
      findCharacters(readProse(text.join("\n\n")), () => false).map(({ name, mentions }) => [name, mentions.length]),
    ).toEqual([
      ["Captain Blood", 8],
      ["Captain Hagthorpe", 8],
    ]);
  });

  it("the Doctor is Dr. Bull", () => {
    expect(groups(["Dr. Bull", "the Doctor"])).toEqual([["Dr. Bull", "The Doctor"]]);
  });

  it("not the eldest sister, who is Miss Elliot, and the one whom the narrator calls Anne", () => {
    expect(groups(["Anne", "Anne", "Anne Elliot", "Elizabeth Elliot", "Elizabeth", "Miss Elliot"])).toEqual([
      ["Anne", "Anne Elliot"],
      ["Elizabeth", "Elizabeth Elliot"],
      ["Miss Elliot"],
    ]);
  });

  it("not a father, who is Mr. Price, and the son whom the narrator calls William", () => {
    const told = `${storyOf(["William"], 40)}\n\n${storyOf(["William Price"], 2)}\n\n${storyOf(["Mr. Price"], 5)}`;
    const found = findCharacters(readProse(told), () => false);
    expect(found.map(({ aliases }) => aliases)).toEqual([["William", "William Price"], ["Mr. Price"]]);
  });

  it("not a son and a father who meet in one sentence", () => {
    const meeting = "Then Cheyne looked at Harvey, and Harvey said that it was late.\n\n".repeat(6);
    const text = `${meeting}${storyOf(["Harvey Cheyne", "Cheyne", "Harvey", "Mr. Cheyne"])}`;
    const found = findCharacters(readProse(text), () => false).map(({ aliases }) => [...aliases].sort());
    expect(found).toEqual([
      ["Harvey", "Harvey Cheyne"],
      ["Cheyne", "Mr. Cheyne"],
    ]);
  });

  it("not a mother and her daughter in France", () => {
    expect(groups(["Madame Duval", "Mademoiselle Duval", "Martha Duval", "Martha"])).toEqual([
      ["Madame Duval"],
      ["Mademoiselle Duval", "Martha", "Martha Duval"],
    ]);
  });

  it("not a lady whose husband's given name is rare", () => {
    expect(groups(["Mrs. Lemuel Struthers", "Lemuel Struthers"])).toEqual([
      ["Lemuel Struthers"],
      ["Mrs. Lemuel Struthers"],
    ]);
  });

  it("not a date, a state, a nation, or a ship that a stray capital stands before", () => {
    const text = `They came to Georgia in March, and Georgia was hot. Georgia had no Spaniards. The Spaniards left in April. Then the
Thrush sailed, and the Thrush turned north. He went aboard the Thrush, and the Thrush was late. `;
    const names = findCharacters(
      readProse(`${text.repeat(5)}She was H. M. Sloop Thrush.\n\n${storyOf(["Anne"])}`),
      () => false,
    );
    expect(names.map(({ name }) => name)).toEqual(["Anne"]);
  });

  it("not the son whom the narrator calls Tom and the father Thomas", () => {
    expect(groups(["Tom", "Thomas"])).toEqual([["Thomas"], ["Tom"]]);
  });
});

describe("the writer's corrections", () => {
  const characters = cast(["Anne", "Nan", "Captain Harville"]);
  const names = (corrected: ReturnType<typeof correctCharacters>) => corrected.map(({ name }) => name).sort();

  it("merge, rename and drop", () => {
    const corrected = correctCharacters(characters, {
      ...NO_CORRECTIONS,
      merge: [["Anne", "Nan"]],
      rename: [{ from: "Anne", to: "Anne Elliot" }],
      drop: ["Captain Harville"],
    });
    expect(names(corrected)).toEqual(["Anne Elliot"]);
    expect(corrected[0]!.mentions).toHaveLength(12);
  });

  it("split an alias off", () => {
    const merged = correctCharacters(characters, { ...NO_CORRECTIONS, merge: [["Anne", "Nan"]] });
    const split = correctCharacters(merged, {
      ...NO_CORRECTIONS,
      split: [{ name: "Anne", aliases: ["Nan"], as: "Nan" }],
    });
    expect(names(split)).toEqual(names([...characters]));
  });

  it("leave everything as it is for a name that is not there", () => {
    expect(correctCharacters(characters, { ...NO_CORRECTIONS, drop: ["Nobody Here"] })).toEqual(characters);
  });
});
