import { z } from "zod";
import type { Passage } from "../core/finding.ts";
import { countBy } from "../core/group-by.ts";
import type { Rubric } from "../criteria/rubric.ts";
import { type Answer, asJson, ask } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { type PromptValues, renderPrompt } from "../prompts/render-prompt.ts";
import type { Book } from "../text/book.ts";
import { type AnswerMaterial, answerQuestion } from "./answering.ts";
import type { QaDocument, Question } from "./dataset/document.ts";
import { gradeAnswer } from "./grading.ts";
import { refineQuestion } from "./refinement.ts";

export const QUESTION_KINDS = ["who", "what", "when", "where", "why", "how"] as const;
export const DIFFICULTIES = ["easy", "medium", "hard"] as const;
/**
 * Where the evidence of a question is: in one chapter, in several, or in the beginning, the middle and the end of the
 * book.
 */
export const SCOPES = ["local", "chapters", "book"] as const;
export type Scope = (typeof SCOPES)[number];

const quotedSchema = z.object({ chapter: z.number(), quote: z.string() });
const writtenSchema = z.object({
  question: z.string(),
  answers: z.array(z.string()),
  kind: z.enum(QUESTION_KINDS),
  difficulty: z.enum(DIFFICULTIES),
  evidence: z.array(quotedSchema),
});
const replySchema = z.object({ summary: z.string(), questions: z.array(writtenSchema) });

/** An unknown kind or difficulty does not invalidate a question. */
const acceptedSchema = z.object({
  summary: z.string(),
  questions: z.array(
    writtenSchema.extend({
      answers: z.array(z.string()).catch([]),
      kind: z.enum(QUESTION_KINDS).catch("what"),
      difficulty: z.enum(DIFFICULTIES).catch("medium"),
      evidence: z.array(quotedSchema).catch([]),
    }),
  ),
});

/** A question as a model wrote it, whose evidence has not been checked. */
export type ProposedQuestion = z.infer<typeof acceptedSchema>["questions"][number];
export type Proposal = z.infer<typeof acceptedSchema>;

/** A question whose evidence was found in the book. */
export interface WrittenQuestion extends Omit<ProposedQuestion, "evidence"> {
  readonly scope: Scope;
  readonly evidence: readonly Passage[];
}

const SUMMARY_TOKENS = 1200;
const TOKENS_PER_QUESTION = 350;
const USUAL_SHARE = 0.7;

export function questionsAboutPart(
  model: ChatModel,
  values: { readonly title: string; readonly part: string; readonly count: number },
  signal: AbortSignal,
): Promise<Answer<Proposal>> {
  return propose(model, "qa-write-part", values, values.count, signal);
}

export function questionsAboutBook(
  model: ChatModel,
  values: {
    readonly title: string;
    readonly book?: string;
    readonly notes?: string;
    readonly across: number;
    readonly whole: number;
  },
  signal: AbortSignal,
): Promise<Answer<Proposal>> {
  return propose(model, "qa-write-book", values, values.across + values.whole, signal);
}

async function propose(
  model: ChatModel,
  prompt: string,
  values: PromptValues,
  count: number,
  signal: AbortSignal,
): Promise<Answer<Proposal>> {
  const maximumTokens = SUMMARY_TOKENS + TOKENS_PER_QUESTION * count;
  return ask(
    model,
    {
      purpose: "writer",
      messages: renderPrompt(await loadPrompt(prompt, "en"), values),
      temperature: 0,
      sample: 0,
      maximumTokens,
      usualTokens: Math.round(USUAL_SHARE * maximumTokens),
      ...asJson(prompt.replaceAll("-", "_"), replySchema, acceptedSchema),
    },
    signal,
  );
}

/**
 * Looks up the evidence of a proposed question, or says why it cannot be used. Its scope follows from where the
 * evidence is, whatever the model said.
 */
export function checkedProposal(
  { evidence, question, answers, ...about }: ProposedQuestion,
  locateAll: (quoted: ProposedQuestion["evidence"]) => readonly Passage[],
  chapters: readonly number[],
): WrittenQuestion | { readonly reason: string } {
  const given = [...new Set(answers.map((answer) => answer.trim()).filter((answer) => answer !== ""))];
  if (question.trim() === "" || given.length === 0) return { reason: "no question or no answer" };
  const passages = locateAll(evidence);
  if (passages.length === 0) return { reason: "none of its evidence is in the book" };
  return {
    ...about,
    question: question.trim(),
    answers: given,
    evidence: passages,
    scope: scopeOf(passages, chapters),
  };
}

function scopeOf(passages: readonly Passage[], chapters: readonly number[]): Scope {
  const places = [...new Set(passages.map(({ chapter }) => chapters.indexOf(chapter)))];
  if (places.length < 2) return "local";
  const third = (place: number) => Math.floor((3 * place) / chapters.length);
  return new Set(places.map(third)).size === 3 ? "book" : "chapters";
}

/** An answer with at least this grade on the rubric that ships counts as right. */
export const RIGHT = 4;

/** A test answer to a question and its grade; null if there is none, with the reason. */
export interface TriedAnswer {
  readonly answer: string | null;
  readonly grade: number | null;
  readonly reason: string;
}

/** The result of checking a written question. */
export type CheckedQuestion =
  | { readonly kind: "kept"; readonly question: Question }
  | { readonly kind: "dropped"; readonly written: string; readonly reason: string };

export interface CheckOptions {
  readonly book: Book;
  readonly title: string;
  readonly model: ChatModel;
  readonly rubric: Rubric;
  /** A plan counts every call, including those after a failed check. */
  readonly isPlan: boolean;
}

/**
 * Refines a question and its answers as LiteraryQA does, against the passages it was written from. Then two test
 * readers answer it: one who sees only the paragraphs of its evidence must get it right, and one who sees only the
 * title should not. A question that the second gets right is marked, because the model may know the book or guess.
 */
export async function checkWritten(
  written: WrittenQuestion,
  { book, title, model, rubric, isPlan }: CheckOptions,
  signal: AbortSignal,
): Promise<CheckedQuestion> {
  const dropped = (reason: string): CheckedQuestion => ({ kind: "dropped", written: written.question, reason });
  const passages = paragraphsOf(written.evidence, book);
  const shown = passages.map(({ text }) => text).join("\n\n");
  const { evidence, kind, difficulty, scope, question, answers } = written;
  const document: QaDocument = {
    document_id: "written",
    title,
    summary: shown,
    qas: [
      { question, answers: [...answers], is_question_modified: false, is_answer_modified: answers.map(() => false) },
    ],
  };
  const refinement = await refineQuestion(document, 0, model, signal);
  if (!isPlan && refinement.outcome === "dropped")
    return dropped("its question and its answers both needed corrections");
  const [unchecked] = refinement.unchecked;
  if (!isPlan && unchecked) return dropped(`it could not be checked: ${unchecked.reason}`);

  const refined = refinement.question;
  const tried = (material: AnswerMaterial) => tryAnswer(refined, material, { title, model, rubric }, signal);
  const fromEvidence = await tried({ setting: "retrieval", passages });
  if (!isPlan && fromEvidence.grade === null) return dropped(`it could not be checked: ${fromEvidence.reason}`);
  if (!isPlan && fromEvidence.grade! < RIGHT) return dropped("its evidence alone does not answer it");
  const closedBook = await tried({ setting: "closed" });
  return {
    kind: "kept",
    question: {
      ...refined,
      kind,
      scope,
      difficulty,
      evidence: evidence.map(({ chapter, start, end, quote }) => ({ chapter, start, end, quote })),
      from_evidence: fromEvidence,
      closed_book: closedBook,
      known: closedBook.grade === null ? null : closedBook.grade >= RIGHT,
    },
  };
}

/** Has one test reader answer a question from the given material, and grades the answer. */
export async function tryAnswer(
  { question, answers }: Pick<Question, "question" | "answers">,
  material: AnswerMaterial,
  { title, model, rubric }: Pick<CheckOptions, "title" | "model" | "rubric">,
  signal: AbortSignal,
): Promise<TriedAnswer> {
  const answer = await answerQuestion(model, { title, question, material }, signal);
  if (answer.kind === "unanswered") return { answer: null, grade: null, reason: answer.reason };
  const graded = { question, references: answers, answer: answer.prediction, summary: null };
  const { verdict, reason } = await gradeAnswer(model, rubric, graded, signal);
  return { answer: answer.prediction, grade: verdict.kind === "scored" ? verdict.score : null, reason };
}

/** The paragraphs that contain the evidence, each once, in the order of the book. */
export function paragraphsOf(evidence: readonly Passage[], { chapters }: Book) {
  const found = evidence.flatMap(({ chapter, start, end }) => {
    const text = chapters.find(({ index }) => index === chapter)?.text ?? "";
    const from = text.lastIndexOf("\n\n", start) + 2;
    const gap = text.indexOf("\n\n", end);
    const paragraph = { chapter, start: from === 1 ? 0 : from, end: gap < 0 ? text.length : gap };
    return [{ ...paragraph, text: text.slice(paragraph.start, paragraph.end) }];
  });
  return found.filter(
    (one, at) => found.findIndex((other) => other.chapter === one.chapter && other.start === one.start) === at,
  );
}

export interface CardFacts {
  readonly document: QaDocument;
  readonly judge: string;
  readonly version: string;
  readonly asked: number;
  readonly dropped: readonly { readonly reason: string }[];
  readonly unanswered: readonly { readonly part: string; readonly reason: string }[];
}

/** Included until people have reviewed the questions in the web app. */
export const NOBODY_LOOKED =
  "No person has reviewed the questions yet: in the web app, under Questions, each can be kept, changed or dropped.";

/** The card that tells users of the questions what they need to know. */
export function questionCard({ document, judge, version, asked, dropped, unanswered }: CardFacts): string {
  const { qas, title } = document;
  const count = (field: string, value: unknown) => qas.filter((qa) => qa[field] === value).length;
  const row = (field: string, values: readonly string[]) =>
    values.flatMap((value) => (count(field, value) > 0 ? [`${value} ${count(field, value)}`] : [])).join(", ");
  const reasons = Object.entries(countBy(dropped.map(({ reason }) => reason)));
  const unknown = count("known", null);
  return `${[
    `# Questions about ${title || "an untitled book"}`,
    `Written by ${judge} with Fabula ${version}. One line of JSON, in the shape of LiteraryQA, with fields of its own: \`kind\`, \`scope\`, \`difficulty\`, \`evidence\`, \`from_evidence\`, \`closed_book\`, \`known\`.`,
    [
      `- Questions: ${qas.length} of ${asked} that were asked for.`,
      `- Kinds: ${row("kind", QUESTION_KINDS)}.`,
      `- Where the evidence stands: ${row("scope", SCOPES)} (\`local\`: one chapter; \`chapters\`: several; \`book\`: beginning, middle and end).`,
      `- Difficulty, as the writer sees it: ${row("difficulty", DIFFICULTIES)}.`,
      `- Answered by the same model from the title alone (\`known\`): ${count("known", true)}${unknown > 0 ? `; not known for ${unknown}` : ""}.`,
    ].join("\n"),
    [
      "How they were made: the model read the book part by part and as a whole, and wrote questions with two answers and passages as evidence. Every passage was looked up and stands in the book at its `start` and `end` in the chapter's text. Near-duplicates were taken out, questions and answers were corrected against the paragraphs of their evidence, and questions in which both needed correction were left out, as in LiteraryQA. Then the model answered each question from those paragraphs alone, and was graded; what it did not get right was left out.",
      `What this does not show: the writer, the readers and the grader are one model, so all of them may share a mistake. ${NOBODY_LOOKED}`,
    ].join("\n\n"),
    ...(reasons.length > 0
      ? [["Left out:", "", ...reasons.map(([reason, times]) => `- ${times} × ${reason}`)].join("\n")]
      : []),
    ...(unanswered.length > 0
      ? [["Not covered:", "", ...unanswered.map(({ part, reason }) => `- ${part}: ${reason}`)].join("\n")]
      : []),
  ].join("\n\n")}\n`;
}
