import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import type { BookDetails, ChapterHeat } from "../../../src/api/books.ts";
import { entryKey, recall, remember } from "../../history-memory.ts";
import { chapterInWords } from "../../parts/formats.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { BlockRow } from "./block-row.tsx";
import { type Block, BookLayout, blockAt, blocksOf, type Place, type Setting } from "./book-layout.ts";
import type { Mark } from "./text-runs.ts";
import { useChapterTexts } from "./use-chapter-texts.ts";

const widest = 680;
const margin = 40;

/** How many letters fit a line of the scroller, and how high a line is. A change of width lays the book out again. */
function useSetting(scroller: RefObject<HTMLElement | null>, language: string | null): Setting | null {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  const [setting, setSetting] = useState<Setting | null>(null);
  useLayoutEffect(() => {
    if (width === 0) return;
    // A Chinese, Japanese or Korean letter is as wide as it is high; a Latin one not half as wide.
    const letter = /^(zh|ja|ko)/.test(language ?? "") ? 18 : 8.1;
    const column = Math.min(widest, width - margin);
    setSetting({
      charactersPerLine: Math.max(8, Math.floor(column / letter)),
      lineHeight: 30.6,
      paragraphGap: 16,
      headingHeight: 150,
    });
  }, [width, language]);
  return setting;
}

const NAME = "reader";

/** Where the book was left in this step of the history, so that going back opens it there. */
function useAnchorMemory(): { readonly initial: Anchor | null; readonly keep: (anchor: Anchor) => void } {
  return useMemo(() => {
    const kept = recall(entryKey(), NAME);
    return {
      initial: isAnchor(kept) ? kept : null,
      keep: (anchor) => remember(entryKey(), NAME, anchor),
    };
  }, []);
}

function isAnchor(value: unknown): value is Anchor {
  const parts = ["chapter", "row", "beyond"] as const;
  return (
    typeof value === "object" &&
    value !== null &&
    parts.every((part) => Number.isFinite((value as Record<string, unknown>)[part]))
  );
}

/** A place to open the book at; `request` differs for every wish, so that the same place can be asked for again. */
export interface Target {
  readonly chapter: number;
  readonly start: number | null;
  readonly request: string;
}

export interface VisibleRange {
  /** Chapters in sight or nearly, by their number in the book. */
  readonly chapters: readonly number[];
  /** The chapter at the top of the window. */
  readonly current: number;
  /** How much of the book lies above. */
  readonly share: number;
}

interface Props {
  readonly book: BookDetails;
  readonly target: Target | null;
  readonly marks: ReadonlyMap<number, readonly Mark[]>;
  readonly heat: ReadonlyMap<number, ChapterHeat>;
  readonly onVisibleChange: (range: VisibleRange) => void;
  /** Draws a paragraph in another way than plainly; always as one element. */
  readonly drawRow?: ((row: RowToDraw) => ReactNode) | undefined;
}

export interface RowToDraw {
  readonly chapter: number;
  /** The chapter in words. */
  readonly name: string;
  /** The text of the chapter. */
  readonly text: string;
  readonly block: Block;
  readonly plain: ReactNode;
  /** To be called when the row has become higher or lower. */
  readonly redraw: () => void;
}

/** What is drawn beyond the edges of the window, so that a turn of the wheel never shows an empty page. */
const beyond = 900;

/** The whole book in one scroll, of which only what is in sight is drawn and fetched. */
export function BookScroller({ book, target, marks, heat, onVisibleChange, drawRow }: Props) {
  const texts = useTexts();
  const scroller = useRef<HTMLElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const setting = useSetting(scroller, book.language);
  const fetched = useChapterTexts(book.id);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const layout = useMemo(() => (setting ? new BookLayout(book.contents, setting) : null), [book.contents, setting]);
  const memory = useAnchorMemory();
  const anchor = useRef<Anchor>(memory.initial ?? { chapter: 0, row: 0, beyond: 0 });
  const isMovingUp = useRef(false);
  const lastTop = useRef(0);
  // Who comes back finds the place where the book was left, not the one the address names.
  const reached = useRef<string | null>(memory.initial ? (target?.request ?? null) : null);

  if (layout) {
    for (const [position, chapter] of book.contents.entries()) {
      const text = fetched.known.get(chapter.index)?.text;
      if (text !== undefined && layout.blocksOf(position) === null) layout.setBlocks(position, blocksOf(text));
    }
  }

  const element = scroller.current;
  const seen = element?.clientHeight ?? 0;
  const top = layout ? topOf(layout, anchor.current, seen) : 0;
  const places = layout ? placesAround(layout, top, seen, isMovingUp.current) : [];
  const first = places[0];

  // After every drawing: measure what was drawn, then put the anchor back where the reader was looking.
  useLayoutEffect(() => {
    const [holder, view] = [page.current, scroller.current];
    if (!layout || !holder || !view) return;
    let isChanged = false;
    for (const [position, child] of [...holder.children].entries()) {
      const place = places[position];
      if (place && layout.measure(place, child.getBoundingClientRect().height)) isChanged = true;
    }
    const wanted = topOf(layout, anchor.current, view.clientHeight);
    if (Math.abs(view.scrollTop - wanted) > 1) view.scrollTop = wanted;
    if (isChanged) redraw();
  });

  const look = useCallback(() => {
    const view = scroller.current;
    if (!layout || !view) return;
    isMovingUp.current = view.scrollTop < lastTop.current;
    lastTop.current = view.scrollTop;
    anchor.current = anchorAt(layout, view.scrollTop, view.clientHeight);
    memory.keep(anchor.current);
    redraw();
  }, [layout, memory]);

  const inSight = [...new Set(places.map((place) => book.contents[place.chapter]!.index))].join(",");
  const share = layout && layout.height > 0 ? top / layout.height : 0;
  const current = layout && book.contents.length > 0 ? book.contents[layout.at(top + seen / 3).chapter]!.index : 1;
  const { ask } = fetched;
  useEffect(() => {
    if (inSight === "") return;
    const chapters = inSight.split(",").map(Number);
    onVisibleChange({ chapters, current, share });
    // A pull of the scroll bar passes hundreds of chapters; only where it rests is read.
    const timer = setTimeout(() => ask(chapters), 40);
    return () => clearTimeout(timer);
  }, [inSight, current, share, ask, onVisibleChange]);

  useGoingTo(target, { book, layout, anchor, reached, scroller, page, fetched, redraw, seen });

  return (
    <section
      className="book-scroller"
      ref={scroller}
      aria-label={texts.bookText}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
      tabIndex={0}
      onScroll={look}
      onKeyDown={turnPage}
    >
      <div className="whole-book" style={{ height: layout?.height ?? 0 }} lang={book.language ?? undefined}>
        <div
          className="book-page"
          ref={page}
          style={{ transform: `translateY(${layout && first ? layout.top(first) : 0}px)` }}
        >
          {places.map(({ chapter, row }) => {
            const summary = book.contents[chapter]!;
            const text = fetched.known.get(summary.index)?.text;
            const block = layout?.blocksOf(chapter)?.[row - 1];
            if (row === 0)
              return (
                <h2 className="chapter-heading" key={`${summary.index}:0`} data-chapter={summary.index}>
                  {summary.part && summary.part !== book.contents[chapter - 1]?.part ? (
                    <small>{summary.part}</small>
                  ) : null}
                  {chapterInWords(summary.index, summary.title, texts.chapterNumber)}
                </h2>
              );
            if (text === undefined || !block)
              return (
                <p
                  className="block muted"
                  key={`${summary.index}:${row}`}
                  style={{ height: layout ? layout.top({ chapter, row: 2 }) - layout.top({ chapter, row: 1 }) : 0 }}
                >
                  {fetched.failed.get(summary.index)?.message ?? texts.loadingChapter}
                </p>
              );
            const plain = (
              <BlockRow
                text={text}
                block={block}
                heat={heat.get(summary.index) ?? null}
                marks={marks.get(summary.index)}
              />
            );
            const name = chapterInWords(summary.index, summary.title, texts.chapterNumber);
            return (
              <Fragment key={`${summary.index}:${row}`}>
                {drawRow ? drawRow({ chapter: summary.index, name, text, block, plain, redraw }) : plain}
              </Fragment>
            );
          })}
        </div>
      </div>
    </section>
  );
}

/** What is drawn: what is in sight and somewhat beyond it. */
function placesAround(layout: BookLayout, top: number, seen: number, isMovingUp: boolean): Place[] {
  const places = layout.between(top - beyond, top + seen + beyond);
  if (isMovingUp) return places;
  // A row above the window that is measured only now would move the page under a reader who is scrolling down.
  const firstInSight = places.findIndex((place) => layout.top(place) >= top);
  const lastGuessed = places
    .slice(0, Math.max(0, firstInSight - 1))
    .findLastIndex((place) => !layout.isMeasured(place));
  return places.slice(lastGuessed + 1);
}

interface Going {
  readonly book: BookDetails;
  readonly layout: BookLayout | null;
  readonly anchor: { current: Anchor };
  readonly reached: { current: string | null };
  readonly scroller: { readonly current: HTMLElement | null };
  readonly page: { readonly current: HTMLElement | null };
  readonly fetched: ReturnType<typeof useChapterTexts>;
  readonly redraw: () => void;
  readonly seen: number;
}

/** Opens the book at a place: first the chapter, then, once its text is there, the passage in the upper third. */
function useGoingTo(target: Target | null, going: Going): void {
  const { book, layout, anchor, reached, page, fetched, redraw, seen } = going;
  const text = target ? fetched.known.get(target.chapter)?.text : undefined;
  const { ask } = fetched;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest are references that never change.
  useLayoutEffect(() => {
    if (!target || !layout || reached.current === target.request) return;
    const chapter = book.contents.findIndex((candidate) => candidate.index === target.chapter);
    if (chapter < 0) return;
    const blocks = layout.blocksOf(chapter);
    if (target.start === null) {
      anchor.current = { chapter, row: 0, beyond: 0 };
      reached.current = target.request;
    } else if (text === undefined || !blocks) {
      anchor.current = { chapter, row: 0, beyond: 0 };
      ask([target.chapter]);
    } else {
      anchor.current = { chapter, row: 1 + blockAt(blocks, target.start), beyond: -seen / 3 };
      reached.current = target.request;
      // The mark is drawn with the next frame; keyboard and screen-reader users continue from there.
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          page.current?.querySelector<HTMLElement>("mark.passage")?.focus({ preventScroll: true }),
        ),
      );
    }
    redraw();
  }, [target, layout, text, book, ask, seen]);
}

/**
 * Keys that go far turn the page at once. The browser would glide there, and stop halfway as soon as the height of a
 * paragraph on the way is corrected.
 */
function turnPage(event: KeyboardEvent<HTMLElement>): void {
  const view = event.currentTarget;
  if (event.altKey || event.ctrlKey || event.metaKey || event.target !== view) return;
  const page = view.clientHeight * 0.9;
  const wanted = {
    Home: 0,
    End: view.scrollHeight,
    PageUp: view.scrollTop - page,
    PageDown: view.scrollTop + page,
    " ": view.scrollTop + (event.shiftKey ? -page : page),
  }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  view.scrollTop = wanted;
}

/** What the reader is looking at: a row and how far the top of the window lies beyond the row's top, or the end of the book. */
type Anchor = Place & { readonly beyond: number; readonly isEnd?: boolean };

/** Where the window stands, by what is known of the heights now. */
export function topOf(layout: BookLayout, anchor: Anchor, seen: number): number {
  if (anchor.isEnd) return Math.max(0, layout.height - seen);
  return Math.max(0, layout.top(anchor) + anchor.beyond);
}

/** The anchor of a window: at the end of the book its end, so that the last line stays in sight while heights are corrected. */
export function anchorAt(layout: BookLayout, top: number, seen: number): Anchor {
  const inView = layout.between(top, top + seen);
  const isEnd = top > 0 && top + seen >= layout.height - 2;
  // What is still awaited will not be as high as was guessed: better to hold on to something that is there.
  const place =
    inView.find(({ chapter, row }) => row === 0 || layout.blocksOf(chapter) !== null) ?? inView[0] ?? layout.end;
  return { ...place, beyond: top - layout.top(place), isEnd };
}
