import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom, shuffled } from "../src/core/random.ts";
import { DAMAGES } from "../src/judge/stress/damages.ts";
import { FOREIGN_LIMITS, foreignPart } from "../src/jury/connected/foreign-passages.ts";
import { partInShortChapters } from "../src/jury/connected/pieces.ts";
import { LIMITS, type ProseSigns, readSigns, reasonNotConnected } from "../src/jury/connected-prose.ts";
import { type PreparedText, prepareText } from "../src/jury/prepare-text.ts";
import type { Book } from "../src/text/book.ts";
import { readBook } from "../src/text/read-book.ts";
import { loadCrowdLessons } from "../training/jury/crowd.ts";
import { loadJudgedChapters } from "../training/pocket/judged-chapters.ts";

/**
 * How far connected prose stays from being refused, and whether what is not connected is:
 * `npx tsx evals/cohesion.ts --data FOLDER [--every N]`.
 */
const { values } = parseArgs({ options: { data: { type: "string" }, every: { type: "string" } } });
if (values.data === undefined) throw new Error("Give the folder of the data: npx tsx evals/cohesion.ts --data FOLDER");
const every = Number(values.every ?? 1);
const random = seededRandom(11);

const novels = join(values.data, "books", "epub");
/** The signs of connected prose, and what else decides whether and how a text is read. */
type Signs = ProseSigns & { readonly foreign: number; readonly shortChapters: number };
const groups = new Map<string, { signs: Signs; refused: boolean; name: string }[]>();
const note = (group: string, name: string, chapters: readonly PreparedText[]): void => {
  const seen = groups.get(group) ?? [];
  const foreign = foreignPart(chapters).part;
  seen.push({
    name,
    signs: { ...readSigns(chapters), foreign, shortChapters: partInShortChapters(chapters) },
    refused: reasonNotConnected(chapters) !== null || foreign >= FOREIGN_LIMITS.refused,
  });
  groups.set(group, seen);
};
const sentencesOf = ({ text, prose }: PreparedText) =>
  Array.from({ length: prose.sentenceCount }, (_, at) => text.slice(prose.starts[at]!, prose.ends[at]!));

/** Damages that are refused, at full strength. */
const REFUSED = ["paragraphs", "no-dialogue", "spliced"];
let donor: Book | null = null;

const files = (await readdir(novels)).filter((name) => name.endsWith(".epub")).sort();
for (const file of files.filter((_, place) => place % every === 0)) {
  const book = await readBook(join(novels, file));
  const chapters = book.chapters.map(({ text }) => prepareText(text));
  note("novels", file, chapters);
  note("novels, sentences shuffled in the book", file, [
    prepareText(shuffled(chapters.flatMap(sentencesOf), random).join(" ")),
  ]);
  note(
    "novels, sentences shuffled in each chapter",
    file,
    chapters.map((chapter) => prepareText(shuffled(sentencesOf(chapter), random).join(" "))),
  );
  const longest = chapters.reduce((most, one) => (one.prose.wordCount > most.prose.wordCount ? one : most));
  note("longest chapters", file, [longest]);
  note("longest chapters, sentences shuffled", file, [prepareText(shuffled(sentencesOf(longest), random).join(" "))]);
  for (const { id, name, apply } of DAMAGES.filter((damage) => REFUSED.includes(damage.id))) {
    const damaged = apply(book, { random, strength: 1, donor });
    if (damaged !== null)
      note(
        `novels, ${name}`,
        `${file} (${id})`,
        damaged.chapters.map(({ text }) => prepareText(text)),
      );
  }
  donor = book;
  const words = longest.text.split(/\s+/);
  note("chapters, words shuffled", file, [prepareText(shuffled(words.slice(0, 1500), random).join(" "))]);
}
const stories = await loadCrowdLessons(values.data);
for (const { text, source } of stories.filter((_, place) => place % every === 0)) {
  note(source === "graded-chapters" ? "judged chapters" : "readers' stories", source, [prepareText(text)]);
}
const whole = new Map<string, PreparedText[]>();
for (const { text, story, writer } of await loadJudgedChapters(
  join(values.data, "judged-chapters", "chapters.jsonl.gz"),
)) {
  const name = `${story} by ${writer}`;
  whole.set(name, [...(whole.get(name) ?? []), prepareText(text)]);
}
for (const [name, chapters] of [...whole].filter((_, place) => place % every === 0)) {
  note("language models' stories, all chapters", name, chapters);
}

const SIGNS = [
  "links",
  "paragraphLinks",
  "strayTags",
  "meetings",
  "strandedArticles",
  "openLines",
  "brokenLines",
  "playLines",
  "symbols",
  "distinctSentences",
  "foreign",
  "shortChapters",
] as const;

console.log(`limits: ${JSON.stringify(LIMITS)}`);
for (const [group, seen] of groups) {
  const refused = seen.filter((one) => one.refused);
  console.log(`\n${group}: ${refused.length} of ${seen.length} refused ${refused.slice(0, 3).map(({ name }) => name)}`);
  for (const sign of SIGNS) {
    const known = seen
      .flatMap(({ signs: { casts, ...signs } }) => (sign === "meetings" ? casts?.meetings : signs[sign]) ?? [])
      .sort((a, b) => a - b);
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
    `\n${half}: of ${novelsHalf.length} novels the least connected has ${Math.min(...novelsHalf).toFixed(1)} deviations, shuffled at most ${Math.max(...shuffledHalf).toFixed(1)}; the limit is ${LIMITS.links.least} to ${LIMITS.links.most}`,
  );
}
