import { z } from "zod";
import { groupBy } from "../core/group-by.ts";
import { type Random, shuffled } from "../core/random.ts";
import { collectNames, makeNameMap, type Replacement, replaceNames } from "../judge/anonymise.ts";
import { askPrompt } from "../judge/ask.ts";
import { asJson } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import { type PromptMessage, renderPrompt } from "../prompts/render-prompt.ts";
import type { PromptTemplate } from "../prompts/template.ts";
import { sum } from "../stats/distribution.ts";
import { countWords } from "../text/words.ts";
import { pairTexts, pastReviewText, storyText } from "./evaluation/describe-history.ts";
import { fromStars, type ScoreScale } from "./evaluation/score-scale.ts";
import { type Protocol, perseChoice, persePastChoice, persePastReview } from "./perse.ts";
import type { Story } from "./predictor/story.ts";
import type { PastComparison } from "./profile/past-comparison.ts";

/** The kinds of names that would give a book away. */
export const NAME_KINDS = ["title", "author", "character"] as const;
export type NameKind = (typeof NAME_KINDS)[number];
export type BookNames = Readonly<Record<NameKind, readonly string[]>>;

const STAND_INS: Readonly<Record<NameKind, string>> = {
  title: "this book",
  author: "the author",
  character: "a character",
};
const SHORTEST_NAME = 3;

/** Titles in the forms that readers use, the author's full and family name, and characters, also those in no name map. */
export function bookNames(
  story: Story & { readonly author?: string | undefined },
  names: readonly Replacement[],
): BookNames {
  const described = [story.premise, story.plot_summary, story.characters].filter((text) => text !== undefined);
  const found = collectNames(described.map((text) => ({ text }))).map(({ name }) => name);
  const title = titleForms(story.title ?? "");
  const author = authorForms(story.author ?? "");
  const taken = new Set([...title, ...author]);
  const character = [...names.map(({ from }) => from), ...found].filter(
    (name) => name.length >= SHORTEST_NAME && !taken.has(name),
  );
  return { title, author, character: [...new Set(character)] };
}

/** Words that occur in lower case so often that they are ordinary; they count as names only with a capital. */
export function ordinaryWords(texts: Iterable<string>, least = 3): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}’'-]*/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= least).map(([word]) => word));
}

/** The text with titles, authors and characters replaced by neutral words, longer names before their parts. */
export function maskBook(text: string, names: BookNames, ordinary: ReadonlySet<string>): string {
  const lower = text.toLowerCase().replaceAll("’", "'");
  let masked = text;
  for (const kind of NAME_KINDS) {
    // Most names are not in most texts: looking first is much cheaper than a pattern for each.
    const there = names[kind].filter((name) => lower.includes(wordsOf(name)[0]?.toLowerCase() ?? name));
    for (const name of there.sort((left, right) => right.length - left.length))
      masked = masked.replace(pattern(name, ordinary), STAND_INS[kind]);
  }
  return masked;
}

/** Which kinds of names a text still contains. It is compared word by word, so that punctuation and line ends hide nothing. */
export function namesLeft(text: string, names: BookNames, ordinary: ReadonlySet<string>): NameKind[] {
  const words = wordsOf(text);
  const lower = words.map((word) => word.toLowerCase());
  return NAME_KINDS.filter((kind) =>
    names[kind].some((name) => {
      const parts = wordsOf(name);
      const exact = parts.length === 1 && ordinary.has(parts[0]!.toLowerCase());
      return exact
        ? includesRun(words, parts)
        : includesRun(
            lower,
            parts.map((part) => part.toLowerCase()),
          );
    }),
  );
}

function titleForms(title: string): string[] {
  const whole = title.trim();
  const plain = whole.replace(/\s*\([^)]*\)\s*$/, "");
  const main = plain.split(/:\s/)[0]!;
  const bare = main.replace(/^(?:the|a|an)\s+/i, "");
  const forms = [whole, plain, main, ...(bare.includes(" ") ? [bare] : [])];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_NAME);
}

function authorForms(author: string): string[] {
  return author
    .split(/,|&|\band\b/)
    .map((name) => name.trim())
    .flatMap((name) => [name, name.split(/\s+/).at(-1)!])
    .filter((name) => name.length >= SHORTEST_NAME);
}

/** Whole words, any white space and apostrophe inside; in any case unless it is one ordinary word. */
function pattern(name: string, ordinary: ReadonlySet<string>): RegExp {
  const source = wordsOf(name)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/['’]/g, "['’]"))
    .join("[^\\p{L}\\p{N}]{1,3}");
  const exact = !/\s/.test(name) && ordinary.has(name.toLowerCase());
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, exact ? "gu" : "giu");
}

function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    word.replaceAll("’", "'").replace(/'s$/i, ""),
  );
}

function includesRun(words: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return false;
  return words.some((word, at) => word === run[0] && run.every((part, offset) => words[at + offset] === part));
}

/** A training conversation: a prompt as Fabula sends it, and an answer made from the reader's own review. */
export interface Conversation {
  readonly reviewer: string;
  readonly k: number;
  /** Ids of the stories in it; not written out, since an id can name a book. */
  readonly books: readonly string[];
  readonly messages: readonly (PromptMessage | { readonly role: "assistant"; readonly content: string })[];
}

const text = z.string().trim().min(1);
const assistant = z.object({ role: z.literal("assistant"), content: text });

/** The form that training programs read: at most one system message, then the user, then the assistant, none of them empty. */
export const conversationSchema = z.object({
  messages: z.union([
    z.tuple([
      z.object({ role: z.literal("system"), content: text }),
      z.object({ role: z.literal("user"), content: text }),
      assistant,
    ]),
    z.tuple([z.object({ role: z.literal("user"), content: text }), assistant]),
  ]),
});

/** A conversation as it is written to a file: checked, and without the ids of its stories. */
export function trainingRow({ books: _, ...row }: Conversation) {
  conversationSchema.parse(row);
  return row;
}

/** LLaMA-Factory's description of the files, so that they can be trained on as they are. */
export function datasetInfo(files: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      {
        file_name: file,
        formatting: "sharegpt",
        columns: { messages: "messages" },
        tags: {
          role_tag: "role",
          content_tag: "content",
          user_tag: "user",
          assistant_tag: "assistant",
          system_tag: "system",
        },
      },
    ]),
  );
}

/** A review that can be learnt from: it has words, stars and a story. */
export interface DatasetReview {
  readonly reviewer: string;
  readonly book: string;
  readonly story: Story;
  readonly rating: number;
  readonly review: string;
}

export interface DatasetOptions {
  readonly templates: { readonly review: PromptTemplate; readonly compare: PromptTemplate };
  /** The form of the reviews: ours in JSON, or PerSE's. */
  readonly protocol?: Protocol;
  readonly language: PromptLanguage;
  readonly scale: ScoreScale;
  /** Reviews per history. */
  readonly count: number;
  /** Histories drawn per reader. */
  readonly samples: number;
  /** Readers with fewer reviews are dropped. */
  readonly minimumReviews: number;
  /** Share of readers that go to validation; no reader is in both. */
  readonly validationShare: number;
  /** Longest prompt, in words: histories are shortened until they fit. Null keeps every history whole. */
  readonly maximumWords: number | null;
  readonly random: Random;
}

export interface DatasetExample extends Conversation {
  readonly score: number;
}

export interface DatasetSplit {
  readonly reviews: readonly DatasetExample[];
  /** Which of two stories the reader rated clearly higher. */
  readonly comparisons: readonly Conversation[];
}

export interface Dataset {
  readonly train: DatasetSplit;
  readonly validation: DatasetSplit;
  readonly readers: { readonly kept: number; readonly dropped: number };
  /** Conversations whose history had to be shortened, and those that did not fit even with a single review. */
  readonly shortened: number;
  readonly tooLong: number;
}

interface Drawn {
  readonly reviewer: string;
  readonly queries: readonly DatasetReview[];
  readonly history: readonly DatasetReview[];
}

/** Two ratings that differ by less say too little about which story was preferred. */
const CLEAR_DIFFERENCE = 1;

/** Groups by reader, drops those of too few reviews, splits by reader, and draws histories (PerSE, section 3). */
export function buildDataset(reviews: readonly DatasetReview[], options: DatasetOptions): Dataset {
  const byReader = groupBy(reviews, ({ reviewer }) => reviewer);
  const kept = [...byReader].filter(([, group]) => group.length >= Math.max(options.minimumReviews, options.count + 1));
  const order = shuffled(kept, options.random);
  const held = Math.round(order.length * options.validationShare);
  const counts: Counts = { shortened: 0, tooLong: 0 };
  const split = (readers: typeof order): DatasetSplit => ({
    reviews: readers.flatMap(([reviewer, group]) =>
      draws(reviewer, group, 1, options).flatMap((drawn) => reviewExample(drawn, options, counts) ?? []),
    ),
    comparisons: readers.flatMap(([reviewer, group]) =>
      draws(reviewer, group, 2, options).flatMap((drawn) => comparisonExample(drawn, options, counts) ?? []),
    ),
  });
  return {
    validation: split(order.slice(0, held)),
    train: split(order.slice(held)),
    readers: { kept: kept.length, dropped: byReader.size - kept.length },
    ...counts,
  };
}

/** Histories of a reader, each with the stories asked about. No draw comes twice, so a short history gives fewer. */
function draws(
  reviewer: string,
  group: readonly DatasetReview[],
  asked: 1 | 2,
  { samples, count, random }: DatasetOptions,
): Drawn[] {
  const seen = new Set<string>();
  const made: Drawn[] = [];
  for (let attempt = 0; attempt < samples * 3 && made.length < samples; attempt++) {
    const order = shuffled([...group.keys()], random);
    const [queries, history] = [order.slice(0, asked), order.slice(asked, asked + count)];
    if (history.length < count) break;
    const [first, second] = queries.map((at) => group[at]!.rating);
    if (second !== undefined && Math.abs(first! - second) < CLEAR_DIFFERENCE) continue;
    const key = `${[...queries].sort().join()}:${[...history].sort().join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    made.push({ reviewer, queries: queries.map((at) => group[at]!), history: history.map((at) => group[at]!) });
  }
  return made;
}

/** The reader's own review and score as the answer to the prompt of `fabula reader review`. */
function reviewExample(drawn: Drawn, options: DatasetOptions, counts: Counts): DatasetExample | null {
  const { language, scale, templates } = options;
  const [query] = drawn.queries;
  const { minimum, maximum } = scale;
  const story = storyText(query!.story, language);
  const perse = options.protocol === "perse";
  const fitted = fittingPrompt(
    drawn,
    options,
    counts,
    (history) => renderPrompt(templates.review, { history, story, minimum, maximum, ...(!perse && { language }) }),
    options.protocol,
  );
  const exact = fromStars(query!.rating, scale);
  const score = perse ? Math.round(exact) : exact;
  const answer = perse
    ? `[Review] ${query!.review}\n[Score] ${score}`
    : JSON.stringify({ review: query!.review, score });
  return fitted && { ...conversation(drawn, fitted, answer), score };
}

/**
 * The story that the reader gave more as the answer to the prompt of `fabula reader compare`, with what the reader wrote about
 * both as the reason. Ratings have no aspects, so the prompt asks for none: a model must not learn to leave them out.
 */
function comparisonExample(drawn: Drawn, options: DatasetOptions, counts: Counts): Conversation | null {
  const { language, scale, templates } = options;
  const [first, second] = drawn.queries;
  const fitted = fittingPrompt(drawn, options, counts, (history) =>
    renderPrompt(templates.compare, {
      history,
      first: storyText(first!.story, language),
      second: storyText(second!.story, language),
    }),
  );
  const said = ({ rating, review }: DatasetReview) =>
    `${fromStars(rating, scale)}/${scale.maximum}. ${beginning(review)}`;
  const [one, other] = language === "zh" ? ["第一个：", "第二个："] : ["The first: ", "The second: "];
  const answer = {
    reason: `${one}${said(first!)}\n${other}${said(second!)}`,
    overall: first!.rating > second!.rating ? "first" : "second",
  };
  return fitted && conversation(drawn, fitted, JSON.stringify(answer));
}

/** Two stories between which a reader chose aspect by aspect, with the reader's earlier choices. */
export interface LabelledPair extends PastComparison {
  readonly reader: string;
  readonly comparisons: readonly PastComparison[];
}

export interface AspectConversation extends Conversation {
  readonly aspect: string;
}

/**
 * One conversation for each aspect that a reader decided, in PerSE's form: the aspect in the question and the plot in the
 * answer. Ties teach no preference and are left out, as in the paper, and so are readers without an earlier choice on the aspect.
 */
export function aspectConversations(
  pairs: readonly LabelledPair[],
  options: {
    readonly template: PromptTemplate;
    readonly aspects: readonly { readonly id: string; readonly name: string; readonly definition: string }[];
    /** Earlier choices shown. */
    readonly count: number;
  },
): AspectConversation[] {
  return pairs.flatMap(({ reader, comparisons, left, right, preferred }) =>
    options.aspects.flatMap((aspect) => {
      const side = preferred[aspect.id];
      if (side === undefined || side === "tie") return [];
      const earlier = comparisons.flatMap((past) => persePastChoice(past, aspect) ?? []).slice(-options.count);
      if (earlier.length === 0) return [];
      const [premise, first, second] = pairTexts(left, right, "en");
      const { name, definition } = aspect;
      const history = earlier.join("\n\n");
      const prompt = renderPrompt(options.template, { history, premise, first, second, aspect: name, definition });
      const answer = { role: "assistant" as const, content: perseChoice(name, side) };
      return [{ reviewer: reader, k: earlier.length, books: [], aspect: aspect.id, messages: [...prompt, answer] }];
    }),
  );
}

/** How many characters of a review are shown as the reason for a choice. */
const REASON_CHARACTERS = 600;

/** The beginning of a review, up to the end of a sentence or at least of a word. */
function beginning(review: string): string {
  if (review.length <= REASON_CHARACTERS) return review;
  const head = review.slice(0, REASON_CHARACTERS);
  const sentence = head.search(/[.!?。！？][^.!?。！？]*$/);
  return sentence > 0 ? head.slice(0, sentence + 1) : `${head.replace(/\s+\S*$/, "")}…`;
}

interface Counts {
  shortened: number;
  tooLong: number;
}

interface Fitted {
  readonly prompt: readonly PromptMessage[];
  /** How many reviews of the history are in it. */
  readonly k: number;
}

/** The prompt with as much of the history as fits, at least one review where there are any. */
function fittingPrompt(
  { history }: Drawn,
  { maximumWords, scale, language }: DatasetOptions,
  counts: Counts,
  promptOf: (history: string) => PromptMessage[],
  protocol: Protocol = "fabula",
): Fitted | null {
  const texts = history.map(({ story, rating, review }, index) =>
    protocol === "perse"
      ? persePastReview({ ...story, rating, review }, index, { scale, withWords: true })
      : pastReviewText({ ...story, rating, review }, index + 1, { scale, language, withWords: true }),
  );
  for (let k = history.length; k >= Math.min(1, history.length); k--) {
    const prompt = promptOf(texts.slice(0, k).join("\n\n"));
    const words = maximumWords === null ? 0 : sum(prompt.map(({ content }) => countWords(content)));
    if (maximumWords !== null && words > maximumWords) continue;
    if (k < history.length) counts.shortened++;
    return { prompt, k };
  }
  counts.tooLong++;
  return null;
}

function conversation({ reviewer, queries, history }: Drawn, { prompt, k }: Fitted, answer: string): Conversation {
  return {
    reviewer,
    k,
    books: [...queries, ...history.slice(0, k)].map(({ book }) => book),
    messages: [...prompt, { role: "assistant" as const, content: answer }],
  };
}

export type PreparedStory =
  | { readonly kind: "prepared"; readonly story: Story; readonly names: readonly Replacement[] }
  | { readonly kind: "unprepared"; readonly reason: string };

/** What is changed in a published story: its names, its plot, or both. */
export const ANONYMISED = ["names", "summary", "both"] as const;
export type Anonymised = (typeof ANONYMISED)[number];

const SUMMARY_WORDS = 200;
const SUMMARY_TOKENS = 1200;

/**
 * A published story made hard to recognise (PerSE, section 3): a model makes a map of names, code replaces them, and a model
 * retells the plot; each can be done alone. A story whose names or plot could not be changed is left out with the reason, never
 * passed on unchanged.
 */
export async function prepareStory(
  model: ChatModel,
  story: Story,
  language: PromptLanguage,
  signal: AbortSignal,
  how: Anonymised = "both",
): Promise<PreparedStory> {
  const plot = story.plot_summary ?? story.premise;
  if (plot === undefined) return { kind: "unprepared", reason: "the story has no plot to retell" };
  const text = [plot, story.characters].filter(Boolean).join("\n\n");
  const chapter = { index: 1, title: null, text, words: countWords(text) };
  const names =
    how === "summary"
      ? { kind: "answered" as const, value: [] }
      : await makeNameMap(model, { chapters: [chapter] }, language, signal);
  if (names.kind === "unanswered") return { kind: "unprepared", reason: `no new names: ${names.reason}` };
  const { genres, average_rating, premise, characters } = story;
  const kept = { genres, ...(average_rating !== undefined && { average_rating }) };
  const renamed = (given: string | undefined) => given && replaceNames(given, names.value);
  if (how === "names") {
    const told = {
      premise: renamed(premise),
      plot_summary: renamed(story.plot_summary),
      characters: renamed(characters),
    };
    return { kind: "prepared", names: names.value, story: { ...kept, ...told } };
  }
  const summary = await askPrompt(
    model,
    {
      prompt: "personal-summary",
      language,
      values: { plot: replaceNames(plot, names.value), words: SUMMARY_WORDS },
      purpose: "summariser",
      ...asJson("summary", z.object({ summary: z.string().min(1) })),
      maximumTokens: SUMMARY_TOKENS,
      temperature: 0,
      sample: 0,
    },
    signal,
  );
  if (summary.kind === "unanswered") return { kind: "unprepared", reason: `no summary: ${summary.reason}` };
  return {
    kind: "prepared",
    names: names.value,
    story: { ...kept, plot_summary: replaceNames(summary.value.summary, names.value) },
  };
}
