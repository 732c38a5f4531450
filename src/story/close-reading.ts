import { z } from "zod";
import { isStrength, SEVERITIES } from "../core/finding.ts";
import { askPrompt } from "../judge/ask.ts";
import { bookText } from "../judge/material.ts";
import { type Answer, asJson } from "../models/ask.ts";
import type { Book } from "../text/book.ts";
import { isIntended, knownAbout } from "./author-says.ts";
import {
  type BookNotes,
  expectedParts,
  type LedgerPart,
  ledgerParts,
  noteChapters,
  notedStory,
} from "./chapter-notes.ts";
import {
  type Claim,
  type ClaimQuestion,
  claimsReplySchema,
  QUESTION_KINDS,
  quotedSchema,
  type RefutedClaim,
} from "./claim.ts";
import { overlaps, QuotationCheck } from "./locate.ts";
import {
  CLAIMS_TOKENS,
  type CloseReadingOptions,
  fitsWhole,
  requireContext,
  requireQuotations,
  requireReadable,
  roomFor,
  roomForReply,
} from "./reading-options.ts";
import { checkedStory, EMPTY_STORY, joinStories, type Story, storyReplySchema } from "./story.ts";
import { Surroundings } from "./surroundings.ts";

const replySchema = z.object({
  verdicts: z.array(
    z.object({
      number: z.number(),
      verdict: z.enum(["holds", "weak", "explained", "false"]),
      why: z.string(),
      claim: z.string().nullable(),
      severity: z.enum(SEVERITIES).catch("should"),
      explained_by: quotedSchema.nullable(),
      same_as: z.number().nullable(),
    }),
  ),
});

/** A book as short as this is shown whole to the second reader: it is cached already, and nothing explains like the text. */
const SHOWN_WHOLE = 15_000;
const TOKENS_PER_CLAIM = 250;
/** As recorded readers used, for plans. */
const USUAL_TOKENS_PER_CLAIM = 140;
/** Of the book's words, how many are shown in all refutations together. */
const SHOWN_SHARE = 0.85;
const FEWEST_WORDS = 3000;

/** How many requests refute the claims about a book: a plan must know it before there are claims. */
function refutationCalls(words: number): number {
  return Math.min(16, 3 + Math.round(words / 9000));
}

/** Has a second reading try each claim, many in one request, the same number of requests however many claims there are. */
async function refuteClaims(
  book: Book,
  claims: readonly Claim[],
  options: CloseReadingOptions & { readonly check: QuotationCheck },
  signal: AbortSignal,
): Promise<RefutedClaim[]> {
  const groups = evenGroups(claims, refutationCalls(book.words));
  const isWhole = book.words <= SHOWN_WHOLE;
  const whole = bookText(book, options.language);
  const around = isWhole || options.check.isPlan ? null : new Surroundings(book, options.language);
  const words = Math.max(FEWEST_WORDS, Math.round((book.words * SHOWN_SHARE) / refutationCalls(book.words)));
  // A plan has no real claims to look around: it counts as much text as they would be shown.
  const length = isWhole ? whole.length : Math.round((whole.length * words) / book.words);
  let done = 0;
  if (groups.length > 0) options.onStep?.("Checking each claim", done, claims.length);
  const judged = await Promise.all(
    groups.map(async (group) => {
      const text = around ? around.textFor(group, words) : whole.slice(0, length);
      const result = await refuteGroup(book, group, text, options, signal);
      done += group.length;
      options.onStep?.("Checking each claim", done, claims.length);
      return result;
    }),
  );
  return judged.flat();
}

async function refuteGroup(
  book: Book,
  claims: readonly Claim[],
  text: string,
  { model, language, prompts, temperature, sample, replyLanguage, check }: Parameters<typeof refuteClaims>[2],
  signal: AbortSignal,
): Promise<RefutedClaim[]> {
  const isWhole = book.words <= SHOWN_WHOLE;
  const answer = await askPrompt(
    model,
    {
      prompt: isWhole ? "close-refute-whole" : "close-refute",
      language,
      prompts,
      values: {
        metadata: knownAbout(book, language),
        [isWhole ? "book" : "text"]: text,
        claims: claims.map(claimText).join("\n\n"),
        replyLanguage,
      },
      purpose: "judge",
      ...asJson("refutations", replySchema),
      maximumTokens: roomForReply(model, 1000 + TOKENS_PER_CLAIM * claims.length),
      usualTokens: USUAL_TOKENS_PER_CLAIM * claims.length,
      temperature,
      sample,
    },
    signal,
  );
  const verdicts = new Map(
    answer.kind === "answered" ? answer.value.verdicts.map((verdict) => [verdict.number, verdict]) : [],
  );
  return claims.map((claim, at): RefutedClaim => {
    const given = verdicts.get(at + 1);
    if (!given) {
      const why = answer.kind === "unanswered" ? answer.reason : "the second reader left it out";
      return { ...claim, verdict: "unchecked", why, explainedBy: null };
    }
    const twin = given.same_as === null || given.same_as === at + 1 ? undefined : verdicts.get(given.same_as);
    const isMerged = twin !== undefined && twin.same_as === null && twin.verdict !== "false";
    return {
      ...claim,
      claim: given.claim?.trim() || claim.claim,
      severity: given.severity,
      verdict: isMerged ? "merged" : given.verdict,
      why: given.why,
      explainedBy: given.explained_by && check.locate(given.explained_by),
    };
  });
}

/** `3. [attribute-conflict] The scar changes hands: … ` with its passages below. */
function claimText({ kind, title, claim, passages }: Claim, at: number): string {
  const quotes = passages.map(({ chapter, quote }) => `   chapter ${chapter}: "${quote}"`);
  return [`${at + 1}. [${kind}] ${title}: ${claim}`, ...quotes].join("\n");
}

/** As many groups of equal size as asked for, or fewer; neighbours stay together. */
function evenGroups<T>(items: readonly T[], count: number): T[][] {
  const groups = Math.min(count, items.length);
  return Array.from({ length: groups }, (_, at) =>
    items.slice(Math.floor((at * items.length) / groups), Math.floor(((at + 1) * items.length) / groups)),
  );
}

/** What a close reading gave, with everything that was dropped on the way counted. */
export interface CloseReading {
  /** What the questions were asked about. */
  readonly shown: "book" | "notes" | "both";
  readonly story: Story;
  /** Claims that a second reading tried to refute and could not, or found weak. */
  readonly claims: readonly RefutedClaim[];
  /** All claims that were tried, for the reading of a later draft. */
  readonly tried: readonly RefutedClaim[];
  readonly counts: {
    /** Claims as the first reading made them. */
    readonly made: number;
    /** Of those: resting on no passage that stands in the book. */
    readonly unsupported: number;
    readonly merged: number;
    /** Claims about what the author said is meant. */
    readonly intended: number;
    readonly explained: number;
    readonly refuted: number;
    /** Claims that no second reading was had for. */
    readonly unchecked: number;
    readonly quotations: number;
    readonly quotationsMissing: number;
  };
  /** Questions without a usable answer, each with its reason. */
  readonly unanswered: readonly Unanswered[];
}

interface Unanswered {
  readonly question: string;
  readonly reason: string;
}

const QUESTIONS = Object.keys(QUESTION_KINDS) as ClaimQuestion[];

/** Room for the story, which grows with the chapters: a recorded reader took 350 tokens for each. */
function storyTokens({ chapters }: Book): number {
  return Math.min(CLAIMS_TOKENS, Math.max(12_000, 6000 + 350 * chapters.length));
}

/** What a recorded reader found in a part of the notes. */
const USUAL_TOKENS_OF_PART = 4000;

/** What questions are asked about, the text of the book or a part of the notes on every chapter, and which of them. */
interface Material {
  readonly text: { readonly book: string } | { readonly notes: string };
  readonly questions: readonly ClaimQuestion[];
  readonly tellsStory: boolean;
}

/**
 * Reads a whole book: what the story is, then everything an attentive reader would stop at, each statement with passages
 * that stand in the book, each tried by a second reading. The book comes first in every request and the question last, so
 * that a provider with a prefix cache is sent the book once; the first answer is waited for, since only then is it cached.
 * Where the book does not fit the model's context, and at depth `full`, every chapter is read alone and noted, and the
 * questions are asked about the notes, laid out so that what is said of one thing in different chapters stands together.
 */
export async function readClosely(
  book: Book,
  options: CloseReadingOptions,
  signal: AbortSignal,
): Promise<CloseReading> {
  const { model } = options;
  const check = new QuotationCheck(book);
  const onTrial = () => requireQuotations(check, model.id);
  const { materials, notes, fits, unanswered } = await readMaterials(book, { ...options, check, onTrial }, signal);
  const asked = materials.flatMap(({ text, questions }) => questions.map((question) => ({ text, question })));
  let done = 0;
  const step = () => options.onStep?.("Reading the book", done++, asked.length + 1);
  step();

  const story = await readStory(book, materials, options, check, signal);
  step();
  if (story.kind === "unanswered") {
    requireReadable(story, model.id);
    unanswered.push({ question: "close-story", reason: story.reason });
  }
  onTrial();

  const made = await Promise.all(
    asked.map(async ({ text, question }) => {
      const answer = await askAbout(book, text, options, question, claimsReplySchema(question), CLAIMS_TOKENS, signal);
      step();
      check.note(answer.attempts);
      if (answer.kind === "answered") {
        const { claims } = answer.value;
        options.onFound?.(
          claims
            .filter((claim) => !isStrength(claim))
            .map(({ title, passages }) => ({ title, chapters: [...new Set(passages.map(({ chapter }) => chapter))] })),
        );
        return claims;
      }
      unanswered.push({ question, reason: answer.reason });
      return [];
    }),
  );
  const supported = check.isPlan
    ? expectedClaims(book, materials.filter(({ text }) => "notes" in text).length)
    : made.flat().flatMap(({ passages, ...rest }): Claim[] => {
        const located = check.locateAll(passages);
        return located.length === 0 ? [] : [{ ...rest, passages: located }];
      });
  onTrial();
  const slips = notes?.chapters.flatMap((chapter) => chapter.slips) ?? [];
  const all = mergeClaims([...supported, ...slips]);
  const distinct = all.filter((claim) => !isIntended(claim, book));
  const known = distinct.map((claim) => options.known?.(claim) ?? null);
  const open = distinct.filter((_, at) => known[at] === null);
  const refuted = [
    ...known.filter((claim) => claim !== null),
    ...(await refuteClaims(book, open, { ...options, check }, signal)),
  ];
  const count = (verdict: RefutedClaim["verdict"]) => refuted.filter((claim) => claim.verdict === verdict).length;
  return {
    shown: shownOf(fits, notes),
    story: wholeStory(story, notes, check),
    tried: refuted,
    claims: refuted.filter(({ verdict }) => verdict === "holds" || verdict === "weak" || verdict === "unchecked"),
    counts: {
      made: made.flat().length + slips.length,
      unsupported: made.flat().length - supported.length,
      merged: supported.length + slips.length - all.length + count("merged"),
      intended: all.length - distinct.length,
      explained: count("explained"),
      refuted: count("false"),
      unchecked: count("unchecked"),
      quotations: check.quotations,
      quotationsMissing: check.missing,
    },
    unanswered,
  };
}

/** What a reading of the story alone gave. */
export type StoryReading = Pick<CloseReading, "shown" | "story" | "unanswered"> & {
  readonly counts: Pick<CloseReading["counts"], "quotations" | "quotationsMissing">;
};

/** Only the story of a book, without looking for faults: the same requests, so what a close reading has asked is not paid again. */
export async function readStoryAlone(
  book: Book,
  options: CloseReadingOptions,
  signal: AbortSignal,
): Promise<StoryReading> {
  const check = new QuotationCheck(book);
  const onTrial = () => requireQuotations(check, options.model.id);
  const { materials, notes, fits, unanswered } = await readMaterials(book, { ...options, check, onTrial }, signal);
  const story = await readStory(book, materials, options, check, signal);
  options.onStep?.("Reading the book", 1, 1);
  if (story.kind === "unanswered") {
    requireReadable(story, options.model.id);
    unanswered.push({ question: "close-story", reason: story.reason });
  }
  onTrial();
  return {
    shown: shownOf(fits, notes),
    story: wholeStory(story, notes, check),
    counts: { quotations: check.quotations, quotationsMissing: check.missing },
    unanswered,
  };
}

/** What the questions are asked about: the whole text where it fits, and notes on every chapter where it does not or at depth `full`. */
async function readMaterials(
  book: Book,
  options: Parameters<typeof noteChapters>[1],
  signal: AbortSignal,
): Promise<{ materials: Material[]; notes: BookNotes | null; fits: boolean; unanswered: Unanswered[] }> {
  requireContext(options.model);
  const fits = fitsWhole(book, options.model, options.language);
  const notes = fits && options.depth !== "full" ? null : await noteChapters(book, options, signal);
  return {
    fits,
    notes,
    materials: [
      ...(fits ? [{ text: { book: bookText(book, options.language) }, questions: QUESTIONS, tellsStory: true }] : []),
      ...(notes ? partsOf(notes, book, options) : []).map((part) => notedMaterial(part, fits)),
    ],
    unanswered: (notes?.missing ?? []).map(({ chapter, reason }) => ({ question: `chapter ${chapter}`, reason })),
  };
}

function partsOf(notes: BookNotes, book: Book, { model, check }: Parameters<typeof noteChapters>[1]): LedgerPart[] {
  const mostTokens = roomFor(model);
  return check.isPlan ? expectedParts(book, mostTokens) : ledgerParts(notes, { mostTokens });
}

/** About the notes of a book that is also read whole, only what notes are good for is asked. */
function notedMaterial({ about, text }: LedgerPart, fits: boolean): Material {
  const isPlot = about === "chapters" && !fits;
  const questions: Readonly<Record<LedgerPart["about"], readonly ClaimQuestion[]>> = {
    chapters: isPlot ? ["close-continuity", "close-craft"] : ["close-continuity"],
    facts: ["close-continuity"],
    knowledge: ["close-continuity"],
    threads: ["close-threads"],
  };
  return { text: { notes: text }, questions: questions[about], tellsStory: isPlot };
}

function shownOf(fits: boolean, notes: BookNotes | null): CloseReading["shown"] {
  if (!fits) return "notes";
  return notes ? "both" : "book";
}

function wholeStory(story: Answer<Story>, notes: BookNotes | null, check: QuotationCheck): Story {
  const told = story.kind === "answered" ? story.value : EMPTY_STORY;
  // The placeholders of a plan's notes are as long as whole notes, not as what they say of the story.
  return notes && !check.isPlan ? { ...told, ...notedStory(notes, check) } : told;
}

/** The story document, from each text that tells a part of it; chapters and people it leaves out are asked for once more. */
async function readStory(
  book: Book,
  materials: readonly Material[],
  options: CloseReadingOptions,
  check: QuotationCheck,
  signal: AbortSignal,
): Promise<Answer<Story>> {
  const numbers = book.chapters.map(({ index }) => index);
  const telling = materials.filter(({ tellsStory }) => tellsStory);
  const ask = (prompt: string, values: Readonly<Record<string, string>> = {}) =>
    Promise.all(
      telling.map(({ text }) =>
        askAbout(book, text, options, prompt, storyReplySchema, storyTokens(book), signal, values),
      ),
    );
  const joined = (answers: readonly Answer<z.infer<typeof storyReplySchema>>[], story: Story | null) =>
    answers
      .flatMap((answer) => (answer.kind === "answered" ? [checkedStory(answer.value, check, numbers)] : []))
      .reduce<Story | null>((known, more) => (known ? joinStories(known, more) : more), story);
  const first = await ask("close-story");
  for (const { attempts } of first) check.note(attempts);
  const attempts = first.flatMap((answer) => answer.attempts);
  const story = joined(first, null);
  if (story === null) {
    const unanswered = first.find((answer) => answer.kind === "unanswered");
    return unanswered ?? { kind: "unanswered", reason: "no chapter could be read", refused: false, attempts };
  }
  // A plan's placeholder leaves out everything, where a reader usually leaves out nothing.
  const missing = check.isPlan ? [] : missingFrom(story, book, options.mainPeople());
  if (missing.length === 0) return { kind: "answered", value: story, attempts };
  const second = await ask("close-story-missing", { missing: missing.join("\n") });
  for (const answer of second) check.note(answer.attempts);
  return { kind: "answered", value: joined(second, story) ?? story, attempts };
}

/** What counting finds to be large and the story does not mention. */
function missingFrom(story: Story, { chapters }: Book, mainPeople: readonly string[]): string[] {
  const told = new Set(story.chapters.map(({ chapter }) => chapter));
  const names = story.people
    .flatMap(({ name, also }) => [name, ...also])
    .join(" ")
    .toLowerCase();
  return [
    ...chapters.filter(({ index }) => !told.has(index)).map(({ index }) => `Chapter ${index}`),
    ...mainPeople.filter((name) => !name.split(/\s+/).some((part) => names.includes(part.toLowerCase()))),
  ];
}

function askAbout<T>(
  book: Book,
  text: Material["text"],
  options: CloseReadingOptions,
  prompt: string,
  schema: z.ZodType<T>,
  maximumTokens: number,
  signal: AbortSignal,
  values: Readonly<Record<string, string>> = {},
): Promise<Answer<T>> {
  const { model, language, prompts, temperature, sample, replyLanguage } = options;
  return askPrompt(
    model,
    {
      prompt,
      language,
      prompts,
      values: { metadata: knownAbout(book, language), ...text, replyLanguage, ...values },
      purpose: "judge",
      ...asJson(prompt.replaceAll("-", "_"), schema),
      maximumTokens: roomForReply(model, maximumTokens),
      usualTokens: "book" in text ? Math.round(0.75 * maximumTokens) : USUAL_TOKENS_OF_PART,
      temperature,
      sample,
    },
    signal,
  );
}

/** A plan has no claims to refute: as many as recorded readers made of a book and of each part of its notes, spread over it. */
function expectedClaims({ chapters, words }: Book, parts: number): Claim[] {
  const count = Math.min(150, Math.round(30 + words / 80)) + 10 * parts;
  return Array.from({ length: count }, (_, at): Claim => {
    const { index, text } = chapters[Math.floor((at * chapters.length) / count)]!;
    const start = Math.floor(text.length * ((at * 0.37) % 0.8));
    const passage = {
      chapter: index,
      start,
      end: Math.min(text.length, start + 100),
      quote: text.slice(start, start + 100),
    };
    const words = "what stands where in the book and why a reader stops there ".repeat(4);
    return {
      kind: "attribute-conflict",
      title: `Place ${at}`,
      claim: words,
      severity: "should",
      certainty: 0.5,
      passages: [passage, passage, passage],
      advice: words.slice(0, 130),
    };
  });
}

/** Questions overlap: of two claims of one kind that rest on the same passages, the one with more of them is kept. */
function mergeClaims(claims: readonly Claim[]): Claim[] {
  const kept: Claim[] = [];
  for (const claim of [...claims].sort((left, right) => right.passages.length - left.passages.length)) {
    const isKnown = kept.some(
      (other) =>
        other.kind === claim.kind &&
        claim.passages.every((passage) => other.passages.some((shown) => overlaps(shown, passage))),
    );
    if (!isKnown) kept.push(claim);
  }
  return kept.sort(
    (left, right) =>
      left.passages[0]!.chapter - right.passages[0]!.chapter || left.passages[0]!.start - right.passages[0]!.start,
  );
}
