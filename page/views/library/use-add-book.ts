import { useCallback, useEffect, useRef } from "react";
import type { BookDetails, PastedBook } from "../../../src/api/books.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { goTo, to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { dismissUploads, upload, uploadFile } from "../../uploads.ts";

/**
 * Adds books. One file opens when it is there, so that chapters and cleaning are looked at before anything is judged; of
 * several the list stays. Whoever has gone elsewhere meanwhile is left there.
 */
export function useAddBook() {
  const texts = useTexts();
  const announce = useAnnouncer();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const follow = useCallback(
    async (coming: readonly Promise<BookDetails | null>[]) => {
      const books = (await Promise.all(coming)).filter((book) => book !== null);
      for (const book of books) announce(texts.added(book.title));
      const [only] = books;
      if (coming.length === 1 && only && isHere.current) {
        dismissUploads();
        goTo(to(["books", only.id]));
      }
    },
    [announce, texts],
  );
  const addFiles = useCallback(
    (files: readonly File[]) => {
      dismissUploads();
      for (const file of files) announce(texts.reading(file.name));
      void follow(files.map(uploadFile));
    },
    [announce, texts, follow],
  );
  const addText = useCallback((book: PastedBook) => void follow([upload(book.title, book)]), [follow]);
  return { addFiles, addText };
}
