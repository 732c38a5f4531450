import type { Removal } from "../book.ts";
import type { Block, SectionStart } from "../manuscript.ts";
import { excerpt, textOf } from "./block-text.ts";
import { DivisionStack } from "./divisions.ts";
import type { RawChapter, Split } from "./raw-chapter.ts";
import { recogniseHeading } from "./recognise.ts";
import { joinTitle } from "./titles.ts";

/** A file that says what each of its pages is (`epub:type`) is believed: one page, one chapter. */
export function splitByMarks(blocks: readonly Block[]): Split {
  const chapters: RawChapter[] = [];
  const removed: Removal[] = [];
  const divisions = new DivisionStack();
  for (const { section, content } of sectionsOf(blocks)) {
    const headings: string[] = [];
    let level = 0;
    let begin = 0;
    for (let block = content[begin]; block?.kind === "heading"; block = content[++begin]) {
      headings.push(...block.lines);
      level ||= block.level;
    }
    const title = headings.length > 0 ? joinTitle(headings) : section.title;
    const text = textOf(content.slice(begin));
    switch (section.role) {
      case "paratext":
        if (text !== "") removed.push({ rule: "page outside the story", where: section.where, text: excerpt(text) });
        break;
      case "division":
        if (text !== "") removed.push({ rule: "motto of a part", where: section.where, text: excerpt(text) });
        divisions.enter(title ?? section.where, { level, recognition: recogniseHeading(headings[0] ?? "") });
        break;
      case "chapter":
      case "unknown":
        if (text !== "") chapters.push({ title, part: divisions.path(), text });
        break;
      default:
        section.role satisfies never;
    }
  }
  return { chapters, removed, warnings: [] };
}

function sectionsOf(blocks: readonly Block[]): { section: SectionStart; content: Block[] }[] {
  const sections: { section: SectionStart; content: Block[] }[] = [];
  for (const block of blocks) {
    if (block.kind === "section") sections.push({ section: block, content: [] });
    else sections.at(-1)?.content.push(block);
  }
  return sections;
}
