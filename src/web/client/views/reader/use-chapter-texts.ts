import { useCallback, useEffect, useRef, useState } from "react";
import type { ChapterHeat, ChapterText } from "../../../api.ts";
import { address, get } from "../../api/request.ts";

/** Answers about chapters that have come so far; those asked for are fetched once, a failure may be asked for again. */
function useFetched<Answer>(pathOf: (chapter: number) => string): {
  readonly known: ReadonlyMap<number, Answer>;
  readonly failed: ReadonlyMap<number, Error>;
  readonly ask: (chapters: readonly number[]) => void;
} {
  const [known, setKnown] = useState<ReadonlyMap<number, Answer>>(new Map());
  const [failed, setFailed] = useState<ReadonlyMap<number, Error>>(new Map());
  const asked = useRef(new Set<number>());
  const abort = useRef(new AbortController());

  useEffect(() => {
    void pathOf;
    const controller = new AbortController();
    abort.current = controller;
    asked.current = new Set();
    setKnown(new Map());
    setFailed(new Map());
    return () => controller.abort();
  }, [pathOf]);

  const ask = useCallback(
    (chapters: readonly number[]) => {
      const controller = abort.current;
      for (const chapter of chapters) {
        if (asked.current.has(chapter)) continue;
        asked.current.add(chapter);
        get<Answer>(pathOf(chapter), controller.signal).then(
          (answer) => {
            if (!controller.signal.aborted) setKnown((map) => new Map(map).set(chapter, answer));
          },
          (error: unknown) => {
            if (controller.signal.aborted) return;
            asked.current.delete(chapter);
            setFailed((map) => new Map(map).set(chapter, error instanceof Error ? error : new Error(String(error))));
          },
        );
      }
    },
    [pathOf],
  );
  return { known, failed, ask };
}

export function useChapterTexts(bookId: string) {
  return useFetched<ChapterText>(
    useCallback((chapter) => `/api/books/${encodeURIComponent(bookId)}/chapters/${chapter}`, [bookId]),
  );
}

/** Asks nothing while `aspect` is null. */
export function useChapterHeat(bookId: string, aspect: string | null) {
  const { known, ask } = useFetched<ChapterHeat>(
    useCallback(
      (chapter) => address(`/api/books/${encodeURIComponent(bookId)}/chapters/${chapter}/heat`, { aspect }),
      [bookId, aspect],
    ),
  );
  const askIfOn = useCallback(
    (chapters: readonly number[]) => {
      if (aspect !== null) ask(chapters);
    },
    [ask, aspect],
  );
  return { known, ask: askIfOn };
}
