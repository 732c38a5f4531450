import type { DraftRecord } from "../../../judge/drafts/draft-record.ts";
import type { Book } from "../../../text/book.ts";
import { readBook } from "../../../text/read-book.ts";

/**
 * The draft that an earlier run judged, read again from where it lay. A run keeps hashes of its text and not the text; null when
 * the file is gone or was written over, as it is when both drafts have one name.
 */
export async function earlierText({ file, sha256 }: Pick<DraftRecord, "file" | "sha256">): Promise<Book | null> {
  if (sha256 === undefined) return null;
  const book = await readBook(file).catch(() => null);
  return book?.source.sha256 === sha256 ? book : null;
}

/** Why passages and notes are not compared, for whom that concerns. */
export function textNote({ file }: Pick<DraftRecord, "file">, earlier: Book | null): string[] {
  if (earlier) return [];
  return [
    `Passages and line notes are not compared: the earlier draft is no longer at ${file}. Keep each draft under its own name.`,
  ];
}
