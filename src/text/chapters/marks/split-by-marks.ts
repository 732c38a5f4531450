import type { Removal } from "../../book.ts";
import type { Block, SectionStart } from "../../manuscript.ts";
import { textOf } from "../block-text.ts";
import { DivisionStack } from "../divisions.ts";
import type { Split } from "../raw-chapter.ts";
import { recogniseHeading } from "../recognise.ts";
import { joinTitle } from "../titles.ts";
import { MarkedChapters } from "./marked-chapters.ts";
import { outsideStory } from "./outside-story.ts";

/** A file that says what each of its pages is (`epub:type`) is believed: one page, one chapter. */
export function splitByMarks(blocks: readonly Block[]): Split {
  const list = new MarkedChapters();
  const removed: Removal[] = [];
  const divisions = new DivisionStack();
  for (const { section, content } of sectionsOf(blocks)) {
    const headings: string[] = [];
    let level = 0;
    let begin = 0;
    for (let block = content[begin]; block?.kind === "heading"; block = content[++begin]) {
      if (headings.length > 0 && isBareNumeral(block.lines)) break;
      if (begin >= MOST_HEADINGS) break;
      headings.push(...block.lines);
      level ||= block.level;
    }
    const title = headings.length > 0 ? joinTitle(headings) : section.title;
    const text = textOf(content.slice(begin));
    const recognition = recogniseHeading(headings[0] ?? "");
    // An epilogue without text of its own holds chapters.
    const role = text === "" && isFrame(section) ? "binding" : section.role;
    switch (role) {
      case "paratext":
        removed.push(...outsideStory(section, content));
        break;
      case "division":
      case "binding": {
        list.addMotto(text);
        const name = title ?? section.where;
        const part = divisions.enter(name, { level, recognition });
        if (role === "division" && !VOLUME_WORDS.has(recognition?.series ?? "")) list.addPart(name, part);
        break;
      }
      case "opening":
        list.addOpening({ title, part: divisions.path(), text });
        break;
      case "closing":
        list.addClosing({ title, part: divisions.path(), text });
        break;
      case "chapter":
      case "unknown":
        if (text !== "") list.addChapter({ title, part: divisions.path(), text });
        break;
      default:
        role satisfies never;
    }
  }
  return { ...list.finish(), removed, finding: {} };
}

/** A title may take several headings; a whole list of them is text. */
const MOST_HEADINGS = 20;

/** Some files mark a volume as a part; its heading tells. A volume is how a book is bound, and lists do not count it. */
const VOLUME_WORDS = new Set(["volume", "vol", "tome", "tomo", "band", "том"]);

/** "I" under "Epilogue" numbers the first piece of it, and is no part of its name. */
function isBareNumeral(lines: readonly string[]): boolean {
  const recognition = lines.length === 1 ? recogniseHeading(lines[0] ?? "") : null;
  return recognition?.kind === "numeral" && recognition.rest === "";
}

function isFrame({ role }: SectionStart): boolean {
  return role === "opening" || role === "closing";
}

function sectionsOf(blocks: readonly Block[]): { section: SectionStart; content: Block[] }[] {
  const sections: { section: SectionStart; content: Block[] }[] = [];
  for (const block of blocks) {
    if (block.kind === "section") sections.push({ section: block, content: [] });
    else sections.at(-1)?.content.push(block);
  }
  return sections;
}
