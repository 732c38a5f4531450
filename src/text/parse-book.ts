import { basename, dirname, extname, join } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { sumBy } from "../stats/distribution.ts";
import type { Book, BookSource, Chapter, FrameKind, PartPage, Removal } from "./book.ts";
import { textOf } from "./chapters/marks.ts";
import { recogniseHeading } from "./chapters/recognise.ts";
import { splitIntoChapters } from "./chapters/split.ts";
import { joinTitle } from "./chapters/titles.ts";
import { passOverLines, withoutSiteFurniture } from "./clean/line-pass.ts";
import type { BookYaml } from "./corrections/book-yaml.ts";
import type { ChapterCorrections } from "./corrections/chapter-corrections.ts";
import type { CharacterCorrections, StoryCorrections } from "./corrections/character-and-story.ts";
import { compareEditions, editionOf } from "./editions.ts";
import { readPath } from "./files/chapter-files.ts";
import { checkProduced, kindOfPath, readLimited } from "./files/read-file.ts";
import { readManuscript } from "./formats/recognise-format.ts";
import { detectLanguage } from "./language.ts";
import type { Block, HeadingBlock, Manuscript, Metadata, Split } from "./manuscript.ts";
import { sanityWarnings } from "./sanity-check.ts";
import { authorInByline, titlePageIn } from "./title-page.ts";
import { countWords } from "./words.ts";

/** A title page contains a name, a subtitle and little more. */
const MOST_WORDS = 10;

interface OpeningTitle {
  readonly blocks: readonly Block[];
  readonly metadata: Metadata;
  readonly removed: readonly Removal[];
}

/**
 * If a file names its book nowhere else, a first heading with hardly a word under it is the book's title, and "by Jane Doe" below
 * it names the author. If a later heading of the same rank is just as empty, both are parts.
 */
function withOpeningTitle(blocks: readonly Block[]): OpeningTitle {
  const none = { blocks, metadata: {}, removed: [] };
  const first = blocks[0];
  if (!isMarked(first) || recogniseHeading(first.lines[0] ?? "") !== null) return none;
  if (blocks.some(({ kind }) => kind === "section")) return none;
  const places = [...blocks.keys()].filter((at) => isMarked(blocks[at]));
  const levelAt = (place: number) => (blocks[places[place] ?? -1] as HeadingBlock | undefined)?.level;
  const isEmpty = (place: number) => wordsIn(blocks.slice(places[place]! + 1, places[place + 1])) < MOST_WORDS;
  if (places.length < FEWEST_HEADINGS || !isEmpty(0)) return none;
  // A subtitle is lower than what follows it, a chapter is not.
  const isSubtitled = isEmpty(1) && levelAt(1)! > first.level && (levelAt(2) ?? 0) < levelAt(1)!;
  const from = isSubtitled ? 2 : 1;
  if (places.some((_at, place) => place >= from && levelAt(place)! <= first.level && isEmpty(place))) return none;
  const page = blocks.slice(0, places[from]);
  const author = page
    .slice(1)
    .map((block) => authorInByline(textOf([block])))
    .find(Boolean);
  return {
    blocks: blocks.slice(places[from]),
    metadata: { title: joinTitle(first.lines), ...(author && { author }) },
    removed: [{ rule: "title page", where: "front", text: textOf(page) }],
  };
}

/** The title and two chapters. */
const FEWEST_HEADINGS = 3;

function isMarked(block: Block | undefined): block is HeadingBlock {
  return block?.kind === "heading" && block.level > 0;
}

function wordsIn(blocks: readonly Block[]): number {
  let words = 0;
  for (const block of blocks) {
    if (block.kind === "paragraph") words += countWords(block.text);
    if (words >= MOST_WORDS) break;
  }
  return words;
}

/**
 * Makes a book from what a format reader returned: cleans it, finds the chapters, counts words, recognises the language, and
 * applies a person's corrections.
 */
async function assembleBook(
  manuscript: Manuscript,
  source: Omit<BookSource, "encoding" | "pages">,
  { metadata: overrides = {}, corrections = [], characterCorrections, storyCorrections }: ReadOptions,
): Promise<Book> {
  const strategy = strategyIn(corrections);
  const { blocks, isLinePassed } = manuscript;
  const cleaned = isLinePassed ? { blocks, removed: [] } : cleanBlocks(blocks);
  const isNamed = manuscript.metadata.title !== undefined;
  const opening = isNamed ? { blocks: cleaned.blocks, metadata: {}, removed: [] } : withOpeningTitle(cleaned.blocks);
  const known: Metadata = { ...opening.metadata, ...manuscript.metadata };
  const split = splitIntoChapters(opening.blocks, known.title ?? null, strategy);
  if (strategy !== undefined && split.finding.recognised?.by !== strategy) {
    const others = (split.finding.considered ?? []).filter(({ chapters }) => chapters !== null).map(({ by }) => by);
    const choose = others.length > 0 ? `choose one of: ${others.join("; ")}` : "there is no other way to read it";
    throw new FabulaError("E_CORRECTION", `The chapters of ${source.file} cannot be read by “${strategy}”: ${choose}.`);
  }
  const furniture = withoutSiteFurniture(split.chapters);
  const { chapters, parts } = numbered({ ...split, chapters: furniture.chapters });
  const words = sumBy(chapters, (chapter) => chapter.words);
  if (words === 0) {
    throw new FabulaError("E_NO_TEXT", `${source.file} holds no readable text: check that it is the book you meant.`);
  }
  checkProduced(
    sumBy(chapters, ({ text }) => text.length),
    source.file,
  );
  const metadata = { ...(known.title === undefined && titlePageIn(split.removed)), ...known, ...overrides };
  const removed = [
    ...manuscript.removed,
    ...cleaned.removed,
    ...opening.removed,
    ...split.removed,
    ...furniture.removed,
  ];
  const { finding } = split;
  const doubts = sanityWarnings({ chapters, removed, words, finding, source: { pages: manuscript.pages ?? {} } });
  const book: Book = {
    title: metadata.title ?? basename(source.file, extname(source.file)),
    author: metadata.author ?? null,
    language: overrides.language ?? detectLanguage(longest(chapters)) ?? manuscript.metadata.language ?? null,
    genres: metadata.genres ?? [],
    premise: metadata.premise ?? null,
    chapters,
    ...(parts.length > 0 && { parts }),
    words,
    removed,
    warnings: [...manuscript.warnings, ...doubts],
    ...(Object.keys(finding).length > 0 && { finding }),
    source: { ...source, encoding: manuscript.encoding, ...(manuscript.pages && { pages: manuscript.pages }) },
    ...(characterCorrections && { characterCorrections }),
    ...(storyCorrections && { storyCorrections }),
  };
  if (corrections.length === 0) return book;
  // Few books are corrected, so the code for it loads only for those.
  const { correctChapters } = await import("./corrections/chapter-corrections.ts");
  return correctChapters(book, corrections);
}

/** Numbers chapters and the listed title pages of parts in one count, in reading order; chapters without a word are left out. */
function numbered(split: Split): { chapters: Chapter[]; parts: PartPage[] } {
  const chapters: Chapter[] = [];
  const parts: PartPage[] = [];
  const nextIndex = () => chapters.length + parts.length + 1;
  const waiting = [...(split.parts ?? [])];
  const placeParts = (chaptersBefore: number) => {
    for (let next = waiting[0]; next && next.chaptersBefore <= chaptersBefore; next = waiting[0]) {
      parts.push({ index: nextIndex(), title: next.title, ...(next.part !== null && { part: next.part }) });
      waiting.shift();
    }
  };
  for (const [position, { title, part, text, includes, kind = frameKind(title) }] of split.chapters.entries()) {
    placeParts(position);
    const words = countWords(text);
    if (words === 0) continue;
    chapters.push({
      index: nextIndex(),
      ...{ title, ...(kind && { kind }), text, words },
      ...(part !== null && { part }),
      ...(includes && { includes }),
    });
  }
  placeParts(split.chapters.length);
  return { chapters, parts };
}

/** "Prologue", "Nachwort", 楔子: the kind by the title alone, in every format. */
function frameKind(title: string | null): FrameKind | null {
  const recognition = recogniseHeading(title ?? "");
  if (recognition?.kind === "lead-in") return "prologue";
  if (recognition?.kind !== "named") return null;
  const { series } = recognition;
  return OPENINGS.test(series) ? "prologue" : CLOSINGS.test(series) ? "epilogue" : null;
}

const OPENINGS =
  /^(?:the )?(?:prolog|prelud|pról|prefa|préfa|prefá|prefaz|fore|intro|vor|prœ|proem|einleit|avant-propos|überleit|пролог|предисл|вступ|序|楔|引|프롤|önsöz|giriş|wstęp|förord|voorwoord|proloog)/iu;
const CLOSINGS =
  /^(?:the )?(?:epilog|épilog|epíl|after|post|nach|conclus|finale?$|coda|sequel|envoi|l'envoi|schluss|эпилог|послесл|заключ|尾|跋|后记|後記|에필|sonsöz|posłowie|efterord|nawoord|slot)/iu;

/** The longest chapter is in the book's language; a preface or a letter may not be. */
function longest(chapters: readonly Chapter[]): string {
  return chapters.reduce((best, { text }) => (text.length > best.length ? text : best), "");
}

/**
 * The line pass over the blocks of any format: words may show what a file's tags did not mark. If a file declares which of its
 * pages are chapters, they are left alone.
 */
function cleanBlocks(blocks: readonly Block[]): { blocks: readonly Block[]; removed: readonly Removal[] } {
  if (blocks.some((block) => block.kind === "section" && block.role === "chapter")) return { blocks, removed: [] };
  const lines = blocks.map((block) => {
    switch (block.kind) {
      case "paragraph":
        return block.text;
      case "heading":
        return block.lines.join(" ");
      case "break":
      case "section":
        return "";
      default:
        return block satisfies never;
    }
  });
  const pass = passOverLines(lines, (line) => `block ${line + 1}`, { areWhole: true });
  const kept: Block[] = [];
  for (let index = pass.from; index < pass.to; index++) if (!pass.skipped.has(index)) kept.push(blocks[index]!);
  return { blocks: kept, removed: pass.removed };
}

const NOTHING: BookYaml = { metadata: {}, corrections: [] };

/** Facts and corrections from the `book.yaml` beside a manuscript. Most have none, and then no YAML reader is loaded. */
async function bookYamlBeside(path: string, isFolder: boolean): Promise<BookYaml> {
  const yamlPath = join(isFolder ? path : dirname(path), "book.yaml");
  if ((await kindOfPath(yamlPath)) !== "file") return NOTHING;
  const source = new TextDecoder().decode(await readLimited(yamlPath));
  const { parseBookYaml } = await import("./corrections/book-yaml.ts");
  return parseBookYaml(source, yamlPath, basename(path)) ?? NOTHING;
}

/** These options, supplemented by the `book.yaml` beside the manuscript. */
export async function withBookYaml(path: string, isFolder: boolean, options: ReadOptions): Promise<ReadOptions> {
  const { metadata, ...corrections } = await bookYamlBeside(path, isFolder);
  return { ...corrections, ...options, metadata: { ...metadata, ...options.metadata } };
}

export interface ReadOptions {
  /** What the user says about the book; it wins over what the file and `book.yaml` say. */
  readonly metadata?: Metadata;
  /** The format's name, for files whose name and first bytes do not show it. */
  readonly format?: string;
  /** A person's corrections to the chapters that were found; they win over those in `book.yaml`. */
  readonly corrections?: ChapterCorrections;
  /** A person's corrections to the characters that were found; they win over those in `book.yaml`. */
  readonly characterCorrections?: CharacterCorrections;
  /** What a person says about the story; it wins over `book.yaml`. */
  readonly storyCorrections?: StoryCorrections;
  /** Corrections to the characters that are stored elsewhere for a file with this hash; `book.yaml` wins over them. */
  readonly keptCharacters?: (sha256: string) => Promise<CharacterCorrections | null>;
  /** Standard input, for the path `-`. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** Stops reading at any point. */
  readonly signal?: AbortSignal;
}

/** The options that a command sets once for all its books. */
export type BookReadOptions = Pick<ReadOptions, "metadata" | "keptCharacters">;

/**
 * Reads a book in this process: one file, a folder or a quoted glob of chapter files. `readBook` does it in another process, so
 * that no file can harm the caller.
 */
export function parseBook(path: string, options: ReadOptions = {}): Promise<Book> {
  return withoutBlamingTheFile(path, () => parsePath(path, options));
}

/** Reads a book in this process from bytes already in memory: standard input, an upload. */
export function parseBookBytes(bytes: Uint8Array, name: string, options: ReadOptions = {}): Promise<Book> {
  return withoutBlamingTheFile(name, () => parseBytes(bytes, name, options));
}

/**
 * A fault of the file is thrown as a `FabulaError` where it is found. Anything else is an error in Fabula or in a library, and is
 * reported as such: otherwise the user would look for the fault in the file.
 */
async function withoutBlamingTheFile(name: string, parse: () => Promise<Book>): Promise<Book> {
  try {
    return await parse();
  } catch (cause) {
    if (cause instanceof FabulaError) throw cause;
    const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new FabulaError(
      "E_UNEXPECTED",
      `An internal error stopped Fabula from reading ${name} (${reason}). The file itself may be fine: please report this, and try another format meanwhile.`,
      { cause },
    );
  }
}

async function parsePath(path: string, given: ReadOptions): Promise<Book> {
  const found = await readPath(path);
  const options = await withBookYaml(path, found.isFolder, given);
  switch (found.kind) {
    case "file":
      return parseBytes(found.bytes, found.name, options);
    case "editions": {
      const { first, other } = found;
      const book = await parseBytes(first.bytes, first.name, options);
      if (other === null) return book;
      const twin = await parseBytes(other.bytes, other.name, { corrections: options.corrections ?? [] });
      return { ...book, warnings: [...book.warnings, ...compareEditions(editionOf(book), editionOf(twin))] };
    }
    case "files": {
      const { manuscript, format, bytes, sha256: hash } = found;
      const metadata = { title: basename(path), ...found.metadata, ...options.metadata };
      return assembleBook(manuscript, { file: path, format, bytes, sha256: hash }, { ...options, metadata });
    }
    default:
      return found satisfies never;
  }
}

async function parseBytes(bytes: Uint8Array, name: string, options: ReadOptions): Promise<Book> {
  if (bytes.length === 0) throw new FabulaError("E_EMPTY", `${name} is empty: there is nothing to read.`);
  const { format, manuscript } = await readManuscript({ bytes, name }, options.format);
  const source = { file: name, format, bytes: bytes.length, sha256: sha256(bytes) };
  return assembleBook(manuscript, source, options);
}

/** The strategy that a person chose among those that `fabula read --why` shows. */
function strategyIn(corrections: ChapterCorrections): string | undefined {
  return corrections.flatMap((correction) => ("strategy" in correction ? [correction.strategy] : [])).at(-1);
}
