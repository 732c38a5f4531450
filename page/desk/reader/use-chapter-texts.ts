import { useCallback, useEffect, useRef, useState } from "react";
import type { ChapterHeat, ChapterText } from "../../../src/api/books.ts";
import { api, askUntil } from "../../api/client.ts";

type FetchOne<Answer> = (chapter: number, signal: AbortSignal) => Promise<Answer>;

interface Asking<Answer> {
  readonly fetchOne: FetchOne<Answer>;
  readonly asked: Set<number>;
  readonly abort: AbortController;
}

/** Answers about chapters that have come so far; those asked for are fetched once, a failure may be asked for again. */
function useFetched<Answer>(fetchOne: FetchOne<Answer>): {
  readonly known: ReadonlyMap<number, Answer>;
  readonly failed: ReadonlyMap<number, Error>;
  readonly ask: (chapters: readonly number[]) => void;
} {
  const [state, setState] = useState(() => nothing<Answer>(fetchOne));
  const asking = useRef<Asking<Answer> | null>(null);
  useEffect(() => () => asking.current?.abort.abort(), []);

  const ask = useCallback(
    (chapters: readonly number[]) => {
      // Reset here and not in an effect: callers may ask before the effects of this component have run.
      if (asking.current?.fetchOne !== fetchOne || asking.current.abort.signal.aborted) {
        asking.current?.abort.abort();
        asking.current = { fetchOne, asked: new Set(), abort: new AbortController() };
      }
      const { asked, abort } = asking.current;
      const learn = (change: (fetched: Fetched<Answer>) => Fetched<Answer>) => {
        if (abort.signal.aborted) return;
        setState((fetched) => change(fetched.fetchOne === fetchOne ? fetched : nothing<Answer>(fetchOne)));
      };
      for (const chapter of chapters.filter((candidate) => !asked.has(candidate))) {
        asked.add(chapter);
        fetchOne(chapter, abort.signal).then(
          (answer) => learn((fetched) => ({ ...fetched, known: new Map(fetched.known).set(chapter, answer) })),
          (error: unknown) => {
            asked.delete(chapter);
            const problem = error instanceof Error ? error : new Error(String(error));
            learn((fetched) => ({ ...fetched, failed: new Map(fetched.failed).set(chapter, problem) }));
          },
        );
      }
    },
    [fetchOne],
  );
  const { known, failed } = state.fetchOne === fetchOne ? state : nothing<Answer>(fetchOne);
  return { known, failed, ask };
}

interface Fetched<Answer> {
  readonly fetchOne: FetchOne<Answer>;
  readonly known: ReadonlyMap<number, Answer>;
  readonly failed: ReadonlyMap<number, Error>;
}

function nothing<Answer>(fetchOne: FetchOne<Answer>): Fetched<Answer> {
  return { fetchOne, known: new Map(), failed: new Map() };
}

export function useChapterTexts(bookId: string) {
  return useFetched<ChapterText>(
    useCallback(
      (chapter, signal) => askUntil(signal, api.books[":id"].chapters[":index"].$get, at(bookId, chapter)),
      [bookId],
    ),
  );
}

/** Asks nothing while the layer is off. */
export function useChapterHeat(bookId: string, isOn: boolean) {
  const { known, ask } = useFetched<ChapterHeat>(
    useCallback(
      (chapter, signal) => askUntil(signal, api.books[":id"].chapters[":index"].heat.$get, at(bookId, chapter)),
      [bookId],
    ),
  );
  const askIfOn = useCallback(
    (chapters: readonly number[]) => {
      if (isOn) ask(chapters);
    },
    [ask, isOn],
  );
  return { known: isOn ? known : NONE, ask: askIfOn };
}

function at(id: string, chapter: number) {
  return { param: { id, index: String(chapter) } };
}

const NONE: ReadonlyMap<number, ChapterHeat> = new Map();
