import { sha256 } from "../../core/hash.ts";
import type { QaDocument, Question } from "../dataset/document.ts";
import { type DroppedQuestion, withoutChanges } from "../refinement/review.ts";

/** What refinement did to a sample: nothing, to the question alone, to answers alone, or to both (which drops it). */
export type Correction = "none" | "question" | "answers" | "both";

/** A question or one of its answers before refinement. */
export interface AuditedText {
  /** Says nothing of what the text is or what became of it. */
  readonly id: string;
  /** −1 for the question, the answer's position otherwise. */
  readonly answer: number;
  readonly original: string;
  readonly corrected: string | null;
}

export interface AuditedSample {
  readonly document: Pick<QaDocument, "document_id" | "title" | "summary">;
  /** The question before refinement. */
  readonly question: string;
  readonly correction: Correction;
  readonly texts: readonly AuditedText[];
  /** Names the sample's correction as a whole. */
  readonly id: string;
  /** As refinement left it. */
  readonly refined: Question;
}

/** Every sample that refinement looked at, kept or dropped, with what it was before. */
export function auditedSamples(documents: readonly QaDocument[], dropped: readonly DroppedQuestion[]): AuditedSample[] {
  return documents.flatMap((document) => {
    const own = dropped.filter(({ document_id }) => document_id === document.document_id);
    return [...document.qas, ...own].map((qa) => sampleOf(document, qa));
  });
}

function sampleOf(document: QaDocument, refined: Question): AuditedSample {
  const before = withoutChanges(refined, () => true);
  const changes = refined.changes ?? [];
  const inQuestion = changes.some(({ target }) => target === "question");
  const inAnswers = changes.some(({ target }) => target === "answer");
  const place = `${document.document_id}/${before.question}`;
  const text = (answer: number, original: string): AuditedText => {
    const change = changes.find((one) => (one.answer ?? -1) === answer);
    return { id: blindId(`${place}/${answer}`), answer, original, corrected: change?.correction ?? null };
  };
  return {
    document,
    question: before.question,
    correction: inQuestion && inAnswers ? "both" : inQuestion ? "question" : inAnswers ? "answers" : "none",
    texts: [text(-1, before.question), ...before.answers.map((answer, index) => text(index, answer))],
    id: blindId(`${place}/correction`),
    refined,
  };
}

const ID_LENGTH = 12;

function blindId(place: string): string {
  return sha256(place).slice(0, ID_LENGTH);
}
