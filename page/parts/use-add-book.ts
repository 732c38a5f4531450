import { useCallback } from "react";
import type { BookDetails, PastedBook } from "../../src/api/books.ts";
import { api, ask } from "../api/client.ts";
import { goTo, to } from "../routing.ts";
import { useTexts } from "../texts/preferences.tsx";
import { dismissUploads, upload, uploadFile } from "../uploads.ts";
import { useAnnouncer } from "./announcer.tsx";

/** Begins the reading before the letter opens. If it cannot begin, the letter says why. */
async function beginReading({ id, latest }: BookDetails): Promise<void> {
  if (latest === null) await ask(api.books[":id"].readings.$post, { param: { id } }).catch(() => {});
}

/** Adds books. Of one file the letter opens; of several the list stays. Whoever has gone elsewhere meanwhile is left there. */
export function useAddBook() {
  const texts = useTexts();
  const announce = useAnnouncer();
  const follow = useCallback(
    async (coming: readonly Promise<BookDetails | null>[]) => {
      const here = window.location.hash;
      const isStillHere = () => window.location.hash === here;
      const books = (await Promise.all(coming)).filter((book) => book !== null);
      for (const book of books) announce(texts.added(book.title));
      const [only] = books;
      if (coming.length === 1 && only && isStillHere()) {
        await beginReading(only);
        if (!isStillHere()) return;
        dismissUploads();
        goTo(to(["books", only.id, "letter"]));
      }
    },
    [announce, texts],
  );
  const addFiles = useCallback(
    (files: readonly File[]) => {
      dismissUploads();
      for (const file of files) announce(texts.readingFile(file.name));
      void follow(files.map(uploadFile));
    },
    [announce, texts, follow],
  );
  const addText = useCallback((book: PastedBook) => void follow([upload(book.title, { json: book })]), [follow]);
  return { addFiles, addText };
}
