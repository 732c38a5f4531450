import { getDocumentProxy } from "unpdf";
import { FabulaError } from "../../core/errors.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import type { Format, FormatInput } from "./format.ts";
import { type PdfLine, pagesToBlocks } from "./pdf-pages.ts";

const MOST_PAGES = 5000;

/** PDF with a text layer, by pdf.js. Scripts are never run and nothing is fetched. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const document = await refusing(name, () =>
      // pdf.js takes the buffer over, so it gets a copy.
      getDocumentProxy(bytes.slice(), { useSystemFonts: false, disableFontFace: true, verbosity: 0 }),
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

/** Whatever pdf.js stumbles over becomes one clear sentence. */
async function refusing<T>(name: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === "PasswordException";
    throw new FabulaError(
      "E_PDF",
      isLocked
        ? `${name} is locked with a password: save it without one.`
        : `${name} is not a PDF that can be read: download or export it again.`,
      { cause },
    );
  }
}

interface TextItem {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** pdf.js mixes pieces of text with marks of structure, which have no text. */
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
