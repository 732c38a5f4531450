import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../../core/assets.ts";
import { seededRandom, shuffled } from "../../../core/random.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { EditLetter } from "../../../judge/letter/letter-part.ts";
import { readBook } from "../../../text/read-book.ts";
import { evaluateWithJury } from "../jury/evaluate-with-jury.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");

let folder: string;
let story: BookEvaluation;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-letter-"));
  story = await evaluateWithJury(await readBook(STORY));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function letterOf(chapters: readonly string[], judge = "jury"): Promise<EditLetter> {
  const file = join(folder, "book.md");
  await writeFile(file, chapters.map((text, at) => `# Chapter ${at + 1}\n\n${text}\n`).join("\n"));
  return (await evaluateWithJury(await readBook(file), { judge })).letter!;
}

const THINGS = "kettle ladder window basket lantern button harbour ribbon engine saddle hammer curtain".split(" ");
const thing = (at: number) => THINGS[at % THINGS.length]!;
const told = (at: number) =>
  `The old ${thing(at)} stood beside the ${thing(at + 5)} in the yard, and rain ran down the wall behind it until evening came.`;
const spoken = (at: number) =>
  `"We could sell the ${thing(at)} before winter, and the ${thing(at + 3)} as well," Anna said.`;
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n\n");

describe("what the letter claims", () => {
  it("does not blame a story of twelve chapters because six of them happen to end in a short line", () => {
    const { letter, map } = story;
    expect(map!.figures.find(({ id }) => id === "short-endings")!.place).toBe("above");
    expect(letter!.items.map(({ kind }) => kind)).not.toContain("short-endings.above");
  });

  it("praises no passage twice", () => {
    const { letter } = story;
    const praised = [
      ...letter!.items.flatMap(({ better }) => better?.quote ?? []),
      ...letter!.works.passages.map(({ quote }) => quote),
    ];
    expect(praised.length).toBeGreaterThan(2);
    expect(new Set(praised).size).toBe(praised.length);
  });

  it("praises nothing in sentences that stand in random order, and says first that the file should be checked", async () => {
    const ordered = (await readBook(STORY)).chapters.map(({ text }) => text).join(" ");
    const sentences = shuffled(ordered.split(/(?<=[.!?]["”’]?)\s+/), seededRandom(1));
    const letter = await letterOf([sentences.join(" ")]);
    expect(letter.words.opening[0]).toMatch(
      /^This does not read like the prose of a novel: .*random order.*First check that the file/,
    );
    expect(letter.works).toEqual({ calmChapters: [], passages: [], figures: [] });
    expect(letter.words.works).toEqual([]);
  });

  it("says why a passage is shown by contrast", () => {
    const { letter } = story;
    const at = letter!.items.findIndex(({ kind }) => kind.startsWith("phrase"));
    expect(letter!.words.items[at]!.contrast).toBe(
      `By contrast, chapter ${letter!.items[at]!.better!.chapter} has none of them`,
    );
  });

  it("says that speech falls away only where there is little of it", async () => {
    const loud = lines(60, spoken);
    const quiet = lines(40, (at) => (at % 5 < 2 ? told(at) : spoken(at)));
    const silent = lines(40, told);
    const kinds = async (middle: string) =>
      (await letterOf([loud, loud, loud, middle, middle, loud, loud, loud])).items.map(({ kind }) => kind);
    expect(await kinds(silent)).toContain("dialogue-drop.above");
    expect(await kinds(quiet)).not.toContain("dialogue-drop.above");
  });

  it("counts every run of sentences that begin alike, not only those it keeps", async () => {
    const run = (at: number) =>
      `${told(at)}\n\nShe took the ${thing(at)}. She turned it over. She put it down. She went to the ${thing(at + 4)}.`;
    const { items } = await letterOf([lines(12, run), lines(12, run), lines(12, run)]);
    const openings = items.find(({ kind }) => kind === "repeated-openings.above");
    expect(openings?.touched).toBe(36);
  });

  it("calls the book unlike what the notes learnt from only when it is, whoever judges", async () => {
    const notesKind = ({ items }: EditLetter) => items.find(({ kind }) => kind.startsWith("notes"))?.kind;
    const modern = [lines(30, (at) => MODERN[at % MODERN.length]!.replaceAll("coffee", thing(at)))];
    expect(notesKind(await letterOf(modern, "crowd"))).toBe(notesKind(await letterOf(modern, "jury")));
    expect(notesKind(await letterOf(modern, "crowd"))).toBe("notes");
  });
});

/** Prose as the texts that the notes learnt from have it. */
const MODERN = [
  "Maya stared at her phone, the coffee growing cold beside her. The message had arrived at 3:14 a.m., and she still hadn't found the courage to open it over her coffee.",
  "Her brother's apartment smelled of burnt coffee and old carpet. He shrugged at his coffee when she asked about the job, a gesture that carried the weight of everything they had never said.",
  "Outside, the city hummed with coffee and the restless energy of a Friday night. She felt a pang of something she couldn't quite name, a mixture of nostalgia and regret, as the coffee finally brewed.",
];
