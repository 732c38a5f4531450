import { declaredEncoding, decodeDeclared, undecodableWarning } from "../../core/encoding.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";

/** A web page that contains a whole book: Project Gutenberg's, Standard Ebooks' single page, a saved serial. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable } = decodeDeclared(bytes, declaredEncoding(bytes), name);
    const { blocks, removed, title, metadata } = htmlToBlocks(text, { where: name });
    return {
      blocks,
      metadata: pageMetadata(metadata, title),
      encoding,
      removed,
      warnings: undecodableWarning(undecodable, encoding),
    };
  },
};

/** Dublin Core and the usual `<meta>` names, then the page's title as Project Gutenberg writes it. */
function pageMetadata(meta: ReadonlyMap<string, string>, pageTitle: string | null): Metadata {
  const first = (...names: readonly string[]) => names.map((name) => meta.get(name)).find(Boolean);
  const fromPage = parsePageTitle(pageTitle ?? "");
  const author = first("dcterms.creator", "dc.creator", "author", "marcrel.aut") ?? fromPage.author;
  // "The Lamp - A_Writer - Harbour Stories": sites name the writer and more after the title.
  const cut = author && fromPage.title ? fromPage.title.indexOf(` - ${author}`) : -1;
  const pageName = cut > 0 ? fromPage.title?.slice(0, cut) : fromPage.title;
  const title = first("dcterms.title", "dc.title", "og:title") ?? pageName;
  const language = first("dcterms.language", "dc.language");
  const premise = first("description", "og:description");
  return statedMetadata({ title, author: author && naturalName(author), language, premise });
}

/** "The Project Gutenberg eBook of Emma, by Jane Austen", "Emma, by Jane Austen", "Emma - Free Ebook". */
function parsePageTitle(title: string): { title?: string; author?: string } {
  const plain = title
    .replace(/^\s*(?:The )?Project Gutenberg(?:['’]s)?(?: e-?(?:book|text))?(?: of|,)?\s*/i, "")
    .replace(/\s*[|–—-]\s*(?:Project Gutenberg|Free Ebook).*$/i, "")
    .trim();
  const match = /^(.+?),?\s+by\s+([^,]+(?:,\s*(?:Jr|Sr)\.?)?)$/i.exec(plain);
  if (match) return { title: match[1]!.trim(), author: match[2]!.trim() };
  return plain === "" ? {} : { title: plain };
}

/** "Austen, Jane, 1775-1817" becomes "Jane Austen". */
function naturalName(name: string): string {
  const match = /^([^,]+),\s*([^,\d]+)(?:,\s*[\d?-]+)?$/.exec(name);
  return match ? `${match[2]!.trim()} ${match[1]!.trim()}` : name;
}
