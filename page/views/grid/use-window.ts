import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

/** Rows above and below the window that are drawn as well, so that a quick scroll does not meet an empty place. */
const AROUND = 8;
const ROW_REM = 3.5;

export interface RowWindow {
  readonly first: number;
  /** Not drawn any more. */
  readonly end: number;
  readonly rowHeight: number;
  readonly scrollTo: (row: number) => void;
}

/** Which rows of a long table are near the window of its scroller. All rows are equally high, so nothing is measured but it. */
export function useWindow(scroller: RefObject<HTMLElement | null>, rows: number): RowWindow {
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
  const first = Math.max(0, Math.min(Math.floor(seen.top / rowHeight), rows) - AROUND);
  const end = Math.min(rows, Math.ceil((seen.top + seen.height) / rowHeight) + AROUND);
  return { first, end, rowHeight, scrollTo };
}
