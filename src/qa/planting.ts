import type { Passage } from "../core/finding.ts";
import type { Book } from "../text/book.ts";
import type { Question } from "./dataset/document.ts";
import { paragraphsOf } from "./writing.ts";

/** A question whose evidence was changed, so that the book now contradicts its answers. */
interface PlantedFault {
  readonly question: Question;
  /** The paragraphs of its evidence before and after the change. */
  readonly from: string;
  readonly to: string;
  /** The answers that are right according to the changed text. */
  readonly answers: readonly string[];
}

export interface PlantedBook {
  readonly book: Book;
  readonly faults: readonly PlantedFault[];
}

/** A word counts as a name if it appears capitalised this often in the middle of a sentence. */
const FEWEST_TIMES = 3;
const NUMBERS =
  "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty hundred".split(
    " ",
  );

interface Edit {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Plants a contradiction in the evidence of every question that allows it: a name or a number that an answer shares
 * with its evidence, and that the question does not give away, becomes another one there. The rest of the book stays as
 * it was. A paragraph is changed for one question only, so that each fault is about its own question. Nothing is
 * random: the same book gets the same faults.
 */
export function plantContradictions(
  book: Book,
  asked: readonly { readonly question: Question; readonly evidence: readonly Passage[] }[],
): PlantedBook {
  const names = namesIn(book);
  const taken = new Set<string>();
  const edits: Edit[] = [];
  const faults: PlantedFault[] = [];
  for (const { question, evidence } of asked) {
    const paragraphs = paragraphsOf(evidence, book);
    if (paragraphs.some(({ chapter, start }) => taken.has(`${chapter}:${start}`))) continue;
    const text = paragraphs.map((paragraph) => paragraph.text).join("\n");
    const change = changeFor(question, text, names);
    if (change === null) continue;
    for (const { chapter, start, end, text: before } of paragraphs) {
      taken.add(`${chapter}:${start}`);
      edits.push({ chapter, start, end, text: change.apply(before) });
    }
    const { from, to } = change;
    const answers = question.answers.map(change.apply).filter((answer, at) => answer !== question.answers[at]);
    faults.push({ question, from, to, answers });
  }
  return { book: withEdits(book, edits), faults };
}

interface TextChange {
  readonly from: string;
  readonly to: string;
  apply(text: string): string;
}

function changeFor({ question, answers }: Question, evidence: string, names: readonly string[]): TextChange | null {
  const whole = [question, ...answers, evidence].join("\n");
  // Only the first answer is used: the others often paraphrase it, and changing only them may contradict nothing.
  const answer = answers[0]!;
  for (const run of nameRuns(answer, names)) {
    const parts = run.split(" ");
    if (!hasWord(evidence, run) || parts.some((part) => hasWord(question, part))) continue;
    const to = names.find((name) => !hasWord(whole, name));
    if (to !== undefined) return changeOf(run, to, [run, ...parts]);
  }
  for (const word of answer.match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (!hasWord(evidence, word) || hasWord(question, word)) continue;
    const to = otherNumber(word);
    if (to !== null) return changeOf(word, to, [word]);
  }
  return null;
}

function changeOf(from: string, to: string, words: readonly string[]): TextChange {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(escaped).join("|")})(?![\\p{L}\\p{N}])`, "gu");
  return { from, to, apply: (text) => text.replace(pattern, to) };
}

/** Names in an answer, with multi-word names as one, longest first. */
function nameRuns(answer: string, names: readonly string[]): string[] {
  const known = new Set(names);
  const runs: string[][] = [[]];
  for (const word of answer.match(/[\p{L}’'-]+/gu) ?? []) {
    if (known.has(word)) runs.at(-1)!.push(word);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0).flatMap((run) => [...new Set([run.join(" "), ...run])]);
}

function otherNumber(word: string): string | null {
  if (/^\d{1,6}$/.test(word)) return String(Number(word) + (Number(word) < 20 ? 3 : 17));
  const at = NUMBERS.indexOf(word.toLowerCase());
  if (at < 0) return null;
  const other = NUMBERS[(at + 3) % NUMBERS.length]!;
  return /^\p{Lu}/u.test(word) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
}

/** Words that are capitalised within sentences and hardly ever in lower case, most frequent first. */
function namesIn({ chapters }: Book): string[] {
  const counts = new Map<string, number>();
  const small = new Set<string>();
  for (const { text } of chapters) {
    for (const [, word] of text.matchAll(/\p{Ll},? (\p{Lu}\p{Ll}{2,})/gu))
      counts.set(word!, (counts.get(word!) ?? 0) + 1);
    for (const [word] of text.matchAll(/(?<![\p{L}’'])\p{Ll}{3,}/gu)) small.add(word);
  }
  return [...counts]
    .filter(([word, count]) => count >= FEWEST_TIMES && !small.has(word.toLowerCase()))
    .sort(([left, one], [right, other]) => other - one || left.localeCompare(right))
    .map(([word]) => word);
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "u").test(text);
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function withEdits(book: Book, edits: readonly Edit[]): Book {
  return {
    ...book,
    chapters: book.chapters.map((chapter) => {
      const own = edits.filter((edit) => edit.chapter === chapter.index).sort((one, other) => other.start - one.start);
      const text = own.reduce(
        (before, { start, end, text: after }) => before.slice(0, start) + after + before.slice(end),
        chapter.text,
      );
      return own.length === 0 ? chapter : { ...chapter, text };
    }),
  };
}
