import { getDocumentProxy } from "unpdf";
import { FabulaError } from "../../core/errors.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";
import { type Bookmark, type PdfPiece, pagesToBlocks } from "./pdf-pages.ts";

const MOST_PAGES = 5000;

/** PDF with a text layer, by pdf.js. Scripts are never run and nothing is fetched. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const document = await refusing(name, () =>
      // pdf.js takes ownership of the bytes, so it gets a copy; and it refuses a Buffer, the type in which files are read.
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
      const { blocks, removed } = pagesToBlocks(pages, await bookmarksOf(document));
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

async function readPages(document: PdfDocument): Promise<PdfPiece[][]> {
  const pages: PdfPiece[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const content = await page.getTextContent();
    const items: readonly unknown[] = content.items;
    pages.push(items.filter(isTextItem).flatMap(pieceOf));
    page.cleanup();
  }
  return pages;
}

/** Rotated text is a watermark, or a note at the edge of the page. */
function pieceOf({ str, transform, width, height, fontName }: TextItem): PdfPiece[] {
  const [across = 1, up = 0, , , x = 0, y = 0] = transform;
  if (Math.abs(up) > Math.abs(across) * 0.2) return [];
  return [{ text: str, x, y, width, height, font: fontName }];
}

const MOST_BOOKMARKS = 2000;

/** The file's own outline. A damaged one is no reason to refuse the text. */
async function bookmarksOf(document: PdfDocument): Promise<Bookmark[]> {
  const found: Bookmark[] = [];
  try {
    const waiting = [...((await document.getOutline()) ?? [])];
    for (let item = waiting.shift(); item && found.length < MOST_BOOKMARKS; item = waiting.shift()) {
      const target = typeof item.dest === "string" ? await document.getDestination(item.dest) : item.dest;
      const [page] = target ?? [];
      if (page !== null && typeof page === "object") {
        found.push({ page: await document.getPageIndex(page), title: item.title });
      }
      waiting.unshift(...item.items);
    }
  } catch {
    return [];
  }
  return found;
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
  readonly fontName: string;
}

/** pdf.js mixes pieces of text with structure marks, which have no text. */
function isTextItem(item: unknown): item is TextItem {
  return item !== null && typeof item === "object" && "str" in item && "transform" in item && "height" in item;
}

async function metadataOf(document: PdfDocument): Promise<Metadata> {
  const info = await document.getMetadata().catch(() => null);
  const facts: unknown = info?.info;
  const field = (name: string) => {
    const value = facts !== null && typeof facts === "object" ? Reflect.get(facts, name) : undefined;
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const [title, author] = [field("Title")?.replace(MADE_BY, ""), field("Author")];
  return statedMetadata({ title: NAME_OF_A_FILE.test(title ?? "") ? null : title, author });
}

/** Programs that print to PDF name it after themselves and the file. */
const MADE_BY = /^Microsoft Word - /;
const NAME_OF_A_FILE = /\.(?:docx?|odt|rtf|tex|dvi|indd|txt|html?|pages)$|^(?:untitled|document\d*)$/i;
