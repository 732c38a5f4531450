import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom, shuffled } from "../src/core/random.ts";
import { DAMAGES } from "../src/judge/stress/damages.ts";
import { measureOrder, ORDER_LIMITS } from "../src/jury/order.ts";
import { type PreparedText, partInShortChapters, prepareText } from "../src/jury/prepare-text.ts";
import {
  FOREIGN_LIMITS,
  foreignPart,
  LAYOUT_LIMITS,
  measureLayout,
  measureRepetition,
  REPETITION_LIMITS,
  reasonNotToRead,
} from "../src/jury/readable.ts";
import { readBook } from "../src/text/read-book.ts";
import { loadJudgedChapters } from "../training/grader/judged-chapters.ts";
import { loadCrowdLessons } from "../training/jury/crowd.ts";
import { loadEditorData } from "../training/jury/editor.ts";
import { expertLessons } from "../training/jury/sources/expert-edits.ts";

/**
 * How far real texts stay from being refused by the jury, and whether text that is not connected prose is refused:
 * `npx tsx evals/cohesion.ts --data FOLDER [--every N]`.
 */
const { values } = parseArgs({ options: { data: { type: "string" }, every: { type: "string" } } });
if (values.data === undefined) throw new Error("Give the folder of the data: npx tsx evals/cohesion.ts --data FOLDER");
const data = values.data;
const every = Number(values.every ?? 1);
const random = seededRandom(11);
/** The fewest words that any juror scores. */
const FEWEST_WORDS = 40;

const SIGNS = [
  "newWords",
  "compressed",
  "links",
  "paragraphLinks",
  "strandedArticles",
  "openLines",
  "brokenLines",
  "foreign",
  "shortChapters",
] as const;
type Signs = Record<(typeof SIGNS)[number], number | null>;

const groups = new Map<string, { readonly name: string; readonly signs: Signs; readonly reason: string | null }[]>();

function note(group: string, name: string, chapters: readonly PreparedText[]): void {
  const seen = groups.get(group) ?? [];
  const signs = {
    ...measureRepetition(chapters),
    ...measureOrder(chapters),
    ...measureLayout(chapters),
    foreign: foreignPart(chapters).part,
    shortChapters: partInShortChapters(chapters),
  };
  seen.push({ name, signs, reason: reasonNotToRead(chapters, FEWEST_WORDS) });
  groups.set(group, seen);
}

const sampled = <T>(all: readonly T[]): readonly T[] => all.filter((_, place) => place % every === 0);
const sentencesOf = ({ text, prose }: PreparedText) =>
  Array.from({ length: prose.sentenceCount }, (_, at) => text.slice(prose.starts[at]!, prose.ends[at]!));
const shuffledSentences = (chapters: readonly PreparedText[]) =>
  prepareText(shuffled(chapters.flatMap(sentencesOf), random).join(" "));

const novels = join(data, "books", "epub");
for (const file of sampled((await readdir(novels)).filter((name) => name.endsWith(".epub")).sort())) {
  const book = await readBook(join(novels, file));
  const chapters = book.chapters.map(({ text }) => prepareText(text));
  note("novels", file, chapters);
  for (const chapter of chapters.filter(({ prose }) => prose.wordCount >= FEWEST_WORDS)) {
    note("chapters of novels, each by itself", file, [chapter]);
  }
  note("novels, sentences shuffled in the book", file, [shuffledSentences(chapters)]);
  note(
    "novels, sentences shuffled in each chapter",
    file,
    chapters.map((chapter) => shuffledSentences([chapter])),
  );
  const longest = chapters.reduce((most, one) => (one.prose.wordCount > most.prose.wordCount ? one : most));
  note("longest chapters, sentences shuffled", file, [shuffledSentences([longest])]);
  const paragraphs = DAMAGES.find(({ id }) => id === "paragraphs")!.apply(book, { random, strength: 1, donor: null });
  if (paragraphs !== null)
    note(
      "novels, paragraphs shuffled in each chapter",
      file,
      paragraphs.chapters.map(({ text }) => prepareText(text)),
    );
  note("chapters, words shuffled", file, [
    prepareText(shuffled(longest.text.split(/\s+/).slice(0, 1500), random).join(" ")),
  ]);
  note("a page of a novel, forty times", file, [prepareText(`${longest.text.slice(0, 1500)}\n\n`.repeat(40))]);
}
for (const { text, source } of sampled(await loadCrowdLessons(data))) {
  note(source === "graded-chapters" ? "judged chapters" : "readers' stories", source, [prepareText(text)]);
}
for (const { text, source } of sampled(expertLessons(await loadEditorData(data)))) {
  note("professionals' paragraphs", source, [prepareText(text)]);
}
const whole = new Map<string, PreparedText[]>();
for (const { text, story, writer } of await loadJudgedChapters(join(data, "judged-chapters", "chapters.jsonl.gz"))) {
  const name = `${story} by ${writer}`;
  whole.set(name, [...(whole.get(name) ?? []), prepareText(text)]);
}
for (const [name, chapters] of sampled([...whole])) note("language models' stories, all chapters", name, chapters);

/** Repetition that a program can make, at each of these numbers of sentences. */
const LENGTHS = [20, 60, 300, 3000];
const WEATHER = [
  "It rained",
  "The river rose over the road",
  "She waited at the window for him",
  "Nobody came that night",
];
const MADE: Readonly<Record<string, (place: number) => string>> = {
  "one sentence of two words": () => "It rained.",
  "one sentence in changing capitals and marks": (place) => ["It rained.", "it rained!", "IT RAINED?"][place % 3]!,
  "numbered sentences": (place) => `On day ${place + 1} it rained.`,
  "four sentences in turn": (place) => `${WEATHER[place % 4]}.`,
  "one sentence with a changing word": (place) =>
    `It rained on the ${"abcdefghij"[place % 10]}${"klmnopqrs"[place % 9]} house again.`,
};
for (const [name, sentence] of Object.entries(MADE)) {
  for (const length of LENGTHS) {
    const text = Array.from({ length }, (_, place) => sentence(place)).join(" ");
    note("repetition made by a program", `${name}, ${length} times`, [prepareText(text)]);
  }
}

console.log(
  `limits: ${JSON.stringify({ ...ORDER_LIMITS, ...REPETITION_LIMITS, ...LAYOUT_LIMITS, ...FOREIGN_LIMITS })}`,
);
for (const [group, seen] of groups) {
  const refused = seen.filter(({ reason }) => reason !== null);
  console.log(`\n${group}: ${refused.length} of ${seen.length} refused`);
  const reasons = new Map<string, string[]>();
  for (const { name, reason } of refused) {
    const kind = reason!.replace(/\d+/g, "N").replace(/\(.*\)/, "");
    reasons.set(kind, [...(reasons.get(kind) ?? []), name]);
  }
  for (const [reason, names] of reasons) console.log(`  ${names.length}: ${reason} (${names.slice(0, 3).join("; ")})`);
  for (const sign of SIGNS) {
    const known = seen.flatMap(({ signs }) => signs[sign] ?? []).sort((a, b) => a - b);
    if (known.length === 0) continue;
    const at = (share: number) => known[Math.round(share * (known.length - 1))]!.toFixed(2);
    console.log(`  ${sign}: lowest ${at(0)}, median ${at(0.5)}, highest ${at(1)} (${known.length} measured)`);
  }
}

// Whether a limit between what the one half of the novels shows would also have served the other half.
for (const [half, rest] of [
  ["one half", 0],
  ["the other half", 1],
] as const) {
  const links = (group: string) =>
    (groups.get(group) ?? []).flatMap(({ signs }, place) =>
      place % 2 === rest && signs.links !== null ? [signs.links] : [],
    );
  const [novelsHalf, shuffledHalf] = [links("novels"), links("novels, sentences shuffled in the book")];
  console.log(
    `\n${half}: of ${novelsHalf.length} novels the least connected has ${Math.min(...novelsHalf).toFixed(1)} deviations, shuffled at most ${Math.max(...shuffledHalf).toFixed(1)}; the limit is ${ORDER_LIMITS.links.least} to ${ORDER_LIMITS.links.most}`,
  );
}
