import { countBy } from "../../core/group-by.ts";
import type { QaDocument } from "../dataset/document.ts";
import { DIFFICULTIES, QUESTION_KINDS, SCOPES } from "./ask-for-questions.ts";

export interface CardFacts {
  readonly document: QaDocument;
  readonly judge: string;
  readonly version: string;
  readonly asked: number;
  readonly dropped: readonly { readonly reason: string }[];
  readonly unanswered: readonly { readonly part: string; readonly reason: string }[];
}

/** What somebody who is given the questions has to know before using them. */
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
      "What this does not show: the writer, the readers and the grader are one model, so all of them may share a mistake. No person has looked at the questions: `fabula qa review` and `fabula qa audit` are for that.",
    ].join("\n\n"),
    ...(reasons.length > 0
      ? [["Left out:", "", ...reasons.map(([reason, times]) => `- ${times} × ${reason}`)].join("\n")]
      : []),
    ...(unanswered.length > 0
      ? [["Not covered:", "", ...unanswered.map(({ part, reason }) => `- ${part}: ${reason}`)].join("\n")]
      : []),
  ].join("\n\n")}\n`;
}
