import type { HtmlReading } from "../clean/html-blocks.ts";
import type { DeclaredSection } from "../clean/html-sections.ts";
import type { Block, SectionRole } from "../manuscript.ts";
import { isDoubtful, sectionRole } from "./epub/epub-roles.ts";

/** A stretch of a page that the page itself says something about. */
export interface DeclaredPiece {
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
 * The chapters inside one page, for books that come as a single file: `<section epub:type="chapter">` one after another in
 * a part, or in nothing. Null where the page is one piece. `opensChapters` says that what stands inside a chapter counts: see
 * `hasInnerChapters`.
 */
export function declaredPieces(reading: HtmlReading, opensChapters: boolean): readonly DeclaredPiece[] | null {
  const roots = treeOf(reading.sections);
  const isSplit = (nodes: readonly Node[]) => chaptersIn(nodes).length >= 2;
  const isOpened = opensChapters && roots.some((root) => isChapter(root) && isSplit(root.children));
  if (!isSplit(roots) && !isOpened && !isMixed(roots, reading.blocks)) return null;
  const pieces: DeclaredPiece[] = [];
  const add = (role: SectionRole, from: number, to: number, doubtful = false) => {
    if (to > from) pieces.push({ role, from, to, ...(doubtful && { isDoubtful: true }) });
  };
  const visit = (node: Node) => {
    const inner = node.children.filter((child) => isChapter(child) || chaptersIn(child.children).length > 0);
    const isHolder = inner.length > 0 && (!isChapter(node) || (opensChapters && inner.length >= 2));
    const own = reading.blocks.slice(node.from, inner[0]?.from ?? node.to);
    if (!isHolder) {
      const role = roleOf(node, reading.blocks.slice(node.from, node.to));
      add(role, node.from, node.to, isDoubtful(node.types, NO_PAGE));
      return;
    }
    // What stands above the first chapter inside names the part, as a volume does; prose there is a piece of its own.
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
    extend(pieces, roots[at + 1]?.from ?? reading.blocks.length);
  }
  return pieces;
}

/** A chapter beside something that is none: a dedication, the notes to it. */
function isMixed(roots: readonly Node[], blocks: readonly Block[]): boolean {
  const isParatext = (node: Node) => roleOf(node, blocks.slice(node.from, node.to)) === "paratext";
  return roots.some((node) => chaptersIn([node]).length > 0) && roots.some(isParatext);
}

const HOLDER_TYPES = new Set("part volume division book bodymatter".split(" "));

/** Whether a page around the story, by its first mark, has chapters beside what the mark says: not inside a preface. */
export function hasStoryBeside(reading: HtmlReading): boolean {
  return treeOf(reading.sections).some(
    (root) =>
      isChapter(root) || (root.types.some((type) => HOLDER_TYPES.has(type)) && chaptersIn(root.children).length > 0),
  );
}

/** Whether this chapter is only a frame around chapters of its own: most of the book's must be, or none counts. */
export function hasInnerChapters(reading: HtmlReading): boolean {
  return treeOf(reading.sections).some((root) => isChapter(root) && chaptersIn(root.children).length >= 2);
}

/** Text between two sections belongs to the one before it: nothing is lost. */
function extend(pieces: DeclaredPiece[], to: number): void {
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

/** Volumes hold parts, books and chapters; what nests deeper is noise, and stays in the section around it. */
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
