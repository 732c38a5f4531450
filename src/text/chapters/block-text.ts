import type { Block } from "../manuscript.ts";

/** How a scene break stands in a chapter's text. */
const SCENE_BREAK = "* * *";

/** The text of a run of blocks: paragraphs apart by one blank line. */
export function textOf(blocks: readonly Block[]): string {
  const parts: string[] = [];
  for (const block of blocks) {
    switch (block.kind) {
      case "paragraph":
        parts.push(block.text);
        break;
      case "heading":
        parts.push(block.lines.join(" "));
        break;
      case "break":
        if (!block.isPage && parts.length > 0 && parts.at(-1) !== SCENE_BREAK) parts.push(SCENE_BREAK);
        break;
      case "section":
        break;
      default:
        block satisfies never;
    }
  }
  while (parts.at(-1) === SCENE_BREAK) parts.pop();
  return parts.join("\n\n");
}

/** Enough of what was cut to recognise it. */
export function excerpt(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text;
}
