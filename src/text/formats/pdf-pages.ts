import type { Removal } from "../book.ts";
import type { Block } from "../manuscript.ts";
import { linesToBlocks } from "./plain-text/plain-text-blocks.ts";
import { compoundsIn } from "./plain-text/plain-text-layout.ts";

export interface PdfLine {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly height: number;
  readonly text: string;
}

/** Lines at the edge of a page that come again on other pages are its running heads; a number there is the page's. */
export function pagesToBlocks(pages: readonly (readonly PdfLine[])[]): { blocks: Block[]; removed: Removal[] } {
  const lines = pages.flat();
  const bodyHeight = median(lines.map(({ height }) => height));
  const bodyRight = percentile(
    lines.map(({ right }) => right),
    0.9,
  );
  const running = runningHeads(pages);
  const compounds = compoundsIn(lines.map(({ text }) => text));
  const removed: Removal[] = [];
  const blocks: Block[] = [];
  let pending: string[] = [];
  const flush = () => {
    for (const block of linesToBlocks(pending, { paragraphs: "blank", compounds })) blocks.push(block);
    pending = [];
  };
  for (const [number, page] of pages.entries()) {
    const bodyX = commonLeft(page);
    let previous: PdfLine | null = null;
    for (const [index, line] of page.entries()) {
      const isEdge = index < 2 || index >= page.length - 2;
      if (isEdge && (PAGE_NUMBER.test(line.text) || running.has(headKey(line.text)))) {
        removed.push({
          rule: PAGE_NUMBER.test(line.text) ? "page number" : "running head",
          where: `page ${number + 1}`,
          text: line.text,
        });
        continue;
      }
      if (line.height > bodyHeight * 1.2 && line.text.length < 120) {
        flush();
        blocks.push({ kind: "heading", lines: [line.text.trim()], level: 2 });
        previous = null;
        continue;
      }
      if (previous && startsParagraph(line, previous, bodyX, bodyRight, bodyHeight)) pending.push("");
      pending.push(line.text.trim());
      previous = line;
    }
    // A page that ends in mid-sentence goes on over the page's edge.
    const last = pending.at(-1);
    if (
      last !== undefined &&
      /[.!?”"’…]$/.test(last) &&
      previous !== null &&
      previous.right < bodyRight - bodyHeight * 3
    )
      pending.push("");
  }
  flush();
  return { blocks: mergeHeadings(blocks), removed };
}

const PAGE_NUMBER = /^\s*(?:[-–—|]\s*)?(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*[-–—|])?\s*$/i;

function startsParagraph(
  line: PdfLine,
  previous: PdfLine,
  bodyX: number,
  bodyRight: number,
  bodyHeight: number,
): boolean {
  const gap = previous.y - line.y;
  if (gap > bodyHeight * 1.9) return true;
  if (line.x > bodyX + bodyHeight * 0.8 && previous.x <= bodyX + bodyHeight * 0.5) return true;
  return previous.right < bodyRight - bodyHeight * 4 && /[.!?”"’…:]$/.test(previous.text.trim());
}

/** Two large lines one under the other are one heading. */
function mergeHeadings(blocks: readonly Block[]): Block[] {
  const merged: Block[] = [];
  for (const block of blocks) {
    const previous = merged.at(-1);
    if (
      block.kind === "heading" &&
      previous?.kind === "heading" &&
      previous.lines.length < 3 &&
      block.level === previous.level
    ) {
      merged[merged.length - 1] = { ...previous, lines: [...previous.lines, ...block.lines] };
    } else merged.push(block);
  }
  return merged;
}

function runningHeads(pages: readonly (readonly PdfLine[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const edges = new Set([...page.slice(0, 2), ...page.slice(-2)].map(({ text }) => headKey(text)));
    for (const key of edges) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const enough = Math.max(3, pages.length * 0.05);
  return new Set([...counts].filter(([key, count]) => key !== "" && count >= enough).map(([key]) => key));
}

/** A running head carries the page's number: without digits all of them are equal. */
function headKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\d\s|·•–—-]+/g, " ")
    .trim();
}

function commonLeft(page: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const { x } of page) counts.set(Math.round(x), (counts.get(Math.round(x)) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0] as [number, number])[0];
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
