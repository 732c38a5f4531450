import { strFromU8, unzipSync } from "fflate";
import { FabulaError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { Book } from "../../text/book.ts";
import { letterView } from "../letter/letter-view.ts";
import { type AnnotatedDocx, annotateDocx, type SentenceNote, wantedSentence } from "./annotate-docx.ts";
import { letterParagraphs, manuscriptDocx, withLetterPages } from "./notes-docx.ts";

/**
 * The manuscript with the findings of its letter as Word comments at their passages. A writer's own Word file keeps everything
 * else as it is, and the letter is the first comment. Each finding is named in its comment, so that it is known again when the file comes back.
 */
export function findingsDocx(
  evaluation: BookEvaluation,
  book: Book,
  own: Uint8Array | null,
  findings: readonly Finding[],
): AnnotatedDocx {
  const letter = letterView(evaluation);
  const notes = findingNotes(findings, book);
  if (own) return annotateDocx(own, notes, letter ? letterParagraphs(letter) : []);
  const annotated = annotateDocx(manuscriptDocx(book), notes);
  return { ...annotated, bytes: letter ? withLetterPages(annotated.bytes, letter) : annotated.bytes };
}

/** In reading order, as `annotateDocx` wants them. The first passage of a finding says everything, the others refer to it. */
function findingNotes(findings: readonly Finding[], book: Book): SentenceNote[] {
  const order = new Map(book.chapters.map(({ index, text }, at) => [index, { at, text }]));
  return findings
    .flatMap(({ id, title, claim, advice, passages }) =>
      passages
        .filter(({ chapter }) => order.has(chapter))
        .map(({ chapter, start, end }, at) => ({
          place: { ...order.get(chapter)!, start, end },
          paragraphs:
            at === 0
              ? [/[.!?…]$/u.test(title) ? title : `${title}.`, claim, advice, `${NAMED}${id}`].filter(
                  (line) => line !== "",
                )
              : [`${title}: ${at + 1} / ${passages.length}`],
        })),
    )
    .sort((left, right) => left.place.at - right.place.at || left.place.start - right.place.start)
    .map(({ place: { text, start, end }, paragraphs }) => ({ wanted: wantedSentence(text, start, end), paragraphs }));
}

/** What stands before the id of a finding in its comment. */
const NAMED = "Fabula · ";
const NAME = /Fabula\s*·\s*([0-9a-f]{12})/u;

export interface FindingComment {
  /** The finding's id. */
  readonly id: string;
  /** Whether it was resolved in Word or LibreOffice. */
  readonly isResolved: boolean;
}

/**
 * What became of our comments in a Word file that was edited. Both Word and LibreOffice say in `commentsExtended.xml` which are
 * resolved, by the id of a comment's last paragraph; ids of comments are given again whenever the file is saved.
 */
export function readFindingComments(file: Uint8Array): FindingComment[] {
  const entries = openZip(file);
  const part = (name: string) => {
    const bytes = entries[name];
    return bytes ? strFromU8(bytes) : "";
  };
  const resolved = new Set(
    [...part("word/commentsExtended.xml").matchAll(/<w15:commentEx\b[^>]*>/g)].flatMap(([element]) => {
      const isDone = /w15:done="(?:1|true)"/.test(element);
      const paragraph = /w15:paraId="([^"]+)"/.exec(element)?.[1];
      return isDone && paragraph !== undefined ? [paragraph.toUpperCase()] : [];
    }),
  );
  return [...part("word/comments.xml").matchAll(/<w:comment\b[^>]*>([\s\S]*?)<\/w:comment>/g)].flatMap(
    ([, inside = ""]) => {
      const text = [...inside.matchAll(/<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>/g)].map(([, piece]) => piece).join("");
      const id = NAME.exec(text)?.[1];
      const paragraphs = [...inside.matchAll(/w14:paraId="([^"]+)"/g)].map(([, paragraph]) => paragraph!.toUpperCase());
      return id === undefined ? [] : [{ id, isResolved: paragraphs.some((paragraph) => resolved.has(paragraph)) }];
    },
  );
}

function openZip(file: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(file, { filter: ({ name }) => name.startsWith("word/comments") });
  } catch (cause) {
    throw new FabulaError("E_REQUEST", "This is not a Word file: save the manuscript as .docx and bring it back.", {
      cause,
    });
  }
}
