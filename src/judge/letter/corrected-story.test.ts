import { expect, it } from "vitest";
import { knownAbout } from "../../story/author-says.ts";
import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { readBookFromBytes } from "../../text/read-book.ts";
import { correctedStory, type Part, saidOf, withCast, withSaid, withTyped } from "./corrected-story.ts";
import type { Story } from "./parts.ts";

const ON_CARD: Part[] = ["place", "tension"];

it("keeps what is said of a scene apart from what is said of its chapter, and the next reading is told both", async () => {
  const scene = { number: 2, opening: "The belfry was dark and nobody had rung for a week." };
  const facts = withSaid(
    withSaid(["Hadley is a woman.", "Chapter 1, time: spring"], { chapter: 1 }, ON_CARD, { place: "the town" }),
    { chapter: 1, scene },
    ON_CARD,
    { place: "the belfry", tension: "4" },
  );
  expect(saidOf(facts, { chapter: 1 })).toEqual({ place: "the town", time: "spring" });
  expect(saidOf(facts, { chapter: 1, scene })).toEqual({ place: "the belfry", tension: "4" });
  expect(withSaid(facts, { chapter: 1, scene }, ON_CARD, {})).toEqual([
    "Hadley is a woman.",
    "Chapter 1, time: spring",
    "Chapter 1, place: the town",
  ]);
  const book = await readBookFromBytes(new TextEncoder().encode("# A\n\nShe waited."), "a.md");
  expect(knownAbout({ ...book, storyCorrections: { intended: [], facts } }, "en")).toContain(
    "The author says: Chapter 1, scene 2 (“The belfry was dark and nobody…”), place: the belfry",
  );
});

const passage = { chapter: 2, start: 5, end: 9, quote: "rang" };
const read = { happens: "A bell rings.", changes: "", place: "", viewpoint: "Rosamund", tense: "past", level: "story" };
const STORY: Story = {
  premise: "",
  question: "",
  chapters: [{ ...read, chapter: 2, time: "winter", tension: 3 } as Story["chapters"][number]],
  people: [
    { name: "Rosamund", also: ["Rosa"], role: "ringer", wants: "", arc: "", passages: [passage] },
    { name: "Bea", also: [], role: "", wants: "", arc: "", passages: [] },
  ],
  threads: [
    { thread: "Who rang?", opened: passage, closed: null },
    { thread: "The lamp", opened: passage, closed: null },
  ],
  facts: [{ subject: "Rosamund", property: "eyes", value: "grey", passage }],
  events: [
    { who: "Rosamund", what: "rings", when: "", passage },
    { who: "Bea", what: "hears", when: "", passage },
  ],
  reader: [{ chapter: 2, asks: ["Who rang?"], answered: [] }],
};

it("puts the writer's lines in the place of what was read: time line, threads, events and what a reader asks", () => {
  const facts = [
    "Chapter 2, time: spring",
    "Chapter 2, what a reader asks: Who heard it?",
    "Thread “Who rang?”, closes in chapter: 3",
    "Thread “The lamp”, is in the story: no",
    "Chapter 2, event “rings”, when: at dawn",
    "Chapter 2, event “hears”, is in the story: no",
    "Hadley is a woman.",
  ];
  expect(correctedStory(STORY, facts)).toMatchObject({
    chapters: [{ time: "spring", tension: 3 }],
    threads: [{ thread: "Who rang?", closed: { chapter: 3 } }],
    events: [{ who: "Rosamund", what: "rings", when: "at dawn" }],
    reader: [{ asks: ["Who heard it?"], answered: [] }],
  });
  expect(correctedStory(STORY, [])).toBe(STORY);
});

it("joins, renames, parts and leaves out the people of the story, and what is known of them", () => {
  const joined = withCast(STORY, {
    ...NO_CORRECTIONS,
    merge: [["Bea", "Rosa"]],
    rename: [{ from: "Bea", to: "Beatrice" }],
  });
  expect(joined.people.map(({ name, also }) => [name, also])).toEqual([["Beatrice", ["Bea", "Rosamund", "Rosa"]]]);
  expect(joined).toMatchObject({ chapters: [{ viewpoint: "Beatrice" }], facts: [{ subject: "Beatrice" }] });
  expect(joined.events?.map(({ who }) => who)).toEqual(["Beatrice", "Beatrice"]);
  const back = [
    { from: "Bea", to: "Beatrice" },
    { from: "Beatrice", to: "Bea" },
  ];
  expect(withCast(STORY, { ...NO_CORRECTIONS, rename: back }).events?.[1]?.who).toBe("Bea");
  const parted = withCast(STORY, {
    ...NO_CORRECTIONS,
    split: [{ name: "Rosamund", aliases: ["Rosa"], as: "Rosa" }],
    drop: ["Bea"],
  });
  expect(parted.people.map(({ name, also }) => [name, also])).toEqual([
    ["Rosamund", []],
    ["Rosa", []],
  ]);
});

it("corrects the people of the story in the order and by the names that the book goes by", () => {
  const peopleAfter = (corrections: Partial<CharacterCorrections>) =>
    withCast(STORY, { ...NO_CORRECTIONS, ...corrections });
  const moved = peopleAfter({
    split: [{ name: "Rosamund", aliases: ["Rosa"], as: "Rosa" }],
    merge: [["Bea", "Rosa"]],
  });
  expect(moved.people.map(({ name, also }) => [name, also])).toEqual([
    ["Rosamund", []],
    ["Bea", ["Rosa"]],
  ]);
  expect(moved.events?.map(({ who }) => who)).toEqual(["Rosamund", "Bea"]);
  const byAlias = peopleAfter({ rename: [{ from: "Rosa", to: "Rosalind" }] });
  expect(byAlias).toMatchObject({
    people: [{ name: "Rosalind", also: ["Rosamund", "Rosa"] }, { name: "Bea" }],
    chapters: [{ viewpoint: "Rosalind" }],
  });
  const renamed = [{ from: "Rosamund", to: "Rosalind" }];
  expect(peopleAfter({ rename: renamed, drop: ["Rosalind"] }).people.map(({ name }) => name)).toEqual(["Bea"]);
});

it("keeps lines that are typed beside lines that were saved elsewhere meanwhile", () => {
  expect(withTyped(["a", "c"], ["a", "b"], ["a", "b"])).toEqual(["a", "c"]);
  expect(withTyped(["a", "b", "saved"], ["a", "b"], ["A", "b", "typed"])).toEqual(["A", "b", "typed", "saved"]);
  expect(withTyped(["b", "saved"], ["a", "b"], ["a", "b", "saved", "typed"])).toEqual(["b", "saved", "typed"]);
  expect(withTyped(["a", "b", "saved"], ["a", "b"], ["b"])).toEqual(["b", "saved"]);
});
