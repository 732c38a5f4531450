import { useCallback, useEffect, useRef, useState } from "react";
import type { ChapterHeat, ChapterText } from "../../../src/api/books.ts";
import { get } from "../../api/request.ts";

interface Asking {
  readonly pathOf: (chapter: number) => string;
  readonly asked: Set<number>;
  readonly abort: AbortController;
}

/** Answers about chapters that have come so far; those asked for are fetched once, a failure may be asked for again. */
function useFetched<Answer>(pathOf: (chapter: number) => string): {
  readonly known: ReadonlyMap<number, Answer>;
  readonly failed: ReadonlyMap<number, Error>;
  readonly ask: (chapters: readonly number[]) => void;
} {
  const [state, setState] = useState(() => nothing<Answer>(pathOf));
  const asking = useRef<Asking | null>(null);
  useEffect(() => () => asking.current?.abort.abort(), []);

  const ask = useCallback(
    (chapters: readonly number[]) => {
      // Reset here and not in an effect: callers may ask before the effects of this component have run.
      if (asking.current?.pathOf !== pathOf || asking.current.abort.signal.aborted) {
        asking.current?.abort.abort();
        asking.current = { pathOf, asked: new Set(), abort: new AbortController() };
      }
      const { asked, abort } = asking.current;
      const learn = (change: (fetched: Fetched<Answer>) => Fetched<Answer>) => {
        if (abort.signal.aborted) return;
        setState((fetched) => change(fetched.pathOf === pathOf ? fetched : nothing<Answer>(pathOf)));
      };
      for (const chapter of chapters.filter((candidate) => !asked.has(candidate))) {
        asked.add(chapter);
        get<Answer>(pathOf(chapter), abort.signal).then(
          (answer) => learn((fetched) => ({ ...fetched, known: new Map(fetched.known).set(chapter, answer) })),
          (error: unknown) => {
            asked.delete(chapter);
            const problem = error instanceof Error ? error : new Error(String(error));
            learn((fetched) => ({ ...fetched, failed: new Map(fetched.failed).set(chapter, problem) }));
          },
        );
      }
    },
    [pathOf],
  );
  const { known, failed } = state.pathOf === pathOf ? state : nothing<Answer>(pathOf);
  return { known, failed, ask };
}

interface Fetched<Answer> {
  readonly pathOf: (chapter: number) => string;
  readonly known: ReadonlyMap<number, Answer>;
  readonly failed: ReadonlyMap<number, Error>;
}

function nothing<Answer>(pathOf: (chapter: number) => string): Fetched<Answer> {
  return { pathOf, known: new Map(), failed: new Map() };
}

export function useChapterTexts(bookId: string) {
  return useFetched<ChapterText>(
    useCallback((chapter) => `/api/books/${encodeURIComponent(bookId)}/chapters/${chapter}`, [bookId]),
  );
}

/** Asks nothing while the layer is off. */
export function useChapterHeat(bookId: string, isOn: boolean) {
  const { known, ask } = useFetched<ChapterHeat>(
    useCallback((chapter) => `/api/books/${encodeURIComponent(bookId)}/chapters/${chapter}/heat`, [bookId]),
  );
  const askIfOn = useCallback(
    (chapters: readonly number[]) => {
      if (isOn) ask(chapters);
    },
    [ask, isOn],
  );
  return { known: isOn ? known : NONE, ask: askIfOn };
}

const NONE: ReadonlyMap<number, ChapterHeat> = new Map();
