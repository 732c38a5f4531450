import { getDocumentProxy } from "unpdf";
import { FabulaError } from "../../core/errors.ts";
import type { Removal } from "../book.ts";
import type { Block, Manuscript, Metadata } from "../manuscript.ts";
import type { Format, FormatInput } from "./format.ts";
import { linesToBlocks } from "./plain-text/plain-text-blocks.ts";
import { compoundsIn } from "./plain-text/plain-text-layout.ts";

interface PdfLine {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly height: number;
  readonly text: string;
}

/** Lines at the edge of a page that come again on other pages are its running heads; a number there is the page's. */
function pagesToBlocks(pages: readonly (readonly PdfLine[])[]): { blocks: Block[]; removed: Removal[] } {
  const lines = pages.flat();
  const bodyHeight = median(lines.map(({ height }) => height));
  const bodyRight = percentile(
    lines.map(({ right }) => right),
    0.9,
  );
  const isLarge = ({ height, text }: PdfLine) => height > bodyHeight * 1.2 && text.length < 120;
  // A book's title is set larger than its chapters' titles.
  const chapterHeight = commonest(lines.filter(isLarge).map(({ height }) => Math.round(height)));
  const running = runningHeads(pages);
  const times = new Map<string, number>();
  for (const { text } of lines) times.set(text, (times.get(text) ?? 0) + 1);
  // Two sentences of the story may differ in a number only; a running head is no sentence, or the same one again.
  const isRunningHead = (text: string) => running.has(headKey(text)) && (!SENTENCE.test(text) || times.get(text)! >= 3);
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
    let heading: PdfLine | null = null;
    for (const [index, line] of page.entries()) {
      // A large line that its neighbours do not have is a chapter's heading, which often begins its page.
      const isAgain = [pages[number - 1], pages[number + 1]].some((other) =>
        other?.some(({ text }) => text === line.text),
      );
      const isEdge = (index < 2 || index >= page.length - 2) && !(isLarge(line) && !isAgain);
      if (isEdge && (PAGE_NUMBER.test(line.text) || isRunningHead(line.text))) {
        removed.push({
          rule: PAGE_NUMBER.test(line.text) ? "page number" : "running head",
          where: `page ${number + 1}`,
          text: line.text,
        });
        continue;
      }
      if (isLarge(line)) {
        flush();
        const text = line.text.trim();
        const level = line.height > chapterHeight * 1.15 ? 1 : 2;
        const above = heading === null ? undefined : blocks.at(-1);
        // Large lines one under the other on a page are one heading; one that fills the page's width goes on in the next.
        if (above?.kind === "heading" && above.level === level && above.lines.length < 3) {
          const isWrapped = heading !== null && heading.right > bodyRight - line.height * 3;
          const [last = ""] = above.lines.slice(-1);
          const lines = isWrapped ? [...above.lines.slice(0, -1), `${last} ${text}`] : [...above.lines, text];
          blocks[blocks.length - 1] = { ...above, lines };
        } else blocks.push({ kind: "heading", lines: [text], level });
        heading = line;
        previous = null;
        continue;
      }
      heading = null;
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
  return { blocks, removed };
}

const SENTENCE = /^\S+(?:\s+\S+){4,}[.!?…]["”’']?$/u;

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
  return commonest(page.map(({ x }) => Math.round(x)));
}

function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0] as [number, number])[0];
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

const MOST_PAGES = 5000;

/** PDF with a text layer, by pdf.js. Scripts are never run and nothing is fetched. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const document = await refusing(name, () =>
      // pdf.js takes ownership of the bytes, so it gets a copy; and it refuses a Buffer, which is what files are read into.
      getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, disableFontFace: true, verbosity: 0 }),
    );
    try {
      if (document.numPages > MOST_PAGES) {
        throw new FabulaError(
          "E_TOO_LARGE",
          `${name} has ${document.numPages} pages, more than ${MOST_PAGES}: split it first.`,
        );
      }
      const pages = await refusing(name, () => readPages(document));
      const { blocks, removed } = pagesToBlocks(pages);
      if (blocks.length === 0) {
        throw new FabulaError(
          "E_PDF_NO_TEXT",
          `${name} has no text layer: it holds pictures of pages. Run text recognition (OCR) over it first.`,
        );
      }
      return { blocks, removed, metadata: await metadataOf(document), encoding: "PDF", warnings: [] };
    } finally {
      await document.destroy();
    }
  },
};

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function readPages(document: PdfDocument): Promise<PdfLine[][]> {
  const pages: PdfLine[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const content = await page.getTextContent();
    const items: readonly unknown[] = content.items;
    pages.push(toLines(items.filter(isTextItem)));
    page.cleanup();
  }
  return pages;
}

/** Turns what pdf.js says about the file into one clear sentence. Any other error is not the file's fault and is left as it is. */
export async function refusing<T>(name: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if (cause.name === "PasswordException") {
      throw new FabulaError("E_PDF", `${name} is locked with a password: save it without one.`, { cause });
    }
    if (!isAboutTheFile(cause)) throw cause;
    throw new FabulaError("E_PDF", `${name} is not a PDF that can be read: download or export it again.`, { cause });
  }
}

/** pdf.js reports a damaged structure as one of these; "unknown" ones keep the name of the parser's own error in their details. */
function isAboutTheFile(error: Error): boolean {
  if (error.name === "InvalidPDFException") return true;
  if (error.name !== "UnknownErrorException" || !("details" in error)) return false;
  return !/^(?:Type|Range|Reference|Syntax)?Error\b/.test(String(error.details));
}

interface TextItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** pdf.js mixes pieces of text with structure marks, which have no text. */
function isTextItem(item: unknown): item is TextItem {
  return item !== null && typeof item === "object" && "str" in item && "transform" in item && "height" in item;
}

/** Pieces of text on one base line become one line, left to right. */
function toLines(items: readonly TextItem[]): PdfLine[] {
  const lines: { x: number; y: number; right: number; height: number; text: string }[] = [];
  for (const { str, transform, width, height } of items) {
    if (str.trim() === "" && str !== " ") continue;
    const [x = 0, y = 0] = [transform[4], transform[5]];
    const line = lines.at(-1);
    if (line && Math.abs(line.y - y) < Math.max(2, height * 0.4) && x >= line.x) {
      const gap = x - line.right;
      line.text += gap > height * 0.2 && !line.text.endsWith(" ") && !str.startsWith(" ") ? ` ${str}` : str;
      line.right = Math.max(line.right, x + width);
      line.height = Math.max(line.height, height);
    } else if (str.trim() !== "") lines.push({ x, y, right: x + width, height, text: str });
  }
  return lines;
}

async function metadataOf(document: PdfDocument): Promise<Metadata> {
  const info = await document.getMetadata().catch(() => null);
  const facts: unknown = info?.info;
  const field = (name: string) => {
    const value = facts !== null && typeof facts === "object" ? Reflect.get(facts, name) : undefined;
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const [title, author] = [field("Title"), field("Author")];
  return { ...(title && { title }), ...(author && { author }) };
}
