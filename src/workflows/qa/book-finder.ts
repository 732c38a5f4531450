import { documentFinder } from "../../qa/dataset/find-document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import type { BookFinder } from "../../qa/scoring/answer-sheet.ts";

/** Which book an answer is about: as the answer itself says, or as the file of books with their questions does. */
export async function bookFinder(data: string | undefined): Promise<BookFinder> {
  if (data === undefined) return ({ title, document_id }) => title ?? document_id ?? null;
  const documentOf = documentFinder(await readQaDocuments(data));
  return (prediction) => {
    const { title, document_id } = documentOf(prediction) ?? prediction;
    return (title?.trim() || document_id) ?? null;
  };
}
