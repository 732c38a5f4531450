import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

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
export function useArrowKeys(
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
