import type { Block } from "../manuscript.ts";

/** The navigation of an archive names places that the page may not mark: they become headings, and headings it names say so. */
export function withNavigationHeadings(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  let isSkipped = false;
  let isNamed = false;
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "section") {
      isSkipped = block.role === "paratext";
      isNamed = !isSkipped && block.title !== null;
      const next = blocks[index + 1];
      if (isNamed && block.title !== null && next?.kind === "paragraph") {
        result.push({ kind: "heading", lines: [block.title], level: 2, isListed: true });
        isNamed = false;
      }
      continue;
    }
    if (isSkipped) continue;
    result.push(isNamed && block.kind === "heading" ? { ...block, isListed: true } : block);
    isNamed = false;
  }
  return result;
}
