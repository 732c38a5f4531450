import { useCallback, useEffect, useMemo, useState } from "react";
import type { BookDetails, SearchHit } from "../../../src/api/books.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { chapterInWords } from "../../parts/formats.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { goTo, type Route, replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import { BookScroller, type Target, type VisibleRange } from "./book-scroller.tsx";
import { HeatLegend, ReaderToolbar } from "./reader-toolbar.tsx";
import { SearchHits, useBookSearch } from "./search-panel.tsx";
import type { Mark } from "./text-runs.ts";
import { useChapterHeat } from "./use-chapter-texts.ts";
import "./reader.css";

export default function ReaderView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const asked = useAnswer<BookDetails>(`/api/books/${encodeURIComponent(id)}`);
  const from = route.query.get("from");
  return (
    <View
      title={asked.answer?.title ?? texts.book}
      className="reader"
      kicker={
        from ? (
          <a href={to(["evaluations", from])}>{texts.backToReport}</a>
        ) : (
          <a href={to(["books", id])}>{texts.book}</a>
        )
      }
    >
      <Waiting asked={asked}>{(book) => <Reader book={book} route={route} />}</Waiting>
    </View>
  );
}

function Reader({ book, route }: { readonly book: BookDetails; readonly route: Route }) {
  const texts = useTexts();
  const inWords = useReason();
  const passage = usePassage(route);
  const heat = route.query.get("heat");
  const fetchedHeat = useChapterHeat(book.id, heat !== null);
  const search = useBookSearch(book.id);
  const [sight, setSight] = useState({ current: passage?.chapter ?? 1, share: 0 });
  const marks = useMarks(passage, search.hits);
  useAnnouncedPassage(book, passage);

  const { ask } = fetchedHeat;
  const onVisibleChange = useCallback(
    ({ chapters, current, share }: VisibleRange) => {
      setSight({ current, share });
      ask(chapters);
    },
    [ask],
  );
  const open = (query: Readonly<Record<string, string | number | null>>) =>
    to(["books", book.id, "read"], { heat, from: route.query.get("from"), ...query });
  const cold = fetchedHeat.known.get(sight.current)?.unscored ?? null;
  return (
    <>
      <ReaderToolbar
        book={book}
        current={sight.current}
        share={sight.share}
        heat={heat}
        onChapter={(chapter) => goTo(open({ chapter }))}
        onHeat={(layer) =>
          replaceRoute(open({ ...Object.fromEntries(route.query), chapter: passage?.chapter ?? null, heat: layer }))
        }
        search={search}
      />
      {heat ? <HeatLegend problem={cold === null ? null : inWords(cold)} /> : null}
      <div className="reader-body">
        <SearchHits
          search={search}
          book={book}
          onOpen={(hit) => goTo(open({ chapter: hit.chapter, start: hit.start, end: hit.end }))}
        />
        <BookScroller
          book={book}
          target={passage}
          marks={marks}
          heat={fetchedHeat.known}
          onVisibleChange={onVisibleChange}
        />
      </div>
      <p className="visually-hidden">{texts.words(book.words)}</p>
    </>
  );
}

type Passage = Target & { readonly end: number | null };

/** Where the address points: a chapter, perhaps a passage in it. Each address is one wish to go there. */
function usePassage({ query }: Route): Passage | null {
  const chapter = number(query.get("chapter"));
  const [start, end] = [number(query.get("start")), number(query.get("end"))];
  return useMemo(
    () => (chapter === null ? null : { chapter, start, end, request: `${chapter}:${start}:${end}` }),
    [chapter, start, end],
  );
}

function number(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function useMarks(passage: Passage | null, hits: readonly SearchHit[]): ReadonlyMap<number, readonly Mark[]> {
  return useMemo(() => {
    const marks = new Map<number, Mark[]>();
    const add = (chapter: number, mark: Mark) => marks.set(chapter, [...(marks.get(chapter) ?? []), mark]);
    if (passage && passage.start !== null && passage.end !== null)
      add(passage.chapter, { start: passage.start, end: passage.end, kind: "passage" });
    for (const hit of hits) add(hit.chapter, { start: hit.start, end: hit.end, kind: "hit" });
    return marks;
  }, [passage, hits]);
}

function useAnnouncedPassage(book: BookDetails, passage: Passage | null): void {
  const texts = useTexts();
  const announce = useAnnouncer();
  useEffect(() => {
    if (!passage || passage.start === null) return;
    const title = book.contents.find((chapter) => chapter.index === passage.chapter)?.title;
    announce(texts.passageShown(chapterInWords(passage.chapter, title, texts.chapterNumber)));
  }, [passage, book, announce, texts]);
}
