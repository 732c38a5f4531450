import { Parser } from "htmlparser2";
import { FabulaError } from "../../core/errors.ts";
import type { Removal } from "../book.ts";
import { isShortTitle } from "../chapters/title-case.ts";
import type { Block } from "../manuscript.ts";
import { singleSpaced } from "../words.ts";
import {
  AUTHORS_NOTE,
  BLOCK_TAGS,
  DECOMPOSED_MARKS,
  DECOMPOSED_TAGS,
  HEADING_LEVELS,
  isLabelOfNote,
  isPlausible,
  MARKING_ATTRIBUTES,
  PAGE_FOOTER,
  REPLACED_TAGS,
} from "./html-treatments.ts";

/** Old books put the argument of a chapter into its heading; anything longer than this is prose that was marked up wrongly. */
const LONGEST_HEADING = 2000;

/** A heading that the file marks, unless it is longer than any heading. */
export function headingBlock(lines: readonly string[], level: number): Block {
  let length = 0;
  for (const line of lines) length += line.length;
  return length > LONGEST_HEADING ? { kind: "paragraph", text: lines.join("\n") } : { kind: "heading", lines, level };
}

/** `<section epub:type="chapter">` and its like: blocks `from` up to, not including, `to`. */
export interface DeclaredSection {
  readonly types: readonly string[];
  readonly from: number;
  readonly to: number;
  /** How many declared sections contain it. */
  readonly depth: number;
}

/** The sections of a page that declare their kind, in the order in which they begin. */
class HtmlSections {
  readonly sections: { types: readonly string[]; from: number; to: number; depth: number }[] = [];
  private readonly opened: { at: number; depth: number }[] = [];
  /** The depth of the innermost open section; 0 outside of all. */
  private innermost = 0;

  open(types: readonly string[], blocksBefore: number, depth: number): void {
    this.opened.push({ at: this.sections.length, depth });
    this.innermost = depth;
    this.sections.push({ types, from: blocksBefore, to: blocksBefore, depth: this.opened.length - 1 });
  }

  /** Whether the element that closes at this depth is the innermost open section. */
  closesAt(depth: number): boolean {
    return depth <= this.innermost;
  }

  close(blocksBefore: number): void {
    const section = this.opened.pop();
    if (section) this.sections[section.at]!.to = blocksBefore;
    this.innermost = this.opened.at(-1)?.depth ?? 0;
  }

  closeAll(blocksBefore: number): void {
    while (this.opened.length > 0) this.close(blocksBefore);
  }
}

/** What an element says it is: the words of `epub:type` and of a digital-publishing `role`. */
function typesOf(attributes: Record<string, string>): string[] {
  const { role = "" } = attributes;
  const words = `${attributes["epub:type"] ?? ""} ${role.startsWith("doc-") ? role.slice(4) : ""}`;
  return words.split(/\s+/).filter(Boolean);
}

/** Elements that may contain a chapter; a paragraph or heading may also have an `epub:type`, but contains none. */
const SECTION_TAGS = new Set(["section", "article", "div"]);

/** Marks to ignore: everywhere, or at the elements with these numbers. */
interface Spared {
  readonly rules: ReadonlySet<string>;
  readonly elements: ReadonlySet<number>;
}

/** Removes elements from a page with everything inside, and checks whether that was right. */
class Decomposition {
  readonly removed: Removal[] = [];
  /** How many characters each rule removed. */
  readonly lengths = new Map<string, number>();
  /** The numbers of elements whose text contradicts their declared kind. */
  readonly implausible = new Set<number>();
  private readonly spared: Spared;
  private readonly where: string;
  /** The depth at which the element began; 0 when nothing is being removed. */
  private from = 0;
  private rule: string | null = null;
  private text = "";
  private element = 0;

  constructor(where: string, spared: Spared) {
    this.where = where;
    this.spared = spared;
  }

  get isOpen(): boolean {
    return this.from > 0;
  }

  /** Begins skipping if the element is to be removed, and says whether it did. */
  begin(name: string, attributes: Record<string, string>, depth: number, element: number): boolean {
    const rule = this.ruleFor(name, attributes, element);
    if (rule !== null) this.take(rule, depth, element);
    return rule !== null;
  }

  /** Begins to remove the writer's note to the readers, together with its label, unless the first pass found that it is story. */
  beginNote(label: string, depth: number, element: number): boolean {
    if (this.spared.elements.has(element) || this.spared.rules.has(AUTHORS_NOTE)) return false;
    this.take(AUTHORS_NOTE, depth, element);
    this.text = `${label} `;
    return true;
  }

  private take(rule: string, depth: number, element: number): void {
    this.from = depth;
    this.rule = rule === NO_REPORT ? null : rule;
    this.text = "";
    this.element = element;
  }

  add(text: string): void {
    if (this.rule === null) return;
    this.excerpt(text);
    this.lengths.set(this.rule, (this.lengths.get(this.rule) ?? 0) + text.length);
  }

  /** A tag inside the removed element that separates words. */
  addSpace(): void {
    this.excerpt(" ");
  }

  close(depth: number): void {
    if (depth > this.from) return;
    const text = singleSpaced(this.text);
    if (this.rule !== null && text !== "") {
      if (!isPlausible(this.rule, text)) this.implausible.add(this.element);
      this.removed.push({ rule: this.rule, where: this.where, text });
    }
    this.from = 0;
    this.rule = null;
  }

  private excerpt(text: string): void {
    if (this.text.length < LONGEST_EXCERPT) this.text += text;
  }

  private ruleFor(name: string, attributes: Record<string, string>, element: number): string | null {
    if (DECOMPOSED_TAGS.has(name)) return NO_REPORT;
    if (name === "body" || name === "html" || HEADING_LEVELS[name] !== undefined) return null;
    const isSpared = this.spared.elements.has(element);
    if (name === "footer" && !isSpared && !this.spared.rules.has(PAGE_FOOTER)) return PAGE_FOOTER;
    let marks = "";
    for (const attribute of MARKING_ATTRIBUTES) {
      // An anchor's id names a place, not its content; old pages also leave anchors open.
      if (attributes[attribute] && !(name === "a" && attribute === "id")) marks += ` ${attributes[attribute]}`;
    }
    if (marks === "" || isSpared) return null;
    const { rules } = this.spared;
    return DECOMPOSED_MARKS.find(({ rule, pattern }) => pattern.test(marks) && !rules.has(rule))?.rule ?? null;
  }
}

/** A script or a style sheet has no text for a report. */
const NO_REPORT = "";
const LONGEST_EXCERPT = 4000;

/** A class that means "title of a chapter", on an ordinary paragraph. */
const TITLE_CLASS = /\bchap(?:ter)?s?[-_]?(?:title|head(?:ing|er)?|num(?:ber)?|name|no)\b/i;
const TITLE_CLASS_LEVEL = 3;
const BOLD_TAGS = new Set(["b", "strong"]);
const BOLD_CLASS = /(?:^|\s)bold\d*(?:\s|$)/i;
const LONGEST_CLASS_TITLE = 120;

/** How the open block is formatted: many files have no heading tags, and mark a title by bold type or a class. */
class Setting {
  #isTitleClass = false;
  /** The depth at which bold began; 0 outside of it. */
  #boldFrom = 0;
  #hasBold = false;
  #hasPlain = false;

  openBlock(classes: string): void {
    this.#isTitleClass = TITLE_CLASS.test(classes);
  }

  open(name: string, classes: string, depth: number): void {
    if (this.#boldFrom === 0 && (BOLD_TAGS.has(name) || (classes !== "" && BOLD_CLASS.test(classes)))) {
      this.#boldFrom = depth;
    }
  }

  close(depth: number): void {
    if (this.#boldFrom >= depth) this.#boldFrom = 0;
  }

  add(text: string): void {
    if (this.#boldFrom > 0) this.#hasBold = true;
    else if (!this.#hasPlain && text.trim() !== "") this.#hasPlain = true;
  }

  endText(): void {
    this.#isTitleClass = false;
    this.#hasBold = false;
    this.#hasPlain = false;
  }

  /** 0: only a candidate, like a line in capitals in a plain text; null: a paragraph. */
  headingLevel(lines: readonly string[]): number | null {
    if (this.#isTitleClass && lines.join(" ").length <= LONGEST_CLASS_TITLE) return TITLE_CLASS_LEVEL;
    return this.#hasBold && !this.#hasPlain && isShortTitle(lines) ? 0 : null;
  }
}

const SHORTEST_FILLED = 50;

/** Lines of prose that a preformatted text wraps: all but the last about as long as the longest. */
function areFilled(lines: readonly string[]): boolean {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  return longest >= SHORTEST_FILLED && lines.slice(0, -1).every(({ length }) => length >= longest * 0.75);
}

export interface HtmlBlocks {
  readonly blocks: Block[];
  readonly removed: readonly Removal[];
  readonly title: string | null;
  readonly metadata: ReadonlyMap<string, string>;
  /** Every `epub:type` and digital-publishing `role` word of the body and its first section. */
  readonly types: readonly string[];
  /** Every section that declares its kind, in the order in which they begin. */
  readonly sections: readonly DeclaredSection[];
  /** For each requested id, how many blocks precede it. */
  readonly anchors: ReadonlyMap<string, number>;
}

export interface HtmlOptions {
  readonly where: string;
  readonly xml?: boolean;
  /** The ids whose places are wanted. */
  readonly anchors?: ReadonlySet<string>;
}

/** LiteraryQA's first algorithm as one pass over the parser's events: no tree is built, so a book costs no more than its text. */
export function htmlToBlocks(html: string, options: HtmlOptions): HtmlBlocks {
  const first = readOnce(html, options, { rules: new Set(), elements: new Set() });
  // Narrative is never lost: a mark is ignored if it would remove a quarter of the page, or text of another kind.
  const greedy = [...first.lengths].filter(([, length]) => length > html.length / 4).map(([rule]) => rule);
  if (greedy.length === 0 && first.implausible.size === 0) return first;
  return readOnce(html, options, { rules: new Set(greedy), elements: first.implausible });
}

function readOnce(html: string, options: HtmlOptions, spared: Spared) {
  const reader = new BlockReader(options, spared);
  const parser = new Parser(reader.handlers(), {
    xmlMode: options.xml ?? false,
    // To decode entities, the parser has to read the text character by character; otherwise it can skip it.
    decodeEntities: html.includes("&"),
    lowerCaseTags: true,
    recognizeSelfClosing: true,
  });
  parser.write(html);
  parser.end();
  return reader.finish();
}

class BlockReader {
  private readonly options: HtmlOptions;
  private readonly blocks: Block[] = [];
  private readonly metadata = new Map<string, string>();
  private readonly types: string[] = [];
  private documentTitle = "";
  private inTitle = false;
  private sectionCount = 0;
  private readonly sections = new HtmlSections();

  private text = "";
  private headingLevel = 0;
  private headingDepth = 0;
  private preformatted = 0;
  private readonly setting = new Setting();
  /** Where the writer's name begins in the open text; -1 outside of it. */
  private authorFrom = -1;
  private inLink = false;
  /** The text before the last tag; empty after the start of a line or block. */
  private before = "";
  private depth = 0;
  private elements = 0;

  private readonly anchors = new Map<string, number>();
  private readonly decomposition: Decomposition;

  constructor(options: HtmlOptions, spared: Spared) {
    this.options = options;
    this.decomposition = new Decomposition(options.where, spared);
  }

  handlers() {
    return {
      onopentag: (name: string, attributes: Record<string, string>) => this.open(name, attributes),
      onclosetag: (name: string) => this.close(name),
      ontext: (text: string) => this.add(text),
    };
  }

  finish(): HtmlBlocks & Pick<Decomposition, "lengths" | "implausible"> {
    this.flush();
    this.sections.closeAll(this.blocks.length);
    const { blocks, metadata, types, anchors } = this;
    const { sections } = this.sections;
    const { removed, lengths, implausible } = this.decomposition;
    const title = singleSpaced(this.documentTitle) || null;
    return { blocks, removed, metadata, types, sections, anchors, title, lengths, implausible };
  }

  private open(name: string, attributes: Record<string, string>): void {
    this.depth++;
    this.elements++;
    if (this.depth > DEEPEST_NESTING) {
      throw new FabulaError(
        "E_HTML",
        `${this.options.where} nests elements more than ${DEEPEST_NESTING} deep: it is not a book.`,
      );
    }
    if (this.decomposition.isOpen) {
      if (name === "title") this.inTitle = true;
      if (name === "meta") this.meta(attributes);
      if (name === "br" || BLOCK_TAGS.has(name)) this.decomposition.addSpace();
      return;
    }
    this.setting.open(name, attributes.class ?? "", this.depth);
    const id = attributes.id ?? (name === "a" ? attributes.name : undefined);
    if (BLOCK_TAGS.has(name)) this.openBlock(name, attributes);
    if (name === "a" && attributes.rel === "author") this.authorFrom = this.text.length;
    if (name === "a" && attributes.href?.startsWith("#")) this.inLink = true;
    if (id !== undefined && this.options.anchors?.has(id) && !this.anchors.has(id)) {
      this.anchors.set(id, this.blocks.length + (this.text.trim() === "" ? 0 : 1));
    }
    if (name === "blockquote" && this.beginsNote()) return;
    if (this.decomposition.begin(name, attributes, this.depth, this.elements)) {
      if (name === "title") this.inTitle = true;
      return;
    }
    switch (REPLACED_TAGS[name]) {
      case "line break":
        this.text += LINE_BREAK;
        this.before = "";
        break;
      case "scene break":
        this.blocks.push({ kind: "break" });
        break;
      default:
        if (name === "img") this.dropCapital(attributes.alt ?? "");
        else if (name === "td" || name === "th") this.text += " ";
    }
  }

  /** Removes a quoted block directly under "Chapter Notes", together with the label. */
  private beginsNote(): boolean {
    const last = this.blocks.at(-1);
    if (last?.kind !== "paragraph" || !isLabelOfNote(last.text)) return false;
    if (!this.decomposition.beginNote(last.text, this.depth, this.elements)) return false;
    this.blocks.pop();
    return true;
  }

  private openBlock(name: string, attributes: Record<string, string>): void {
    if (name === "body" || name === "section" || name === "article" || (name === "div" && attributes["epub:type"]))
      this.noteTypes(name, attributes);
    if (SECTION_TAGS.has(name)) this.openSection(typesOf(attributes));
    const level = HEADING_LEVELS[name];
    if (this.headingDepth > 0) {
      // Inside a heading or a heading group, each block is a line of one heading.
      this.text += LINE_BREAK;
      if (level !== undefined && this.headingLevel === 0) this.headingLevel = level;
      return;
    }
    this.flush();
    if (level !== undefined || name === "hgroup") {
      this.headingDepth = this.depth;
      this.headingLevel = level ?? 0;
    }
    this.setting.openBlock(attributes.class ?? "");
    if (name === "pre") this.preformatted++;
  }

  private openSection(types: readonly string[]): void {
    if (types.length === 0) return;
    this.flush();
    this.sections.open(types, this.blocks.length, this.depth);
  }

  private close(name: string): void {
    if (!this.decomposition.isOpen && this.sections.closesAt(this.depth)) {
      this.flush();
      this.sections.close(this.blocks.length);
    }
    if (name === "a") this.inLink = false;
    if (this.decomposition.isOpen) {
      if (name === "title") this.inTitle = false;
      this.decomposition.close(this.depth);
    } else if (this.headingDepth > 0) {
      if (this.depth <= this.headingDepth) {
        this.flush();
        this.headingDepth = 0;
        this.headingLevel = 0;
      }
    } else if (name === "a" && this.authorFrom >= 0) {
      this.noteAuthor();
    } else if (BLOCK_TAGS.has(name)) {
      this.flush();
      if (name === "pre") this.preformatted--;
    }
    this.setting.close(this.depth);
    this.depth--;
  }

  private add(text: string): void {
    if (this.inTitle) this.documentTitle += text;
    if (this.decomposition.isOpen) {
      this.decomposition.add(text);
      return;
    }
    this.setting.add(text);
    if (this.inLink && isNoteNumber(text, this.before)) this.text += `[${text}]`;
    else this.text += this.preformatted > 0 ? text.replace(/\r\n?|\n/g, LINE_BREAK) : text;
    this.before = text;
  }

  /** An illustrated initial: the picture's `alt` is the first letter of the chapter. */
  private dropCapital(alt: string): void {
    if (/^["“‘']?\p{L}$/u.test(alt.trim())) this.text += alt.trim();
  }

  private noteTypes(name: string, attributes: Record<string, string>): void {
    if (name !== "body") this.sectionCount++;
    if (this.sectionCount > 2) return;
    for (const type of typesOf(attributes)) this.types.push(type);
  }

  /** `<a rel="author">`: how sites without other metadata name the writer. */
  private noteAuthor(): void {
    const author = singleSpaced(this.text.slice(this.authorFrom));
    if (author !== "" && !this.metadata.has("author")) this.metadata.set("author", author);
    this.authorFrom = -1;
  }

  private meta(attributes: Record<string, string>): void {
    const key = (attributes.name ?? attributes.property)?.toLowerCase();
    if (key && attributes.content && !this.metadata.has(key)) this.metadata.set(key, singleSpaced(attributes.content));
  }

  private flush(): void {
    const { text } = this;
    if (text === "") return;
    this.text = "";
    this.authorFrom = -1;
    this.before = "";
    // Two line breaks in a row separate paragraphs, as the blank lines of a preformatted text do.
    if (this.headingDepth > 0 || !text.includes(LINE_BREAK)) this.push(text);
    else for (const paragraph of text.split(BLANK_LINES)) this.push(paragraph);
    this.setting.endText();
  }

  private push(text: string): void {
    const lines = text.includes(LINE_BREAK)
      ? text.split(LINE_BREAK).map(singleSpaced).filter(Boolean)
      : [singleSpaced(text)];
    if (lines.length === 0 || lines[0] === "") return;
    const level = this.headingDepth > 0 ? Math.max(1, this.headingLevel) : this.setting.headingLevel(lines);
    if (level !== null) this.blocks.push(headingBlock(lines, level));
    else
      this.blocks.push({ kind: "paragraph", text: lines.join(this.preformatted > 0 && areFilled(lines) ? " " : "\n") });
  }
}

/** Marks a line break of the page (`<br>`), unlike the line ends of its source; Unicode's line separator. */
const LINE_BREAK = "\u2028";
/** Pages nest a few dozen elements; the parser's cost grows with the depth. */
const DEEPEST_NESTING = 5000;
const BLANK_LINES = /\u2028\s*\u2028/;

/** "He lied.1": the raised number of a note, directly after a word; in brackets it looks like the notes themselves. */
function isNoteNumber(text: string, before: string): boolean {
  return text.length <= 3 && /^\d+$/.test(text) && /[^\s\d[(]$/u.test(before.slice(-1));
}
