import { useCallback, useState } from "react";
import type { ChapterText } from "../../../../src/api/books.ts";
import type { Revision, RevisionRequest } from "../../../../src/api/drafts.ts";
import { api, ask } from "../../../api/client.ts";
import { useAction } from "../../../parts/use-action.ts";
import { goTo, to } from "../../../routing.ts";
import type { Block } from "../book-layout.ts";

/** A paragraph as the writer has it now, beside what it was. */
export interface EditedParagraph extends Revision {
  readonly original: string;
}

export const paragraphKey = (chapter: number, { start }: Pick<Block, "start">): string => `${chapter}:${start}`;

/** Paragraphs that were rewritten and not yet saved as a draft. The browser keeps them until they are. */
export function useRevisions(bookId: string) {
  const storage = `fabula-revisions:${bookId}`;
  const [edited, setEdited] = useState<ReadonlyMap<string, EditedParagraph>>(() => read(storage));
  const [openKey, setOpenKey] = useState<string | null>(null);
  const change = useCallback(
    (next: (known: ReadonlyMap<string, EditedParagraph>) => ReadonlyMap<string, EditedParagraph>) =>
      setEdited((known) => {
        const changed = next(known);
        write(storage, changed);
        return changed;
      }),
    [storage],
  );
  const revise = useCallback(
    (chapter: Pick<ChapterText, "index" | "text">, block: Block, text: string) => {
      const key = paragraphKey(chapter.index, block);
      const original = chapter.text.slice(block.start, block.end);
      change((known) => {
        const others = new Map(known);
        if (text === original) others.delete(key);
        else others.set(key, { chapter: chapter.index, start: block.start, end: block.end, text, original });
        return others;
      });
    },
    [change],
  );
  const undo = useCallback(
    (key: string) => change((known) => new Map([...known].filter(([other]) => other !== key))),
    [change],
  );
  const discard = useCallback(() => {
    setOpenKey(null);
    change(() => new Map());
  }, [change]);
  const save = useAction(
    useCallback(async () => {
      const revisions = [...edited.values()].map(({ original: _, ...revision }) => revision);
      const request: RevisionRequest = { revisions };
      const draft = await ask(api.books[":id"].drafts.$post, { param: { id: bookId }, json: request });
      discard();
      goTo(to(["drafts"], { before: bookId, after: draft.id }));
    }, [bookId, edited, discard]),
  );
  return { edited, openKey, open: setOpenKey, revise, undo, discard, save };
}

export type Revisions = ReturnType<typeof useRevisions>;

function read(storage: string): ReadonlyMap<string, EditedParagraph> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storage) ?? "[]");
    return new Map(Array.isArray(kept) ? (kept as [string, EditedParagraph][]) : []);
  } catch {
    return new Map();
  }
}

function write(storage: string, edited: ReadonlyMap<string, EditedParagraph>): void {
  try {
    if (edited.size === 0) localStorage.removeItem(storage);
    else localStorage.setItem(storage, JSON.stringify([...edited]));
  } catch {
    // Without storage the revisions live as long as the window.
  }
}
