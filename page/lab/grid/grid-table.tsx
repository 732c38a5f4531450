import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { GridBook, GridLine, GridPage } from "../../../src/api/grid.ts";
import { scoreInFigures, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { isEmbedded, judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { to } from "../../routing.ts";
import { useNames, useReason, useTexts } from "../../texts/preferences.tsx";
import { CellLink } from "./cell-link.tsx";
import { cellId, type GridState } from "./grid-state.ts";
import type { GridRows } from "./use-grid-rows.ts";

interface Place {
  readonly row: number;
  readonly column: number;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

/**
 * One stop for the Tab key in a table of thousands of links; arrow keys go from one to the next, also to rows that are not
 * drawn yet. Links carry `data-row` and `data-column`.
 */
function useArrowKeys(
  scroller: RefObject<HTMLElement | null>,
  {
    rows,
    columns,
    scrollTo,
  }: { readonly rows: number; readonly columns: number; readonly scrollTo: (row: number) => void },
) {
  const [current, setCurrent] = useState<Place>({ row: 1, column: 0 });
  const wanted = useRef<Place | null>(null);
  // After every drawing: the row that was scrolled to may have come with it.
  useEffect(() => {
    const place = wanted.current;
    if (!place) return;
    const row = `[data-row="${place.row}"]`;
    const link =
      scroller.current?.querySelector<HTMLElement>(`${row}[data-column="${place.column}"]`) ??
      scroller.current?.querySelector<HTMLElement>(row);
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { row, column } = (event.target as HTMLElement).dataset;
    const [down, right] = STEPS[event.key] ?? ENDS(event.key, columns);
    if (row === undefined || (down === 0 && right === 0) || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = {
      row: clamp(Number(row) + down, rows - 1),
      column: clamp(Number(column ?? current.column) + right, columns - 1),
    };
    wanted.current = next;
    setCurrent(next);
    scrollTo(next.row);
  };
  return { current, setCurrent, onKeyDown };
}

function ENDS(key: string, columns: number): readonly [number, number] {
  return key === "Home" ? [0, -columns] : key === "End" ? [0, columns] : [0, 0];
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(0, value), Math.max(0, most));
}

/** Rows above and below the window that are drawn as well, so that a quick scroll does not meet an empty place. */
const OVERSCAN = 8;
const ROW_REM = 3.5;

interface RowWindow {
  readonly first: number;
  /** Not drawn any more. */
  readonly end: number;
  readonly rowHeight: number;
  readonly scrollTo: (row: number) => void;
}

/** Which rows of a long table are near the window of its scroller. All rows are equally high, so nothing is measured but it. */
function useWindow(scroller: RefObject<HTMLElement | null>, rows: number): RowWindow {
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const [rowHeight] = useState(() => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      const [top, height] = [element.scrollTop, element.clientHeight];
      setSeen((known) => (known.top === top && known.height === height ? known : { top, height }));
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    const observer = new ResizeObserver(soon);
    observer.observe(element);
    element.addEventListener("scroll", soon, { passive: true });
    look();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener("scroll", soon);
    };
  }, [scroller]);
  const scrollTo = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const head = element.querySelector("thead")?.clientHeight ?? 0;
      const [above, below] = [row * rowHeight, (row + 1) * rowHeight + head - element.clientHeight];
      if (element.scrollTop > above) element.scrollTop = above;
      else if (element.scrollTop < below) element.scrollTop = below;
    },
    [scroller, rowHeight],
  );
  const first = Math.max(0, Math.min(Math.floor(seen.top / rowHeight), rows) - OVERSCAN);
  const end = Math.min(rows, Math.ceil((seen.top + seen.height) / rowHeight) + OVERSCAN);
  return { first, end, rowHeight, scrollTo };
}

export interface GridTableProps {
  readonly rows: GridRows;
  readonly page: GridPage;
  readonly state: GridState;
  /** Where a score leads: it opens, or stands beside the open one. */
  readonly hrefOf: (cell: string) => string;
}

/** The grid itself. Only the rows near the window are drawn, however many there are. */
export function GridTable({ rows, page, state, hrefOf }: GridTableProps) {
  const texts = useTexts();
  const names = useNames();
  const scroller = useRef<HTMLDivElement>(null);
  const total = page.totals.rows;
  const { first, end, rowHeight, scrollTo } = useWindow(scroller, total);
  const keys = useArrowKeys(scroller, { rows: total, columns: page.columns.length, scrollTo });
  const { show } = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sort or filter is another page, with rows of its own to ask for.
  useEffect(() => show(first, Math.max(first, end - 1)), [show, first, end, page]);
  // An address that names a score opens the grid there; another sort or filter begins at the top.
  useEffect(() => {
    if (page.found !== null) scrollTo(page.found);
    else if (scroller.current) scroller.current.scrollTop = 0;
  }, [page, scrollTo]);
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  const tabRow = keys.current.row >= first && keys.current.row < end ? keys.current.row : first;
  const columnName = (id: string, name: string) => (id === "overall" ? texts.overall : names.aspect(id, name));
  const inWords = useReason();
  const reasonOf = (cells: GridLine["cells"]) => {
    const cell = cells.find((each) => each?.verdict.kind === "unscored");
    return cell?.verdict.kind === "unscored" ? texts.unscoredBecause(inWords(cell.verdict.reason)) : "";
  };
  return (
    <div className={rows.isStale ? "grid-scroller stale" : "grid-scroller"} ref={scroller}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table in which arrow keys move is a grid.
        role="grid"
        className="score-grid"
        aria-rowcount={total + 1}
        style={{ "--columns": page.columns.length } as CSSProperties}
        onKeyDown={keys.onKeyDown}
      >
        <caption className="visually-hidden">
          {texts.gridScale(page.scale.minimum, page.scale.maximum)} {texts.gridKeys}
        </caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
              {texts.judge} · {texts.method}
            </th>
            {page.columns.map(({ id, name }) => (
              <th key={id} scope="col">
                {columnName(id, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={first * rowHeight} columns={page.columns.length + 1} />
          {drawn.map((index) => {
            const row = rows.row(index);
            const place = { index, isTabStop: index === tabRow, height: rowHeight };
            if (row === null) return <Gap key={index} height={rowHeight} columns={page.columns.length + 1} />;
            return row.kind === "book" ? (
              <BookRow key={index} book={row} place={place} columns={page.columns} columnName={columnName} />
            ) : (
              <tr key={index} aria-rowindex={index + 2} style={{ height: rowHeight }}>
                <LineHead line={row} />
                {page.columns.slice(0, folded(row)).map(({ id, name }, column) => {
                  const own = cellId(row, id);
                  const cell = row.cells[column] ?? null;
                  const open = own === state.cell ? "first" : own === state.beside ? "second" : null;
                  const isStop = index === tabRow && column === (tabRow === keys.current.row ? keys.current.column : 0);
                  return (
                    <CellLink
                      key={id}
                      cell={cell}
                      scale={page.scale}
                      name={columnName(id, name)}
                      href={hrefOf(own)}
                      open={open}
                      attributes={{
                        "data-row": index,
                        "data-column": column,
                        tabIndex: isStop ? 0 : -1,
                        onFocus: () => keys.setCurrent({ row: index, column }),
                      }}
                    />
                  );
                })}
                {folded(row) < page.columns.length ? (
                  <td className="folded" colSpan={page.columns.length - folded(row)}>
                    {reasonOf(row.cells.slice(folded(row)))}
                  </td>
                ) : null}
              </tr>
            );
          })}
          <Gap height={(total - end) * rowHeight} columns={page.columns.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

/** No juror reads a story: from the column on in which its line holds no score any more, that is said once. */
function folded({ judge, cells }: GridLine): number {
  const first = cells.findLastIndex((cell) => cell?.verdict.kind !== "unscored") + 1;
  return isEmbedded(judge) && cells.length - first > 1 ? Math.max(1, first) : cells.length;
}

/** The height of rows that are not drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className="gap" style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}

interface RowPlace {
  readonly index: number;
  readonly isTabStop: boolean;
  readonly height: number;
}

function BookRow({
  book,
  place,
  columns,
  columnName,
}: {
  readonly book: GridBook;
  readonly place: RowPlace;
  readonly columns: GridPage["columns"];
  readonly columnName: (id: string, name: string) => string;
}) {
  const texts = useTexts();
  const widest = book.widest && columns.find(({ id }) => id === book.widest?.column);
  const facts = [
    book.difference === null ? null : texts.gridDiffer(scoreInFigures(book.difference)),
    book.widest && widest
      ? texts.gridFurthest(columnName(widest.id, widest.name), scoreInFigures(book.widest.range))
      : null,
    spending(book, texts),
    book.missing > 0 ? texts.gridMissing(book.missing) : null,
    book.absent.length > 0 ? texts.gridAbsent(book.absent.length) : null,
  ].filter((fact) => fact !== null);
  const absent = book.absent.map(({ judge, method }) => `${judgeName(judge, texts)} · ${method}`).join(", ");
  return (
    <tr className="book-row" aria-rowindex={place.index + 2} style={{ height: place.height }}>
      <th scope="rowgroup" colSpan={columns.length + 1}>
        <div>
          <a
            href={to(["books", book.bookId])}
            data-row={place.index}
            tabIndex={place.isTabStop ? 0 : -1}
            title={book.title}
          >
            {book.title}
          </a>
          <span className="book-facts" title={absent === "" ? undefined : texts.gridAbsentBy(absent)}>
            {facts.join(" · ")}
          </span>
        </div>
      </th>
    </tr>
  );
}

function LineHead({ line }: { readonly line: GridLine }) {
  const texts = useTexts();
  const names = useNames();
  const name = judgeName(line.judge, texts);
  const speaker = speakerOf(line.judge, texts);
  return (
    <th scope="row" className="line-head">
      <span className="line-judge" title={name}>
        <JudgeLabel judge={line.judge} />
      </span>
      <small className="muted" title={speaker ?? undefined}>
        {speaker ?? names.method(line.method)}
        {line.runs > 1 ? ` × ${line.runs}` : null}
        {line.earlier > 0 ? ` · ${texts.gridOlder(line.earlier)}` : null}
      </small>
    </th>
  );
}
