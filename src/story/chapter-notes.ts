import { z } from "zod";
import { estimateTokens } from "../core/estimate-tokens.ts";
import type { Passage } from "../core/finding.ts";
import { groupBy } from "../core/group-by.ts";
import { askPrompt } from "../judge/ask.ts";
import { chapterEntry, type Story } from "../judge/letter/parts.ts";
import { chapterMark, metadataText } from "../judge/material.ts";
import { asJson } from "../models/ask.ts";
import type { Book } from "../text/book.ts";
import { countWords } from "../text/words.ts";
import { type Claim, QUESTION_KINDS } from "./claim.ts";
import type { QuotationCheck } from "./locate.ts";
import { type CloseReadingOptions, roomForReply } from "./reading-options.ts";

const replySchema = z.object({
  ...chapterEntry,
  opening: z.string(),
  ending: z.string(),
  facts: z.array(z.object({ subject: z.string(), property: z.string(), value: z.string(), quote: z.string() })),
  events: z.array(z.object({ who: z.string(), what: z.string(), when: z.string(), quote: z.string() })),
  knowledge: z.array(z.object({ who: z.string(), knows: z.boolean(), what: z.string(), quote: z.string() })),
  assumed: z.array(z.object({ what: z.string(), quote: z.string() })),
  threads: z.array(
    z.object({ thread: z.string(), move: z.enum(["opened", "touched", "closed"]).catch("touched"), quote: z.string() }),
  ),
  people: z.array(z.object({ name: z.string(), also: z.array(z.string()).catch([]), role: z.string() })),
  slips: z.array(
    z.object({
      kind: z.enum(QUESTION_KINDS["close-continuity"]).catch("attribute-conflict"),
      title: z.string(),
      claim: z.string(),
      quotes: z.array(z.string()),
      certainty: z.number().min(0).max(1).catch(0.5),
    }),
  ),
  reader: z.object({ asks: z.array(z.string()), answered: z.array(z.string()) }),
});
type Reply = z.infer<typeof replySchema>;

/** Notes on one chapter. Entries whose quotation does not stand in the chapter are gone. */
export interface ChapterNotes {
  readonly chapter: number;
  readonly reply: Reply;
  /** What disagrees inside the chapter. */
  readonly slips: readonly Claim[];
}

export interface BookNotes {
  readonly chapters: readonly ChapterNotes[];
  readonly missing: readonly { readonly chapter: number; readonly reason: string }[];
}

const TOKENS = 8000;
const LONGEST_PIECE = 7000;
/** Chapters read before the model is known to be able to do this. */
const TRIAL = 2;

/**
 * Reads every chapter alone, side by side. A chapter that did not change between two drafts is the same request, so it is not
 * paid again. The first chapters are waited for: `onTrial` may throw when their quotations do not stand in the book.
 */
export async function noteChapters(
  book: Book,
  options: CloseReadingOptions & { readonly check: QuotationCheck; onTrial(): void },
  signal: AbortSignal,
): Promise<BookNotes> {
  const pieces = piecesOf(book);
  // A long chapter is read when its last part is.
  const unread = pieces.map(({ index }) => index);
  const tell = () =>
    options.onStep?.("Reading chapters", book.chapters.length - new Set(unread).size, book.chapters.length);
  tell();
  const read = async (piece: Piece) => {
    const notes = await noteChapter(book, piece, options, signal);
    unread.splice(unread.indexOf(piece.index), 1);
    tell();
    return notes;
  };
  const first = await Promise.all(pieces.slice(0, TRIAL).map(read));
  options.onTrial();
  const all = [...first, ...(await Promise.all(pieces.slice(TRIAL).map(read)))];
  return {
    chapters: all.flatMap((notes) => ("reply" in notes ? [notes] : [])),
    missing: all.flatMap((notes) => ("reason" in notes ? [notes] : [])),
  };
}

/** A chapter, or a part of one that is too long for a reader to note everything in it. */
interface Piece {
  readonly index: number;
  readonly title: string | null;
  readonly part: number | null;
  readonly text: string;
}

function piecesOf({ chapters }: Book): Piece[] {
  return chapters.flatMap(({ index, title, text, words }): Piece[] => {
    const count = Math.ceil(words / LONGEST_PIECE);
    if (count <= 1) return [{ index, title, part: null, text }];
    const parts: string[] = [];
    let part = "";
    for (const paragraph of text.split("\n\n")) {
      if (part !== "" && countWords(part) + countWords(paragraph) > words / count + 1) {
        parts.push(part);
        part = "";
      }
      part = part === "" ? paragraph : `${part}\n\n${paragraph}`;
    }
    return [...parts, part].map((piece, at) => ({ index, title, part: at + 1, text: piece }));
  });
}

async function noteChapter(
  book: Book,
  chapter: Piece,
  options: CloseReadingOptions & { readonly check: QuotationCheck },
  signal: AbortSignal,
): Promise<ChapterNotes | { readonly chapter: number; readonly reason: string }> {
  const { model, language, prompts, temperature, sample, replyLanguage, check } = options;
  const part = chapter.part === null ? "" : language === "zh" ? `第 ${chapter.part} 部分` : `, part ${chapter.part}`;
  const place =
    language === "zh"
      ? `全书 ${book.chapters.length} 章中的第 ${chapter.index} 章${part}`
      : `chapter ${chapter.index} of ${book.chapters.length}${part}`;
  const answer = await askPrompt(
    model,
    {
      prompt: "close-chapter",
      language,
      prompts,
      values: {
        metadata: metadataText(book, language),
        place,
        chapter: `${chapterMark(chapter.index, chapter.title, language)}\n\n${chapter.text}`,
        replyLanguage,
      },
      purpose: "summariser",
      ...asJson("close_chapter", replySchema),
      maximumTokens: roomForReply(model, TOKENS),
      usualTokens: usualNotes(chapter.text),
      temperature,
      sample,
    },
    signal,
  );
  const { index } = chapter;
  check.note(answer.attempts);
  if (answer.kind === "unanswered") return { chapter: index, reason: answer.reason };
  const { value } = answer;
  const stands = ({ quote }: { readonly quote: string }) => check.locate({ chapter: index, quote })?.chapter === index;
  return {
    chapter: index,
    reply: {
      ...value,
      facts: value.facts.filter(stands),
      events: value.events.filter(stands),
      knowledge: value.knowledge.filter(stands),
      assumed: value.assumed.filter(stands),
      threads: value.threads.filter(stands),
    },
    slips: value.slips.flatMap(({ quotes, ...slip }): Claim[] => {
      const passages = check.locateAll(quotes.map((quote) => ({ chapter: index, quote })));
      return passages.length === 0 ? [] : [{ ...slip, severity: "should", passages, advice: "" }];
    }),
  };
}

/** A part of the notes that can be asked about by itself, since everything that has to be compared stands in it. */
export interface LedgerPart {
  readonly about: "chapters" | "facts" | "knowledge" | "threads";
  readonly text: string;
}

/** As much of the notes as is asked about at once: whoever compares more rows than this overlooks some. */
const PART_TOKENS = 24_000;

/**
 * The notes of all chapters laid out for comparison, in parts of at most this many tokens: the chapters in order with what happens
 * and how each joins the next; facts by what they are about; who knows what and what is taken as known; threads. What is
 * said of one thing in one chapter alone has nothing to be compared with and is left out.
 */
export function ledgerParts(
  { chapters }: BookNotes,
  { mostTokens = PART_TOKENS, fewestChapters = 2 } = {},
): LedgerPart[] {
  const limit = Math.min(PART_TOKENS, mostTokens);
  const nameOf = commonNames(chapters);
  const rows = <T>(pick: (reply: Reply) => readonly T[]) =>
    chapters.flatMap(({ chapter, reply }) => pick(reply).map((row) => ({ chapter, ...row })));
  const facts = rows(({ facts: all }) => all).map((fact) => ({ ...fact, subject: nameOf(fact.subject) }));
  const subjects = [...groupBy(facts, ({ subject }) => subject.toLowerCase()).values()].filter(
    (about) => new Set(about.map(({ chapter }) => chapter)).size >= fewestChapters,
  );
  // With a passage each, so that a claim about a chapter that has no row in this part can still be supported.
  const outline = chapters.map(({ chapter, reply: { happens, events } }) =>
    [`[Chapter ${chapter}] ${happens}`, ...events.slice(0, 1).map(({ quote }) => `"${quote}"`)].join(" "),
  );
  const shownOutline = estimateTokens(outline.join("\n")) < limit / 3 ? ["WHAT HAPPENS", ...outline] : [];
  const parts = (about: LedgerPart["about"], head: readonly string[], blocks: readonly string[]) =>
    filled(blocks, limit - estimateTokens(head.join("\n"))).map((text) => ({
      about,
      text: [...head, text].join("\n"),
    }));
  return [
    ...parts("chapters", ["CHAPTERS"], chapters.map(chapterBlock)),
    ...parts(
      "facts",
      ["FACTS BY SUBJECT"],
      subjects.map((about) =>
        [
          `${about[0]!.subject}:`,
          ...about
            .toSorted((left, right) => left.property.localeCompare(right.property) || left.chapter - right.chapter)
            .map(({ chapter, property, value, quote }) => `  ${property} = ${value} [${chapter}] "${quote}"`),
        ].join("\n"),
      ),
    ),
    ...parts(
      "knowledge",
      [...shownOutline, "WHO KNOWS WHAT"],
      [
        ...groupBy(
          rows(({ knowledge }) => knowledge),
          ({ who }) => nameOf(who).toLowerCase(),
        ).values(),
      ].map((about) =>
        about
          .map(
            ({ chapter, who, knows, what, quote }) =>
              `[${chapter}] ${who} ${knows ? "knows" : "does not know"}: ${what} "${quote}"`,
          )
          .join("\n"),
      ),
    ),
    ...parts(
      "knowledge",
      [...shownOutline, "TAKEN AS ALREADY TOLD"],
      rows(({ assumed }) => assumed).map(({ chapter, what, quote }) => `[${chapter}] ${what} "${quote}"`),
    ),
    ...parts(
      "threads",
      [...shownOutline, "THREADS"],
      rows(({ threads }) => threads).map(
        ({ chapter, thread, move, quote }) => `[${chapter}] ${move}: ${thread} "${quote}"`,
      ),
    ),
  ];
}

/** Notes take about so many tokens, as recorded readers wrote them. */
function usualNotes(text: string): number {
  return Math.min(TOKENS, 2000 + estimateTokens(text));
}

/** Of the notes' tokens, how many are laid out for comparison; measured on a novel of 106,000 words. */
const LAID_OUT = 0.69;
const EXPECTED_PARTS: readonly LedgerPart["about"][] = ["chapters", "facts", "knowledge", "knowledge", "threads"];

/** What a plan takes for the notes of a book: nobody has taken them, but how long they are is known well enough. */
export function expectedParts(book: Book, mostTokens: number): LedgerPart[] {
  const total = LAID_OUT * piecesOf(book).reduce((sum, { text }) => sum + usualNotes(text), 0);
  const count = Math.max(EXPECTED_PARTS.length, Math.ceil(total / Math.min(PART_TOKENS, mostTokens)));
  // Rows about one thing are most of the notes, so what is more than one part of each are facts.
  return Array.from({ length: count }, (_, at) => ({
    about: EXPECTED_PARTS[at] ?? "facts",
    text: "notes on the book ".repeat(Math.ceil(total / count / TOKENS_OF_FILLING)),
  }));
}

const TOKENS_OF_FILLING = 5;

function chapterBlock({ chapter, reply }: ChapterNotes): string {
  return [
    `[Chapter ${chapter}] ${reply.viewpoint}; ${reply.tense} tense; ${reply.level}; time: ${reply.time}; place: ${reply.place}`,
    `  opens: ${reply.opening}`,
    `  happens: ${reply.happens}`,
    `  changes: ${reply.changes} (tension ${reply.tension})`,
    ...reply.events.map(({ who, what, when, quote }) => `  event, ${when}: ${who}: ${what} "${quote}"`),
    `  ends: ${reply.ending}`,
  ].join("\n");
}

/** The blocks in order, in as few texts as hold them, about equally long; a block that is too long by itself is cut between its lines. */
function filled(blocks: readonly string[], mostTokens: number): string[] {
  const most = Math.max(2000, mostTokens);
  const pieces = blocks
    .flatMap((block) => (estimateTokens(block) > most ? block.split("\n") : [block]))
    .map((text) => ({ text, tokens: estimateTokens(text) }));
  const total = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
  const share = total / Math.ceil(total / most);
  const texts: string[][] = [];
  let reached = 0;
  for (const { text, tokens } of pieces) {
    const at = Math.floor((reached + tokens / 2) / share);
    texts[at] = [...(texts[at] ?? []), text];
    reached += tokens;
  }
  return texts.filter(Boolean).map((lines) => lines.join("\n"));
}

/** One name for everybody who goes by several: the one that most chapters use. */
function commonNames(chapters: readonly ChapterNotes[]): (name: string) => string {
  const counts = new Map<string, number>();
  for (const { name } of chapters.flatMap(({ reply }) => reply.people)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = new Map<string, string>();
  for (const { name, also } of chapters.flatMap(({ reply }) => reply.people)) {
    const [best] = [name, ...also].toSorted((left, right) => (counts.get(right) ?? 0) - (counts.get(left) ?? 0));
    for (const other of [name, ...also]) if (!common.has(other.toLowerCase())) common.set(other.toLowerCase(), best!);
  }
  return (name) => common.get(name.toLowerCase()) ?? name;
}

/** What the notes add to the story document. */
export function notedStory({ chapters }: BookNotes, check: QuotationCheck): Partial<Story> {
  const placed = <T extends { quote: string }>(pick: (reply: Reply) => readonly T[]) =>
    chapters.flatMap(({ chapter, reply }) =>
      pick(reply).flatMap(({ quote, ...row }) => {
        const passage = check.locate({ chapter, quote });
        return passage ? [{ ...row, passage }] : [];
      }),
    ) as (Omit<T, "quote"> & { passage: Passage })[];
  return {
    chapters: chapters.map(({ chapter, reply }) => {
      const { happens, changes, place, time, viewpoint, tense, level, tension } = reply;
      return { chapter, happens, changes, place, time, viewpoint, tense, level, tension };
    }),
    joints: chapters.map(({ chapter, reply: { opening, ending } }) => ({ chapter, opening, ending })),
    facts: placed(({ facts }) => facts),
    events: placed(({ events }) => events),
    knowledge: placed(({ knowledge }) => knowledge),
    assumed: placed(({ assumed }) => assumed),
    reader: chapters.map(({ chapter, reply: { reader } }) => ({ chapter, ...reader })),
  };
}
