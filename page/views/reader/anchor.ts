import type { BookLayout, Place } from "./book-layout.ts";

/** What the reader is looking at: a row and how far the top of the window lies beyond the row's top, or the end of the book. */
export type Anchor = Place & { readonly beyond: number; readonly isEnd?: boolean };

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
