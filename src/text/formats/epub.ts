import { FabulaError } from "../../core/errors.ts";
import { type Archive, isZip, openArchive } from "../archive.ts";
import type { Removal } from "../book.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import { decodeDeclared } from "../encoding.ts";
import type { Block, Manuscript } from "../manuscript.ts";
import { type Navigation, readNavigation } from "./epub-navigation.ts";
import { type Package, readPackage } from "./epub-package.ts";
import { declaredType, sectionRole } from "./epub-roles.ts";
import type { Format, FormatInput } from "./format.ts";
import { declaredEncoding } from "./html-encoding.ts";

/** EPUB 2 and 3: the spine gives the order, `epub:type` the roles, the nav document or the NCX the titles. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    if (!isZip(bytes)) {
      throw new FabulaError("E_EPUB", `${name} is named like an EPUB but is not an archive: fetch it again.`);
    }
    const archive = openArchive(bytes, name, (entry) => /\.(x?html?|xml|opf|ncx)$/i.test(entry));
    const bookPackage = readPackage(archive, name);
    const navigation = readNavigation(archive, bookPackage);
    const reading = readSpine(archive, bookPackage, navigation, name);
    return { ...reading, metadata: bookPackage.metadata, encoding: "UTF-8" };
  },
};

function readSpine(archive: Archive, bookPackage: Package, navigation: Navigation, file: string) {
  const blocks: Block[] = [];
  const removed: Removal[] = [];
  const warnings: string[] = [];
  const pages: Record<string, number> = {};
  for (const item of bookPackage.spine) {
    const bytes = archive.bytes(item.path);
    if (bytes === null) {
      warnings.push(`The archive lists ${item.path} but does not hold it.`);
      continue;
    }
    const { text } = decodeDeclared(bytes, declaredEncoding(bytes), `${file}/${item.path}`);
    const places = navigation.places.get(item.path) ?? [];
    const anchors = new Map<number, string>();
    const reading = htmlToBlocks(text, {
      where: item.path,
      xml: false,
      onAnchor: (id, blocksBefore) => {
        const place = places.find(({ fragment }) => fragment === id);
        if (place && !anchors.has(blocksBefore)) anchors.set(blocksBefore, place.title);
      },
    });
    const title = places.find(({ fragment }) => fragment === null)?.title ?? anchors.get(0) ?? null;
    const role = item.path === navigation.path ? "paratext" : sectionRole(reading.types, item, reading.blocks);
    const pageType = declaredType(reading.types);
    pages[pageType] = (pages[pageType] ?? 0) + 1;
    blocks.push({ kind: "section", where: item.path, role, title });
    for (const [index, block] of reading.blocks.entries()) {
      const anchored = anchors.get(index);
      // The navigation names a place that the page itself does not mark as a heading.
      if (anchored !== undefined && index > 0 && block.kind === "paragraph" && role === "unknown") {
        blocks.push({ kind: "section", where: item.path, role, title: anchored });
      }
      blocks.push(block);
    }
    removed.push(...reading.removed);
  }
  if (blocks.length === 0) throw new FabulaError("E_EPUB", `${file} has no readable pages: its spine is empty.`);
  return { blocks, removed, warnings, pages };
}
