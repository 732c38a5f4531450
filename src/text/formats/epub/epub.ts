import { declaredEncoding, decodeDeclared } from "../../../core/encoding.ts";
import { FabulaError } from "../../../core/errors.ts";
import { sumBy } from "../../../stats/distribution.ts";
import type { Removal } from "../../book.ts";
import { recogniseHeading } from "../../chapters/recognise.ts";
import { type DeclaredSection, type HtmlBlocks, htmlToBlocks } from "../../clean/html-blocks.ts";
import { type Archive, isZip, openArchive } from "../../files/archive.ts";
import { checkProduced } from "../../files/read-file.ts";
import type { Block, Manuscript, Recognition, SectionRole } from "../../manuscript.ts";
import type { Format, FormatInput } from "../format.ts";
import { decodeXml, localName, parseXml } from "../xml.ts";
import { type Package, readPackage, resolveHref, type SpineItem } from "./epub-package.ts";
import { declaredType, isDoubtful, sectionRole } from "./epub-roles.ts";

/** A part of a page whose role the page itself declares. */
interface DeclaredPart {
  readonly role: SectionRole;
  readonly from: number;
  readonly to: number;
  readonly isDoubtful?: boolean;
}

interface Node extends DeclaredSection {
  readonly children: Node[];
}

const CHAPTER_TYPES = new Set(
  "chapter subchapter z3998:subchapter story se:short-story z3998:short-story se:novella prologue epilogue".split(" "),
);

/**
 * The chapters inside one page, for books that come as a single file: `<section epub:type="chapter">` one after another, in a
 * part or at the top level. Null if the page is one piece. With `opensChapters`, chapters declared inside a chapter count: see
 * `areOnlyFrames`.
 */
function declaredParts(html: HtmlBlocks, opensChapters: boolean): readonly DeclaredPart[] | null {
  const roots = treeOf(html.sections);
  const isSplit = (nodes: readonly Node[]) => chaptersIn(nodes).length >= 2;
  const isOpened = opensChapters && roots.some((root) => isChapter(root) && isSplit(root.children));
  if (!isSplit(roots) && !isOpened && !isMixed(roots, html.blocks)) return null;
  const pieces: DeclaredPart[] = [];
  const add = (role: SectionRole, from: number, to: number, doubtful = false) => {
    if (to > from) pieces.push({ role, from, to, ...(doubtful && { isDoubtful: true }) });
  };
  const visit = (node: Node) => {
    const inner = node.children.filter((child) => isChapter(child) || chaptersIn(child.children).length > 0);
    const isHolder = inner.length > 0 && (!isChapter(node) || (opensChapters && inner.length >= 2));
    const own = html.blocks.slice(node.from, inner[0]?.from ?? node.to);
    if (!isHolder) {
      const role = roleOf(node, html.blocks.slice(node.from, node.to));
      add(role, node.from, node.to, isDoubtful(node.types, NO_PAGE));
      return;
    }
    // The text above the first inner chapter names the part, as a volume does; prose there is a piece of its own.
    add(own.some(isProse) ? "chapter" : "binding", node.from, inner[0]!.from);
    for (const [at, child] of inner.entries()) {
      visit(child);
      extend(pieces, inner[at + 1]?.from ?? node.to);
    }
  };
  const first = roots[0]!;
  add("unknown", 0, first.from);
  for (const [at, root] of roots.entries()) {
    visit(root);
    extend(pieces, roots[at + 1]?.from ?? html.blocks.length);
  }
  return pieces;
}

/** Whether a page has a chapter beside something else, such as a dedication or notes. */
function isMixed(roots: readonly Node[], blocks: readonly Block[]): boolean {
  const isParatext = (node: Node) => roleOf(node, blocks.slice(node.from, node.to)) === "paratext";
  return roots.some((node) => chaptersIn([node]).length > 0) && roots.some(isParatext);
}

const HOLDER_TYPES = new Set("part volume division book bodymatter".split(" "));

/** Whether a page that is paratext by its first mark also has chapters, outside of a preface. */
function hasStoryBeside(html: HtmlBlocks): boolean {
  return treeOf(html.sections).some(
    (root) =>
      isChapter(root) || (root.types.some((type) => HOLDER_TYPES.has(type)) && chaptersIn(root.children).length > 0),
  );
}

/** A chapter that declares chapters of its own, with the headings of both. */
interface Frame {
  readonly own: Recognition | null;
  readonly inner: readonly (Recognition | null)[];
}

function framesOf({ sections, blocks }: HtmlBlocks): Frame[] {
  const headingAt = (at: number) => {
    const block = blocks[at];
    return block?.kind === "heading" ? recogniseHeading(block.lines[0] ?? "") : null;
  };
  return treeOf(sections).flatMap((root) => {
    const inner = isChapter(root) ? chaptersIn(root.children) : [];
    return inner.length < 2 ? [] : [{ own: headingAt(root.from), inner: inner.map(({ from }) => headingAt(from)) }];
  });
}

/**
 * Whether the declared chapters are only frames around the chapters inside them. Most of the book's chapters must contain others.
 * They are the real chapters nevertheless if they are called chapters, or if they are numbered and the numbers of the inner ones
 * start again in each.
 */
function areOnlyFrames(pages: readonly Page[]): boolean {
  const chapterPages = pages.filter(({ role }) => role === "chapter");
  const frames = chapterPages.flatMap(({ html }) => framesOf(html).slice(0, 1));
  if (frames.length <= chapterPages.length / 2) return false;
  const most = (is: (frame: Frame) => boolean) => frames.filter(is).length > frames.length / 2;
  if (most(({ own }) => own?.kind === "chapter")) return false;
  if (most(({ own }) => own?.kind === "division")) return true;
  const inner = frames.flatMap((frame) => frame.inner);
  const restarts = inner.filter((heading) => heading?.number === 1).length;
  const countsOn = restarts <= 1 && inner.filter((heading) => heading?.number != null).length > inner.length / 2;
  return countsOn || !most(({ own }) => own?.number != null);
}

/** Text between two sections belongs to the one before it: nothing is lost. */
function extend(pieces: DeclaredPart[], to: number): void {
  const last = pieces.at(-1);
  if (last && last.to < to) pieces[pieces.length - 1] = { ...last, to };
}

function roleOf(node: Node, blocks: readonly Block[]): SectionRole {
  if (node.types.some((type) => type.endsWith("subchapter"))) return "chapter";
  return sectionRole(node.types, NO_PAGE, blocks);
}

/** A section inside a page: neither the guide nor the spine says anything about it. */
const NO_PAGE = { path: "", guide: null };

function isChapter({ types }: DeclaredSection): boolean {
  return types.some((type) => CHAPTER_TYPES.has(type));
}

/** The outermost chapters at or under these nodes. */
function chaptersIn(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => (isChapter(node) ? [node] : chaptersIn(node.children)));
}

function isProse(block: Block): boolean {
  return block.kind === "paragraph" && block.text.length > LONGEST_MOTTO;
}

const LONGEST_MOTTO = 200;

/** Volumes contain parts, books and chapters; anything nested deeper is noise, and stays in the section around it. */
const DEEPEST_SECTION = 20;

function treeOf(sections: readonly DeclaredSection[]): Node[] {
  const roots: Node[] = [];
  const open: Node[] = [];
  for (const section of sections) {
    if (section.depth >= DEEPEST_SECTION) continue;
    const node: Node = { ...section, children: [] };
    open.length = Math.min(open.length, section.depth);
    (open.at(-1)?.children ?? roots).push(node);
    open.push(node);
  }
  return roots;
}

interface Place {
  readonly fragment: string | null;
  readonly title: string;
}

interface Navigation {
  /** The nav document itself, which some programs also put into the spine. */
  readonly path: string | null;
  /** For each page of the book the places that the table of contents names, in order. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
}

/** The table of contents: EPUB 3's nav document where there is one, else EPUB 2's NCX, else nothing. */
function readNavigation(archive: Archive, bookPackage: Package): Navigation {
  const places = new Map<string, Place[]>();
  const known = new Set<string>();
  const add = (from: string, href: string, title: string) => {
    const { path, fragment } = resolveHref(from, href);
    const list = places.get(path) ?? [];
    const key = `${path}#${fragment ?? ""}`;
    if (title !== "" && !known.has(key)) {
      list.push({ fragment, title });
      known.add(key);
    }
    places.set(path, list);
  };
  const { navPath, ncxPath } = bookPackage;
  const nav = navPath === null ? null : archive.bytes(navPath);
  if (navPath !== null && nav !== null) readNav(decodeXml(nav), (href, title) => add(navPath, href, title));
  const ncx = places.size > 0 || ncxPath === null ? null : archive.bytes(ncxPath);
  if (ncxPath !== null && ncx !== null) readNcx(decodeXml(ncx), (href, title) => add(ncxPath, href, title));
  return { path: navPath, places };
}

type AddPlace = (href: string, title: string) => void;

function readNav(xml: string, add: AddPlace): void {
  let depth = 0;
  let tocDepth = 0;
  let href: string | null = null;
  let title = "";
  parseXml(xml, {
    open(name, attributes) {
      depth++;
      const isToc = /\btoc\b/.test(`${attributes["epub:type"] ?? ""} ${attributes.role ?? ""}`);
      if (localName(name) === "nav" && isToc) tocDepth = depth;
      if (tocDepth > 0 && localName(name) === "a") {
        href = attributes.href ?? null;
        title = "";
      }
    },
    text(text) {
      if (href !== null) title += text;
    },
    close(name) {
      if (localName(name) === "a" && href !== null) {
        add(href, tidy(title));
        href = null;
      }
      if (depth === tocDepth) tocDepth = 0;
      depth--;
    },
  });
}

function readNcx(xml: string, add: AddPlace): void {
  let title = "";
  let inLabel = false;
  let inMap = false;
  parseXml(xml, {
    open(name, attributes) {
      const local = localName(name);
      if (local === "navMap") inMap = true;
      else if (local === "navLabel") {
        inLabel = true;
        title = "";
      } else if (local === "content" && inMap && attributes.src) add(attributes.src, tidy(title));
    },
    text(text) {
      if (inLabel) title += text;
    },
    close(name) {
      const local = localName(name);
      if (local === "navLabel") inLabel = false;
      else if (local === "navMap") inMap = false;
    },
  });
}

/** A part's title is stored with every one of its chapters, so a very long title is shortened. */
const LONGEST_TITLE = 1000;

function tidy(title: string): string {
  const even = title.replace(/\s+/g, " ").trim();
  return even.length > LONGEST_TITLE ? `${even.slice(0, LONGEST_TITLE)}…` : even;
}

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
      produced += sumBy(read, ({ html }) => sumBy(html.blocks, (block) => ("text" in block ? block.text.length : 0)));
      checkProduced(produced, name);
      return read;
    });
    if (pages.length === 0) throw new FabulaError("E_EPUB", `${name} has no readable pages: its spine is empty.`);
    return { ...joinPages(pages), warnings, metadata: bookPackage.metadata, encoding: "UTF-8" };
  },
};

/** A book may name a page twice by mistake; one that does so hundreds of times was built to use up memory. */
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
  readonly html: HtmlBlocks;
  readonly title: string | null;
  /** The titles that the navigation gives to places inside the page, by the block after them. */
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
  const html = htmlToBlocks(text, { where: item.path, xml: false, anchors });
  const places = new Map<number, string>();
  for (const [id, blocksBefore] of html.anchors) {
    if (!places.has(blocksBefore)) places.set(blocksBefore, titles.get(id)!);
  }
  const title = titles.get(null) ?? places.get(0) ?? null;
  const isNavigation = item.path === navigation.path;
  const role = isNavigation || item.isAside ? "paratext" : sectionRole(html.types, item, html.blocks);
  const doubtful = !isNavigation && isDoubtful(html.types, item);
  return [{ where: item.path, role, isDoubtful: doubtful, html, title, places }];
}

function joinPages(pages: readonly Page[]) {
  const blocks: Block[] = [];
  const removed: Removal[] = [];
  const types: Record<string, number> = {};
  const opensChapters = areOnlyFrames(pages);
  for (const page of pages) {
    const type = declaredType(page.html.types);
    types[type] = (types[type] ?? 0) + 1;
    for (const block of pageBlocks(page, opensChapters)) blocks.push(block);
    for (const removal of page.html.removed) removed.push(removal);
  }
  return { blocks, removed, pages: types };
}

function pageBlocks(page: Page, opensChapters: boolean): readonly Block[] {
  const { where, role, html, title, places } = page;
  // A page may contain a dedication and the first chapter.
  const pieces = role === "paratext" && !hasStoryBeside(html) ? null : declaredParts(html, opensChapters);
  if (pieces !== null) {
    return pieces.flatMap((piece): Block[] => [
      {
        ...{ kind: "section", where, role: piece.role, title: places.get(piece.from) ?? null },
        isDoubtful: piece.isDoubtful ?? false,
      },
      ...html.blocks.slice(piece.from, piece.to),
    ]);
  }
  const blocks: Block[] = [{ kind: "section", where, role, title, isDoubtful: page.isDoubtful }];
  for (const [index, block] of html.blocks.entries()) {
    const place = places.get(index);
    // The navigation names a place that the page itself does not mark as a heading.
    if (place !== undefined && index > 0 && (role === "unknown" || role === "body")) {
      blocks.push({ kind: "section", where, role, title: place });
    }
    blocks.push(block);
  }
  return blocks;
}
