/**
 * How well `fabula check` finds faults that a script plants in novels, and how often it finds fault with the novels as they are.
 *
 *   npx tsx evals/planted.ts --data FOLDER [--half 0|1] [--only KIND,KIND] [--show]
 *
 * The folder holds books/epub, books/gutenberg, dialogue/novels.jsonl.gz, judged-chapters/chapters.jsonl.gz and planted/.
 * Settings were chosen on the authors of half 0; half 1, with other wordings, is what counts.
 */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { groupBy } from "../src/core/group-by.ts";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { chapterNumber } from "../src/prose/checks/chapter-order.ts";
import { CHECK_KINDS, type CheckKind, type Suspicion } from "../src/prose/checks/check.ts";
import { checkBook, suspicionsIn } from "../src/prose/checks/check-book.ts";
import { readManuscript } from "../src/prose/map/book-prose.ts";
import { placesOf } from "../src/story/locate.ts";
import { readBook, readBookFromBytes } from "../src/text/read-book.ts";
import { readKey } from "./parts/close-reading.ts";
import { COPIES, plantIn, soilOf } from "./plants.ts";

export interface Novel {
  readonly id: string;
  readonly author: string;
  readonly isModern: boolean;
  readonly chapters: readonly string[];
  /** The headings of the chapters, for what is found in their numbers; none in stories that models wrote. */
  readonly titles: readonly (string | null)[];
}

/** By author, so that nobody is on both sides: the two halves of the alphabet of a hash. */
export function halfOf(author: string): 0 | 1 {
  let hash = 7;
  for (const letter of author.toLowerCase().replace(/[^a-z]/g, ""))
    hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return hash % 2 === 0 ? 0 : 1;
}

const AUTHORS: Readonly<Record<string, string>> = {
  DaisyMiller: "James",
  Emma: "Austen",
  HardTimes: "Dickens",
  MansfieldPark: "Austen",
  OliverTwist: "Dickens",
  Persuasion: "Austen",
  SenseAndSensibility: "Austen",
  TheAgeOfInnocence: "Wharton",
  TheGambler: "Dostoevsky",
  TheManWhoWasThursday: "Chesterton",
  TheMysteriousAffairAtStyles: "Christie",
  ThePictureOfDorianGray: "Wilde",
  WhereAngelsFearToTread: "Forster",
  WinnieThePooh: "Milne",
};
/** Longer novels are read up to here, so that none weighs too much. */
const MOST_WORDS = 90_000;
const STORIES_OF_A_WRITER = 1;

async function* gunzippedLines(path: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) }))
    if (line !== "") yield line;
}

const novelRow = z.object({ novel: z.string(), text: z.string() });
const chapterRow = z.object({ writer: z.string(), story: z.string(), chapter: z.number(), text: z.string() });

/** Each novel once, however many editions there are. */
export async function loadNovels(data: string): Promise<Novel[]> {
  const novels: Novel[] = [];
  const known = new Set<string>();
  const add = (
    id: string,
    author: string,
    chapters: readonly { readonly title: string | null; readonly text: string; readonly words: number }[],
  ) => {
    const key = id.toLowerCase().replace(/[^a-z]/g, "");
    if (known.has(key)) return;
    known.add(key);
    let words = 0;
    const kept = chapters.filter((chapter, index) => {
      words += chapter.words;
      return words < MOST_WORDS || index === 0;
    });
    novels.push({
      ...{ id, author, isModern: false },
      chapters: kept.map(({ text }) => text),
      titles: kept.map(({ title }) => title),
    });
  };
  const surname = (author: string | null) => (author ?? "").split(" ").at(-1)!.replaceAll("ë", "e");
  for await (const line of gunzippedLines(join(data, "dialogue", "novels.jsonl.gz"))) {
    const { novel, text } = novelRow.parse(JSON.parse(line));
    const { chapters } = await readBookFromBytes(new TextEncoder().encode(text), `${novel}.txt`);
    add(novel, AUTHORS[novel]!, chapters);
  }
  for (const folder of await readdir(join(data, "books", "gutenberg"))) {
    const file = (await readdir(join(data, "books", "gutenberg", folder))).find((name) => name.endsWith(".txt"));
    if (file === undefined) continue;
    const { author, chapters } = await readBook(join(data, "books", "gutenberg", folder, file));
    add(folder.replace(/_\d+$/, ""), surname(author), chapters);
  }
  for (const file of await readdir(join(data, "books", "epub"))) {
    if (!file.endsWith(".epub")) continue;
    const { author, title, chapters } = await readBook(join(data, "books", "epub", file));
    add(title, surname(author), chapters);
  }
  const stories = new Map<string, { writer: string; chapters: string[] }>();
  for await (const line of gunzippedLines(join(data, "judged-chapters", "chapters.jsonl.gz"))) {
    const { writer, story, chapter, text } = chapterRow.parse(JSON.parse(line));
    const own = stories.get(`${writer} ${story}`) ?? { writer, chapters: [] };
    own.chapters[chapter - 1] = text;
    stories.set(`${writer} ${story}`, own);
  }
  for (const own of groupBy([...stories], ([, { writer }]) => writer).values()) {
    for (const [id, { writer, chapters }] of own.slice(0, STORIES_OF_A_WRITER)) {
      const texts = chapters.filter((text) => text !== undefined);
      novels.push({ id, author: writer, isModern: true, chapters: texts, titles: texts.map(() => null) });
    }
  }
  return novels;
}

/** A finding may show the sentence beside the planted one. */
const NEAR = 100;

interface Located {
  readonly suspicion: Suspicion;
  readonly places: readonly {
    readonly chapter: number;
    readonly start: number;
    readonly end: number;
    readonly quote: string;
  }[];
}

function suspicionsOf(
  chapters: readonly string[],
  kinds?: readonly CheckKind[],
  titles: readonly (string | null)[] = [],
): { words: number; person: "first" | "third"; suspicions: Located[]; milliseconds: number } {
  const bookProse = readManuscript(
    chapters.map((text, index) => ({ index: index + 1, title: titles[index] ?? null, text })),
  );
  const start = performance.now();
  const suspicions = suspicionsIn(bookProse, "en", kinds).map((suspicion) => ({
    suspicion,
    places: suspicion.places.map((place) => {
      const { chapter, start, end } = bookProse.locate(place);
      return { chapter: chapter - 1, start, end, quote: bookProse.prose.text.slice(place.start, place.end) };
    }),
  }));
  const { person } = bookProse.dialogue;
  return { words: bookProse.prose.wordCount, person, suspicions, milliseconds: performance.now() - start };
}

/** Numbers of chapters are found in headings, which the other kinds are measured without: a fault could be read off them. */
const NUMBERS: readonly CheckKind[] = ["chapter-order"];

/** Two chapters in the other order, one taken out, or the number of one given to the next, each once in a book that counts them. */
function* wronglyNumbered({ chapters, titles }: Novel, random: () => number) {
  const numbers = titles.map((title) => (title === null ? null : chapterNumber(title)));
  const follows = (index: number) => numbers[index] !== null && numbers[index] === (numbers[index - 1] ?? -2) + 1;
  const inRow = [...chapters.keys()].filter((index) => follows(index) && follows(index + 1));
  if (inRow.length < 3) return;
  const texts = chapters.map((text) => text.slice(0, 300));
  const pick = () => inRow[randomInteger(random, inRow.length)]!;
  const exchanged = <T>(all: readonly T[], at: number) => all.with(at, all[at + 1]!).with(at + 1, all[at]!);
  let at = pick();
  yield { variant: "exchanged", texts: exchanged(texts, at), titles: exchanged(titles, at), between: [at, at + 1] };
  at = pick();
  yield { variant: "missing", texts: texts.toSpliced(at, 1), titles: titles.toSpliced(at, 1), between: [at - 1, at] };
  at = pick();
  yield { variant: "twice", texts, titles: titles.with(at, titles[at - 1]!), between: [at - 1, at] };
}

interface Tally {
  planted: number;
  found: number;
}

export interface Measured {
  readonly novels: number;
  readonly words: number;
  /** For 100,000 words, without reading them first. */
  readonly milliseconds: number;
  /** By kind, and by kind with its variant or detail. */
  readonly recall: ReadonlyMap<string, Tally>;
  /** By kind, and by kind with its detail: findings in novels as they are, in all and in modern stories. */
  readonly natural: ReadonlyMap<string, number>;
  readonly naturalModern: ReadonlyMap<string, number>;
  readonly modernWords: number;
  /** Of published novels told by "I" and told of others: some kinds can only be found in one of them. */
  readonly personWords: Readonly<Record<"first" | "third", number>>;
}

export interface MeasureOptions {
  readonly half: 0 | 1;
  readonly only?: string | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly onNovel?: (id: string) => void;
}

export function measure(novels: readonly Novel[], { half, only, log, onNovel }: MeasureOptions): Measured {
  const recall = new Map<string, Tally>();
  const natural = new Map<string, number>();
  const naturalModern = new Map<string, number>();
  const total = { words: 0, milliseconds: 0, modern: 0 };
  const personWords = { first: 0, third: 0 };
  const own = novels.filter(({ author }) => halfOf(author) === half);
  const kinds = only === undefined ? undefined : CHECK_KINDS.filter((kind) => only.split(",").includes(kind));
  const isWanted = (kind: string) => kinds === undefined || kinds.some((wanted) => wanted === kind);
  for (const [number, novel] of own.entries()) {
    onNovel?.(novel.id);
    const whole = suspicionsOf(novel.chapters, kinds);
    total.words += whole.words;
    total.milliseconds += whole.milliseconds;
    if (novel.isModern) total.modern += whole.words;
    else personWords[whole.person] += whole.words;
    const order = isWanted("chapter-order") ? suspicionsOf(novel.chapters, NUMBERS, novel.titles).suspicions : [];
    for (const { suspicion, places } of [
      ...whole.suspicions.filter(({ suspicion }) => suspicion.kind !== "chapter-order"),
      ...order,
    ]) {
      for (const key of keysOf(suspicion.kind, suspicion.detail)) {
        natural.set(key, (natural.get(key) ?? 0) + 1);
        if (novel.isModern) naturalModern.set(key, (naturalModern.get(key) ?? 0) + 1);
      }
      log?.(`FALSE ${novel.id} | ${suspicion.kind} ${suspicion.detail ?? ""} | ${suspicion.claim}${quotes(places)}`);
    }
    const count = (keys: readonly string[], isFound: boolean) => {
      for (const key of keys) {
        const tally = recall.get(key) ?? { planted: 0, found: 0 };
        tally.planted++;
        if (isFound) tally.found++;
        recall.set(key, tally);
      }
    };
    if (isWanted("chapter-order"))
      for (const { variant, texts, titles, between } of wronglyNumbered(novel, seededRandom(5000 + number))) {
        const isFound = suspicionsOf(texts, NUMBERS, titles).suspicions.some(({ places }) =>
          places.some(({ chapter }) => between.includes(chapter)),
        );
        count(keysOf("chapter-order", variant), isFound);
        if (!isFound) log?.(`MISSED ${novel.id} | chapter-order ${variant} | ${titles[between[1]!]}`);
      }
    const soil = soilOf(novel.chapters, half);
    for (const [copy, planters] of COPIES.entries()) {
      const planted = plantIn(soil, seededRandom(1000 * half + 10 * number + copy), planters);
      if (!planted.plants.some(({ kind }) => isWanted(kind))) continue;
      const { suspicions } = suspicionsOf(planted.chapters, kinds);
      for (const { kind, variant, places } of planted.plants) {
        if (!isWanted(kind)) continue;
        const isFound = suspicions.some(
          (one) =>
            one.suspicion.kind === kind &&
            one.places.some((shown) =>
              places.some(
                ({ chapter, start, end }) =>
                  shown.chapter === chapter && shown.start < end + NEAR && start < shown.end + NEAR,
              ),
            ),
        );
        count([...keysOf(kind, variant), ...(novel.isModern ? [] : [`${kind}: published novels`])], isFound);
        if (!isFound)
          log?.(
            `MISSED ${novel.id} | ${kind} ${variant}${quotes(places.map((place) => ({ ...place, quote: planted.chapters[place.chapter]!.slice(place.start, place.end) })))}`,
          );
      }
    }
  }
  return {
    novels: own.length,
    words: total.words,
    milliseconds: (100_000 * total.milliseconds) / total.words,
    recall,
    natural,
    naturalModern,
    modernWords: total.modern,
    personWords,
  };
}

const quotes = (places: readonly { readonly chapter: number; readonly quote: string }[]) =>
  places
    .slice(0, 4)
    .map(({ chapter, quote }) => `\n    ${chapter + 1}: ${quote.replace(/\s+/g, " ").trim().slice(0, 200)}`)
    .join("");

/** "attribute-conflict", with each part of its variant, and with all of them: "eyes", "by name", "eyes, by name". */
function keysOf(kind: string, variant: string | undefined): string[] {
  if (variant === undefined) return [kind];
  return [...new Set([kind, ...variant.split(", ").map((part) => `${kind}: ${part}`), `${kind}: ${variant}`])];
}

/** Where a book has one such fault in 100,000 words, the share of findings that are right. */
export function precisionOf(recall: number, falsePer100000: number): number {
  return recall + falsePer100000 === 0 ? 0 : recall / (recall + falsePer100000);
}

export function rowsOf({ recall, natural, naturalModern, words, modernWords, personWords }: Measured) {
  const wordsFor = (key: string) => {
    if (/first person|^point-of-view/.test(key)) return personWords.first;
    return /third person|^person-shift/.test(key) ? personWords.third : words - modernWords;
  };
  return [...new Set([...recall.keys(), ...natural.keys()])].sort().map((key) => {
    const { planted, found } = recall.get(key) ?? { planted: 0, found: 0 };
    const modern = naturalModern.get(key) ?? 0;
    // Weak models do repeat themselves: what is found in their stories is shown apart and is not called false.
    const falsePer100000 = (100_000 * ((natural.get(key) ?? 0) - modern)) / Math.max(1, wordsFor(key));
    return {
      key,
      planted,
      recall: planted === 0 ? null : found / planted,
      falsePer100000,
      falseModern: (100_000 * modern) / Math.max(1, modernWords),
      precision: planted === 0 ? null : precisionOf(found / planted, falsePer100000),
    };
  });
}

/** The manuscript with twelve planted faults: which are shown, and what of them is also said about the one without. */
export async function measureManuscript(folder: string, name: string) {
  const key = await readKey(join(folder, `${name}.key.json`));
  const book = await readBook(join(folder, `${name}.md`));
  const { findings } = checkBook(book);
  const original = await readBook(join(folder, `${name}.original.md`));
  const before = checkBook(original).findings;
  const faults = key.map((fault) => {
    const places = fault.passages.flatMap((quote) => placesOf(quote.replaceAll("*", ""), book));
    const found = findings.filter(
      ({ kind, passages }) =>
        kind === fault.kind &&
        passages.some((shown) =>
          places.some(
            (place) =>
              shown.chapter === place.chapter && shown.start < place.end + NEAR && place.start < shown.end + NEAR,
          ),
        ),
    );
    return { fault, found };
  });
  return { faults, findings, before };
}

if (process.argv[1]?.endsWith("planted.ts") && !process.argv[1].includes("parts")) {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      half: { type: "string", default: "1" },
      only: { type: "string" },
      show: { type: "boolean", default: false },
    },
  });
  if (values.data === undefined) throw new Error("Give the folder of the data: --data FOLDER");
  const novels = await loadNovels(values.data);
  const measured = measure(novels, {
    half: values.half === "0" ? 0 : 1,
    only: values.only,
    log: values.show ? console.log : undefined,
  });
  console.log(
    `${measured.novels} novels and stories, ${measured.words} words; ${Math.round(measured.milliseconds)} ms for 100,000 words`,
  );
  console.log("kind | planted | recall | false per 100,000 words (modern stories) | precision");
  for (const { key, planted, recall, falsePer100000, falseModern, precision } of rowsOf(measured)) {
    const figures = [
      recall?.toFixed(2) ?? "–",
      `${falsePer100000.toFixed(2)} (${falseModern.toFixed(2)})`,
      precision?.toFixed(2) ?? "–",
    ];
    console.log([key, planted, ...figures].join(" | "));
  }
  const { faults, findings, before } = await measureManuscript(join(values.data, "planted"), "cargo-unknown");
  console.log(
    `\ncargo-unknown: ${faults.filter(({ found }) => found.length > 0).length} of ${faults.length} planted faults found`,
  );
  for (const { fault, found } of faults)
    console.log(`  ${found.length > 0 ? "found " : "missed"} ${fault.id}: ${found[0]?.claim ?? fault.explanation}`);
  for (const { kind, claim } of findings) console.log(`  all: ${kind}: ${claim}`);
  for (const { kind, claim } of before) console.log(`  original: ${kind}: ${claim}`);
}
