import { sumBy } from "../../stats/distribution.ts";
import { type ConsideredStrategy, PART_SEPARATOR, type Removal } from "../book.ts";
import type {
  Block,
  HeadingBlock,
  Paragraph,
  RawChapter,
  RawPartPage,
  Recognition,
  SectionStart,
  Split,
} from "../manuscript.ts";
import { countWords } from "../words.ts";
import { countingShare, FEWEST_LISTED } from "./choose.ts";
import { isOutsideStory, recogniseHeading } from "./recognise.ts";
import { isShortTitle } from "./title-case.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** The parts, books and volumes that contain a chapter, outermost first. */
export class DivisionStack {
  private readonly open: { readonly title: string; readonly key: string; readonly level: number }[] = [];

  /**
   * A division closes earlier ones of its kind and those within them: a new PART ends the BOOKs of the last one. Returns the path
   * of its own containers.
   */
  enter(title: string, { level, recognition }: { level: number; recognition: Recognition | null }): string | null {
    // Titles alone, such as the stories of a collection, are all of one kind.
    const key = recognition?.series ?? "";
    const same = this.open.findIndex((division) =>
      key === "" && level > 0 && division.level > 0
        ? division.level >= level
        : division.key === key || (level > 0 && division.level >= level),
    );
    if (same >= 0) this.open.length = same;
    const outer = this.path();
    this.open.push({ title, key, level });
    return outer;
  }

  path(): string | null {
    return this.open.length === 0 ? null : this.open.map(({ title }) => title).join(PART_SEPARATOR);
  }
}

/** A scene break in a chapter's text. */
const SCENE_BREAK = "* * *";

/** The text of a sequence of blocks, with a blank line between paragraphs. */
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

/** The beginning of removed text, enough to recognise it. */
export function excerpt(text: string): string {
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text;
}

/** Fewer words than this are a title page, an imprint, a dedication. */
const FEWEST_STORY_WORDS = 40;

/** Removed text with its length; `mayBeStory` if no rule proves that it is not narrative. */
export function removalOf(rule: string, where: string, text: string, doubtfulWords: number): Removal {
  const mayBeStory = doubtfulWords > FEWEST_STORY_WORDS;
  return { rule, where, text: excerpt(text), words: countWords(text), ...(mayBeStory && { mayBeStory }) };
}

/** A page that the file declares not to be part of the story. */
export function outsideStory({ where, isDoubtful }: SectionStart, blocks: readonly Block[]): readonly Removal[] {
  const text = textOf(blocks);
  return blocks.every(({ kind }) => kind !== "paragraph")
    ? []
    : [removalOf("page outside the story", where, text, isDoubtful ? countWords(text) : 0)];
}

/** The chapters of a file that declares its pages, in reading order. A prologue or an epilogue is a separate chapter. */
class MarkedChapters {
  readonly #chapters: RawChapter[] = [];
  readonly #parts: RawPartPage[] = [];
  /** Text below the titles of parts, with which the next chapter opens. */
  #mottoes: string[] = [];

  addPart(title: string, part: string | null): void {
    this.#parts.push({ title, part, chaptersBefore: this.#chapters.length });
  }

  addMotto(text: string): void {
    if (text !== "") this.#mottoes.push(text);
  }

  /** Notes belong to the chapter before them; before the first chapter they are one themselves. */
  addNotes(title: string | null, text: string): void {
    const last = this.#chapters.pop();
    if (!last) this.addChapter({ title, part: null, text });
    else {
      const name = title ?? "Notes";
      this.#chapters.push({
        ...last,
        text: `${last.text}\n\n${name}\n\n${text}`,
        includes: [...(last.includes ?? []), name],
      });
    }
  }

  addChapter(chapter: RawChapter): void {
    this.#chapters.push({ ...chapter, text: [...this.#mottoes, chapter.text].join("\n\n") });
    this.#mottoes = [];
  }

  finish(): { chapters: readonly RawChapter[]; parts: readonly RawPartPage[] } {
    const last = this.#mottoes.length > 0 ? this.#chapters.pop() : undefined;
    if (last) this.#chapters.push({ ...last, text: [last.text, ...this.#mottoes].join("\n\n") });
    return { chapters: this.#chapters, parts: this.#parts };
  }
}

/** If a file says what each of its pages is (`epub:type`), one page is one chapter. */
export function splitByMarks(blocks: readonly Block[]): Split {
  const list = new MarkedChapters();
  const removed: Removal[] = [];
  const divisions = new DivisionStack();
  const sections = sectionsOf(blocks);
  const isTitled = titledByLines(sections);
  for (const { section, content } of sections) {
    const headings: string[] = [];
    let level = 0;
    let begin = 0;
    // Some files put the number of a chapter into a paragraph above its title.
    const number = content[0]?.kind === "paragraph" && content[1]?.kind === "heading" ? content[0].text : "";
    if (isBareNumeral([number])) {
      headings.push(number);
      begin++;
    }
    for (let block = content[begin]; block?.kind === "heading"; block = content[++begin]) {
      if (headings.length > 0 && (isBareNumeral(block.lines) || isSectionTitle(block, level, content, begin))) break;
      if (begin >= MOST_HEADINGS) break;
      headings.push(...block.lines);
      level ||= block.level;
    }
    if (begin === 0 && isTitled(section, content)) {
      const first = content[begin++] as Paragraph;
      headings.push(...first.text.split("\n"));
    }
    const title = headings.length > 0 ? joinTitle(headings) : section.title;
    const text = textOf(content.slice(begin));
    const recognition = recogniseHeading(headings[0] ?? "");
    // An epilogue without text of its own contains chapters.
    const declared = text === "" && isFrame(section) ? "binding" : section.role;
    // A page that declares nothing may have a heading which shows that it lists the characters or names the publisher.
    const isOpen = declared === "unknown" || declared === "body";
    const role = isOpen && isOutsideStory(recognition) ? "paratext" : declared;
    switch (role) {
      case "paratext":
        removed.push(...outsideStory(section, content));
        break;
      case "notes":
        list.addNotes(title, text);
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
      case "closing":
      case "chapter":
      case "body":
      case "unknown": {
        const kind = role === "opening" ? "prologue" : role === "closing" ? "epilogue" : undefined;
        if (text !== "") list.addChapter({ title, part: divisions.path(), text, ...(kind && { kind }) });
        break;
      }
      default:
        role satisfies never;
    }
  }
  return { ...list.finish(), removed, finding: {} };
}

/** How credible the chapters are that the file declares, and the headings inside them that contradict it. */
export function declaredEvidence(blocks: readonly Block[]): {
  readonly evidence: Pick<ConsideredStrategy, "coverage" | "counting" | "inNavigation" | "unexplained">;
  readonly inner: readonly string[];
} {
  const numbers: (number | null)[] = [];
  const inner: string[] = [];
  let [all, declared, listed, holding] = [0, 0, 0, 0];
  for (const { section, content } of sectionsOf(blocks)) {
    if (section.role === "paratext") continue;
    const size = sumBy(content, (block) => (block.kind === "paragraph" ? block.text.length : 0));
    all += size;
    if (section.role !== "chapter") {
      if (isFrame(section)) declared += size;
      continue;
    }
    declared += size;
    if (section.title !== null && !section.isFileName) listed++;
    const own = content[0]?.kind === "heading" ? content[0].lines[0] : section.title;
    numbers.push(recogniseHeading(own ?? "")?.number ?? null);
    const found = chaptersInside(content);
    if (found.length > 0) holding++;
    inner.push(...found);
  }
  return {
    evidence: {
      coverage: declared / (all || 1),
      counting: countingShare(numbers),
      ...(listed >= FEWEST_LISTED && { inNavigation: listed / numbers.length }),
      ...(holding > 0 && { unexplained: holding / numbers.length }),
    },
    inner,
  };
}

/** Headings after the first paragraph that say that a chapter begins. */
function chaptersInside(content: readonly Block[]): string[] {
  const first = content.findIndex(({ kind }) => kind === "paragraph");
  return content.slice(first + 1).flatMap((block) => {
    if (block.kind !== "heading" || recogniseHeading(block.lines[0] ?? "")?.kind !== "chapter") return [];
    return [joinTitle(block.lines)];
  });
}

/**
 * Whether the first line of a chapter is its title although nothing marks it: most chapters that declare no heading begin with a
 * short line over prose, or the navigation gives the same words.
 */
function titledByLines(
  sections: readonly { section: SectionStart; content: readonly Block[] }[],
): (section: SectionStart, content: readonly Block[]) => boolean {
  const opensWithTitle = (content: readonly Block[]) => {
    const [first, second] = content;
    if (first?.kind !== "paragraph" || second?.kind !== "paragraph") return false;
    return isShortTitle(first.text.split("\n")) && first.text.length <= LONGEST_LINE && SENTENCE_END.test(second.text);
  };
  const untitled = sections.filter(
    ({ section, content }) => section.role === "chapter" && content[0]?.kind === "paragraph",
  );
  const titled = untitled.filter(({ content }) => opensWithTitle(content));
  const areMost = titled.length >= FEWEST_TITLED && titled.length > untitled.length * 0.75;
  return ({ role, title }, content) => {
    const [first] = content;
    if (first?.kind !== "paragraph") return false;
    return (
      (title !== null && headingKey(title) === headingKey(first.text)) ||
      (areMost && role === "chapter" && opensWithTitle(content))
    );
  };
}

const LONGEST_LINE = 50;
const FEWEST_TITLED = 3;
const SENTENCE_END = /[.!?…:。！？]["”’'»)）」』]*$/u;

/** A title may consist of several headings; more than these are a list, which is text. */
const MOST_HEADINGS = 20;

/** Some files mark a volume as a part; its heading shows it. A volume is only how a book is bound, so lists do not count it. */
const VOLUME_WORDS = new Set(["volume", "vol", "tome", "tomo", "band", "том"]);

/** "I" under "Epilogue" numbers its first piece and is not part of its name. */
function isBareNumeral(lines: readonly string[]): boolean {
  const recognition = lines.length === 1 ? recogniseHeading(lines[0] ?? "") : null;
  return recognition?.kind === "numeral" && recognition.rest === "";
}

/** The title of the first section inside the chapter: lower than the chapter's own, and not alone at its level. */
function isSectionTitle({ level }: HeadingBlock, own: number, content: readonly Block[], at: number): boolean {
  if (level === 0 || level <= own) return false;
  return content.slice(at + 1).some((block) => block.kind === "heading" && block.level === level);
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
