import { FabulaError } from "../../../core/errors.ts";
import { sumBy } from "../../../stats/distribution/sum-by.ts";
import type { Removal } from "../../book.ts";
import { type HtmlReading, htmlToBlocks } from "../../clean/html-blocks.ts";
import { type Archive, isZip, openArchive } from "../../files/archive.ts";
import { decodeDeclared } from "../../files/encoding.ts";
import { checkProduced } from "../../files/produced.ts";
import type { Block, Manuscript, SectionRole } from "../../manuscript.ts";
import { declaredPieces, hasInnerChapters, hasStoryBeside } from "../declared-sections.ts";
import type { Format, FormatInput } from "../format.ts";
import { declaredEncoding } from "../html-encoding.ts";
import { type Navigation, readNavigation } from "./epub-navigation.ts";
import { type Package, readPackage, type SpineItem } from "./epub-package.ts";
import { declaredType, isDoubtful, sectionRole } from "./epub-roles.ts";

/** EPUB 2 and 3: the spine gives the order, `epub:type` the roles, the nav document or the NCX the titles. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    if (!isZip(bytes)) {
      throw new FabulaError("E_EPUB", `${name} is named like an EPUB but is not an archive: download it again.`);
    }
    const archive = openArchive(bytes, name, (entry) => /\.(x?html?|xml|opf|ncx)$/i.test(entry));
    const bookPackage = readPackage(archive, name);
    const navigation = readNavigation(archive, bookPackage);
    const warnings = repeatedPages(bookPackage, name);
    let produced = 0;
    const pages = bookPackage.spine.flatMap((item) => {
      const read = readPage(archive, item, navigation, name, warnings);
      produced += sumBy(read, ({ reading }) =>
        sumBy(reading.blocks, (block) => ("text" in block ? block.text.length : 0)),
      );
      checkProduced(produced, name);
      return read;
    });
    if (pages.length === 0) throw new FabulaError("E_EPUB", `${name} has no readable pages: its spine is empty.`);
    return { ...joinPages(pages), warnings, metadata: bookPackage.metadata, encoding: "UTF-8" };
  },
};

/** A book may name a page twice by mistake; one that names its pages hundreds of times is made to be larger than it looks. */
const MOST_REPEATED_PAGES = 100;

function repeatedPages({ repeatedPages: repeated }: Package, file: string): string[] {
  if (repeated === 0) return [];
  const times = repeated === 1 ? "one page" : `${repeated.toLocaleString("en-GB")} pages`;
  if (repeated > MOST_REPEATED_PAGES) {
    throw new FabulaError("E_EPUB", `${file} lists ${times} a second time, which no book does: download it again.`);
  }
  return [`The file lists ${times} a second time: each page was read once.`];
}

interface Page {
  readonly where: string;
  readonly role: SectionRole;
  readonly isDoubtful: boolean;
  readonly reading: HtmlReading;
  readonly title: string | null;
  /** The titles that the navigation gives to places inside the page, by the block they stand before. */
  readonly places: ReadonlyMap<number, string>;
}

function readPage(
  archive: Archive,
  item: SpineItem,
  navigation: Navigation,
  file: string,
  warnings: string[],
): readonly Page[] {
  const bytes = archive.bytes(item.path);
  if (bytes === null) {
    warnings.push(`The archive lists ${item.path} but does not hold it.`);
    return [];
  }
  const { text } = decodeDeclared(bytes, declaredEncoding(bytes), `${file}/${item.path}`);
  const listed = navigation.places.get(item.path) ?? [];
  const titles = new Map(listed.map(({ fragment, title }) => [fragment, title]));
  const anchors = new Set(listed.flatMap(({ fragment }) => fragment ?? []));
  const reading = htmlToBlocks(text, { where: item.path, xml: false, anchors });
  const places = new Map<number, string>();
  for (const [id, blocksBefore] of reading.anchors) {
    if (!places.has(blocksBefore)) places.set(blocksBefore, titles.get(id)!);
  }
  const title = titles.get(null) ?? places.get(0) ?? null;
  const isNavigation = item.path === navigation.path;
  const role = isNavigation || item.isAside ? "paratext" : sectionRole(reading.types, item, reading.blocks);
  const doubtful = !isNavigation && isDoubtful(reading.types, item);
  return [{ where: item.path, role, isDoubtful: doubtful, reading, title, places }];
}

function joinPages(pages: readonly Page[]) {
  const blocks: Block[] = [];
  const removed: Removal[] = [];
  const types: Record<string, number> = {};
  const chapterPages = pages.filter(({ role }) => role === "chapter");
  const framing = chapterPages.filter(({ reading }) => hasInnerChapters(reading));
  const opensChapters = framing.length > chapterPages.length / 2;
  for (const page of pages) {
    const type = declaredType(page.reading.types);
    types[type] = (types[type] ?? 0) + 1;
    for (const block of pageBlocks(page, opensChapters)) blocks.push(block);
    for (const removal of page.reading.removed) removed.push(removal);
  }
  return { blocks, removed, pages: types };
}

function pageBlocks(page: Page, opensChapters: boolean): readonly Block[] {
  const { where, role, reading, title, places } = page;
  // A page may hold a dedication and the first chapter.
  const pieces = role === "paratext" && !hasStoryBeside(reading) ? null : declaredPieces(reading, opensChapters);
  if (pieces !== null) {
    return pieces.flatMap((piece): Block[] => [
      {
        ...{ kind: "section", where, role: piece.role, title: places.get(piece.from) ?? null },
        isDoubtful: piece.isDoubtful ?? false,
      },
      ...reading.blocks.slice(piece.from, piece.to),
    ]);
  }
  const blocks: Block[] = [{ kind: "section", where, role, title, isDoubtful: page.isDoubtful }];
  for (const [index, block] of reading.blocks.entries()) {
    const place = places.get(index);
    // The navigation names a place that the page itself does not mark as a heading.
    if (place !== undefined && index > 0 && role === "unknown") {
      blocks.push({ kind: "section", where, role, title: place });
    }
    blocks.push(block);
  }
  return blocks;
}
