import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { addComments, type Comment, firstFreeId } from "./comment-parts.ts";
import { type DocumentLetters, documentLetters } from "./document-letters.ts";
import { findSentences, type WantedSentence } from "./find-sentences.ts";
import { type CommentRange, placeComments } from "./place-comments.ts";

/** A note on a sentence of the manuscript. */
export interface SentenceNote {
  readonly wanted: WantedSentence;
  readonly paragraphs: readonly string[];
}

export interface AnnotatedDocx {
  readonly bytes: Uint8Array;
  /** How many notes stand at their sentences; the rest could not be found in the document. */
  readonly placed: number;
}

const DOCUMENT = "word/document.xml";

/**
 * A Word document with comments at the given sentences, which come in reading order, and one on its first words. Everything
 * else in the file stays byte for byte what it was.
 */
export function annotateDocx(
  file: Uint8Array,
  notes: readonly SentenceNote[],
  atTheTop: readonly string[] = [],
): AnnotatedDocx {
  const entries = unzipSync(file);
  const xml = strFromU8(entries[DOCUMENT]!);
  const letters = documentLetters(xml);
  const places = findSentences(
    letters.letters,
    notes.map(({ wanted }) => wanted),
  );
  let id = firstFreeId(entries);
  const ranges: CommentRange[] = [];
  const comments: Comment[] = [];
  if (atTheTop.length > 0 && letters.letters.length > 0) {
    ranges.push({ id, firstLetter: 0, lastLetter: endOfPiece(letters, 0) });
    comments.push({ id: id++, paragraphs: atTheTop });
  }
  for (const [at, place] of places.entries()) {
    if (place === null) continue;
    const { wanted, paragraphs } = notes[at]!;
    ranges.push({ id, firstLetter: place, lastLetter: place + wanted.sentence.length - 1 });
    comments.push({ id: id++, paragraphs });
  }
  if (comments.length === 0) return { bytes: file, placed: 0 };
  entries[DOCUMENT] = strToU8(placeComments(xml, letters, ranges));
  addComments(entries, comments);
  return { bytes: zipSync(entries), placed: places.filter((place) => place !== null).length };
}

/** The last letter of the paragraph that a letter stands in. */
function endOfPiece({ pieces, pieceOf }: DocumentLetters, letter: number): number {
  const { paragraph } = pieces[pieceOf[letter]!]!;
  let last = letter;
  while (last + 1 < pieceOf.length && pieces[pieceOf[last + 1]!]!.paragraph === paragraph) last++;
  return last;
}
