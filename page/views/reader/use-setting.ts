import { type RefObject, useLayoutEffect, useState } from "react";
import type { Setting } from "./book-layout.ts";

const widest = 680;
const margin = 40;

/** How many letters fit a line of the scroller, and how high a line is. A change of width lays the book out again. */
export function useSetting(scroller: RefObject<HTMLElement | null>, language: string | null): Setting | null {
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
