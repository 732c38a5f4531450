import { useCallback, useState } from "react";
import type { BookDetails, PastedBook } from "../../../src/api/books.ts";
import { send } from "../../api/request.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { useAction } from "../../parts/use-action.ts";
import { goTo, to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** Adds a book and opens it: chapters and cleaning are looked at before anything is judged. */
export function useAddBook() {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [name, setName] = useState("");
  const add = useCallback(
    async (nameOfBook: string, body: FormData | PastedBook) => {
      setName(nameOfBook);
      announce(texts.reading(nameOfBook));
      const book = await send<BookDetails>("POST", "/api/books", body);
      announce(texts.added(book.title));
      goTo(to(["books", book.id]));
    },
    [announce, texts],
  );
  const { run, isBusy, problem } = useAction(add);
  const addFile = useCallback(
    (file: File) => {
      const form = new FormData();
      form.append("file", file, file.name);
      void run(file.name, form);
    },
    [run],
  );
  const addText = useCallback((book: PastedBook) => void run(book.title, book), [run]);
  return { busyWith: isBusy ? name : null, problem, addFile, addText };
}
