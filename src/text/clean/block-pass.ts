import type { Removal } from "../book.ts";
import type { Block } from "../manuscript.ts";
import { passOverLines } from "./line-pass.ts";

/**
 * The line pass over the blocks of any format: what a file's tags did not mark, its words may. A file that declares which of
 * its pages are chapters has told everything itself, and its chapters are left alone.
 */
export function cleanBlocks(blocks: readonly Block[]): { blocks: readonly Block[]; removed: readonly Removal[] } {
  if (blocks.some((block) => block.kind === "section" && block.role === "chapter")) return { blocks, removed: [] };
  const lines = blocks.map((block) => {
    switch (block.kind) {
      case "paragraph":
        return block.text;
      case "heading":
        return block.lines.join(" ");
      case "break":
      case "section":
        return "";
      default:
        return block satisfies never;
    }
  });
  const pass = passOverLines(lines, (line) => `block ${line + 1}`, { areWhole: true });
  const kept: Block[] = [];
  for (let index = pass.from; index < pass.to; index++) if (!pass.skipped.has(index)) kept.push(blocks[index]!);
  return { blocks: kept, removed: pass.removed };
}
