import type { PreparedText } from "../prepare-text.ts";

/** How the lines of a text are set, each as a part of all lines; null where there are too few lines to tell. */
export interface Layout {
  /** Short lines that end no sentence: a list, a table of contents. */
  readonly openLines: number | null;
  /** Short lines that break off within a sentence, the next one begun with a capital: verse. */
  readonly brokenLines: number | null;
}

const ENOUGH_LINES = 6;
const SHORT_LINE = 60;

export function measureLayout(chapters: readonly PreparedText[]): Layout {
  let count = 0;
  let open = 0;
  let broken = 0;
  for (const { text } of chapters) {
    const lines = text.split("\n").map((line) => line.trim());
    lines.forEach((line, at) => {
      if (line === "") return;
      count++;
      if (line.length > SHORT_LINE) return;
      if (!/[.!?…:;,—"”'’)*_-]$/.test(line)) open++;
      if (/^["“'‘(]?\p{Lu}/u.test(lines[at + 1] ?? "") && !/[.!?…:"”]$/.test(line)) broken++;
    });
  }
  return count < ENOUGH_LINES
    ? { openLines: null, brokenLines: null }
    : { openLines: open / count, brokenLines: broken / count };
}
