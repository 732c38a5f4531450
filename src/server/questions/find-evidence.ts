import type { QuestionEvidence } from "../../api/questions.ts";
import { passagesOf, searchPassages } from "../../qa/answering.ts";
import { QuotationCheck } from "../../story/locate.ts";
import { bookIn } from "../library/stored-books.ts";

export interface EvidenceInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly question: string;
  readonly answers: readonly string[];
  /** As the question's writer quoted it. */
  readonly given: readonly { readonly chapter: number; readonly quote: string }[];
}

export type FoundEvidence = Pick<QuestionEvidence, "origin" | "passages">;

const PASSAGES = 3;

/** Where in a book the answer to a question is: the passages that the question's writer quoted, or those whose words fit best. */
export async function findEvidence({ folder, question, answers, given }: EvidenceInput): Promise<FoundEvidence> {
  const book = await bookIn(folder);
  const quoted = given.length === 0 ? [] : new QuotationCheck(book).locateAll(given);
  if (quoted.length > 0) return { origin: "given", passages: quoted };
  const found = searchPassages(passagesOf(book))([question, ...answers].join(" "), PASSAGES);
  const passages = found.map(({ chapter, start, end, text }) => ({ chapter, start, end, quote: text }));
  return { origin: "searched", passages };
}
