import type { Removal } from "../../book.ts";
import type { Block, SectionStart } from "../../manuscript.ts";
import { outsideStory } from "./outside-story.ts";

/**
 * The navigation of an archive names places that the page may not mark: they become headings, and headings it names say so.
 * Pages around the story are taken out.
 */
export function withNavigationHeadings(blocks: readonly Block[]): StoryPages {
  const story = storyPages(blocks);
  if (story.blocks.some(({ kind }) => kind === "paragraph")) return story;
  // A file whose every page says that it is not the story's is not believed.
  return storyPages(blocks.map((block) => (block.kind === "section" ? { ...block, role: "unknown" } : block)));
}

interface StoryPages {
  readonly blocks: readonly Block[];
  readonly removed: readonly Removal[];
}

function storyPages(blocks: readonly Block[]): StoryPages {
  const result: Block[] = [];
  const removed: Removal[] = [];
  let skipped: { readonly section: SectionStart; readonly blocks: Block[] } | null = null;
  const endSkipped = () => {
    if (skipped !== null) removed.push(...outsideStory(skipped.section, skipped.blocks));
    skipped = null;
  };
  let isNamed = false;
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "section") {
      endSkipped();
      skipped = block.role === "paratext" ? { section: block, blocks: [] } : null;
      isNamed = skipped === null && block.title !== null;
      const next = blocks[index + 1];
      if (isNamed && block.title !== null && next?.kind === "paragraph") {
        result.push({ kind: "heading", lines: [block.title], level: 2, isListed: true });
        isNamed = false;
      }
      continue;
    }
    if (skipped !== null) {
      skipped.blocks.push(block);
      continue;
    }
    result.push(isNamed && block.kind === "heading" ? { ...block, isListed: true } : block);
    isNamed = false;
  }
  endSkipped();
  return { blocks: result, removed };
}
