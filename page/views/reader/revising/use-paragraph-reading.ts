import { useEffect, useState } from "react";
import type { ParagraphReading, Revision } from "../../../../src/api/drafts.ts";
import { send } from "../../../api/request.ts";

const PAUSE_MILLISECONDS = 60;

/** What the server reads in a paragraph: the answer to the last text that has one, while the next is on its way. */
export function useParagraphReading(
  bookId: string,
  { chapter, start, end }: Pick<Revision, "chapter" | "start" | "end">,
  text: string,
): ParagraphReading | null {
  const [reading, setReading] = useState<ParagraphReading | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const revision: Revision = { chapter, start, end, text };
    const timer = setTimeout(() => {
      send<ParagraphReading>("POST", `/api/books/${encodeURIComponent(bookId)}/paragraph`, revision, abort.signal).then(
        setReading,
        // The figures stay as they were; saving tells what is wrong.
        () => {},
      );
    }, PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [bookId, chapter, start, end, text]);
  return reading;
}
