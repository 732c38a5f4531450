import { Parser } from "htmlparser2";
import { FabulaError } from "../../core/errors.ts";
import type { Removal } from "../book.ts";
import type { Block } from "../manuscript.ts";
import {
  BLOCK_TAGS,
  DECOMPOSED_MARKS,
  DECOMPOSED_TAGS,
  HEADING_LEVELS,
  isPlausible,
  MARKING_ATTRIBUTES,
  REPLACED_TAGS,
} from "./html-treatments.ts";
import { Setting } from "./setting.ts";
import { squeeze } from "./squeeze.ts";

export interface HtmlReading {
  readonly blocks: Block[];
  readonly removed: readonly Removal[];
  readonly title: string | null;
  readonly metadata: ReadonlyMap<string, string>;
  /** Every `epub:type` and digital-publishing `role` word of the body and its first section. */
  readonly types: readonly string[];
  /** Every section that says what it is, in the order in which they begin. */
  readonly sections: readonly DeclaredSection[];
  /** Of the ids asked for, how many blocks stand before each. */
  readonly anchors: ReadonlyMap<string, number>;
}

/** `<section epub:type="chapter">` and its like: blocks `from` up to, not including, `to`. */
export interface DeclaredSection {
  readonly types: readonly string[];
  readonly from: number;
  readonly to: number;
  /** How many declared sections it stands in. */
  readonly depth: number;
}

export interface HtmlOptions {
  readonly where: string;
  readonly xml?: boolean;
  /** The ids whose places are wanted. */
  readonly anchors?: ReadonlySet<string>;
}

/** LiteraryQA's first algorithm as one pass over the parser's events: no tree is built, so a book costs no more than its text. */
export function htmlToBlocks(html: string, options: HtmlOptions): HtmlReading {
  const reading = readOnce(html, options, { rules: new Set(), elements: new Set() });
  // Narrative is never lost: a mark that would take a quarter of the page, or takes a text that is no such thing, does not
  // mean what it says.
  const greedy = reading.decomposed.filter(({ length }) => length > html.length / 4).map(({ rule }) => rule);
  if (greedy.length === 0 && reading.implausible.size === 0) return reading;
  return readOnce(html, options, { rules: new Set(greedy), elements: reading.implausible });
}

/** Marks that are not believed: everywhere, or at the elements with these numbers. */
interface Spared {
  readonly rules: ReadonlySet<string>;
  readonly elements: ReadonlySet<number>;
}

function readOnce(html: string, options: HtmlOptions, spared: Spared) {
  const reader = new BlockReader(options, spared);
  const parser = new Parser(reader.handlers(), {
    xmlMode: options.xml ?? false,
    // Looking for entities takes the parser character by character through the text, which it otherwise skips.
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
  private readonly removed: Removal[] = [];
  private readonly metadata = new Map<string, string>();
  private readonly types: string[] = [];
  private documentTitle = "";
  private inTitle = false;
  private sectionCount = 0;
  private readonly sections: { types: readonly string[]; from: number; to: number; depth: number }[] = [];
  private readonly openSections: { at: number; depth: number }[] = [];

  private text = "";
  private headingLevel = 0;
  private headingDepth = 0;
  private preformatted = 0;
  private readonly setting = new Setting();
  /** Where the writer's name begins in the open text; -1 outside of it. */
  private authorFrom = -1;
  private depth = 0;
  private elements = 0;
  /** Depth at which the element being decomposed began; 0 when nothing is. */
  private decomposing = 0;
  private decomposedRule: string | null = null;
  private decomposedText = "";
  private decomposedElement = 0;

  private readonly anchors = new Map<string, number>();
  private readonly decomposedLengths = new Map<string, number>();
  private readonly implausible = new Set<number>();
  private readonly spared: Spared;

  constructor(options: HtmlOptions, spared: Spared) {
    this.options = options;
    this.spared = spared;
  }

  handlers() {
    return {
      onopentag: (name: string, attributes: Record<string, string>) => this.open(name, attributes),
      onclosetag: (name: string) => this.close(name),
      ontext: (text: string) => this.add(text),
    };
  }

  finish(): HtmlReading & { decomposed: { rule: string; length: number }[]; implausible: ReadonlySet<number> } {
    this.flush();
    const { blocks, removed, metadata, types, sections, anchors, implausible } = this;
    while (this.openSections.length > 0) this.closeSection();
    const decomposed = [...this.decomposedLengths].map(([rule, length]) => ({ rule, length }));
    const title = squeeze(this.documentTitle) || null;
    return { blocks, removed, metadata, types, sections, anchors, title, decomposed, implausible };
  }

  private open(name: string, attributes: Record<string, string>): void {
    this.depth++;
    this.elements++;
    if (this.depth > DEEPEST_NESTING) {
      throw new FabulaError(
        "E_HTML",
        `${this.options.where} nests ${DEEPEST_NESTING} elements into one another: it is not a book.`,
      );
    }
    if (this.decomposing > 0) {
      if (name === "title") this.inTitle = true;
      if (name === "meta") this.meta(attributes);
      if (name === "br" || BLOCK_TAGS.has(name)) this.decomposedText += " ";
      return;
    }
    this.setting.open(name, attributes.class ?? "", this.depth);
    const id = attributes.id ?? (name === "a" ? attributes.name : undefined);
    if (BLOCK_TAGS.has(name)) this.openBlock(name, attributes);
    if (name === "a" && attributes.rel === "author") this.authorFrom = this.text.length;
    if (id !== undefined && this.options.anchors?.has(id) && !this.anchors.has(id)) {
      this.anchors.set(id, this.blocks.length + (this.text.trim() === "" ? 0 : 1));
    }
    const rule = this.decompositionRule(name, attributes);
    if (rule !== null) {
      this.decomposing = this.depth;
      this.decomposedRule = rule === "" ? null : rule;
      this.decomposedText = "";
      this.decomposedElement = this.elements;
      if (name === "title") this.inTitle = true;
      return;
    }
    switch (REPLACED_TAGS[name]) {
      case "line break":
        this.text += LINE_BREAK;
        break;
      case "scene break":
        this.blocks.push({ kind: "break" });
        break;
      default:
        if (name === "img") this.dropCapital(attributes.alt ?? "");
        else if (name === "td" || name === "th") this.text += " ";
    }
  }

  private openBlock(name: string, attributes: Record<string, string>): void {
    if (name === "body" || name === "section" || name === "article") this.noteTypes(name, attributes);
    if (SECTION_TAGS.has(name) && typesOf(attributes).length > 0) this.openSection(attributes);
    const level = HEADING_LEVELS[name];
    if (this.headingDepth > 0) {
      // Inside a heading group each line is a line of one heading.
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

  private openSection(attributes: Record<string, string>): void {
    this.flush();
    const { length } = this.blocks;
    this.openSections.push({ at: this.sections.length, depth: this.depth });
    const depth = this.openSections.length - 1;
    this.sections.push({ types: typesOf(attributes), from: length, to: length, depth });
  }

  private closeSection(): void {
    const { at } = this.openSections.pop()!;
    this.sections[at]!.to = this.blocks.length;
  }

  private close(name: string): void {
    if (this.decomposing === 0 && this.depth <= (this.openSections.at(-1)?.depth ?? -1)) {
      this.flush();
      this.closeSection();
    }
    if (this.decomposing > 0) {
      if (name === "title") this.inTitle = false;
      if (this.depth <= this.decomposing) this.endDecomposition();
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
    if (this.decomposing > 0) {
      if (this.decomposedRule !== null) this.addDecomposed(this.decomposedRule, text);
      return;
    }
    this.setting.add(text);
    this.text += this.preformatted > 0 ? text.replace(/\r\n?|\n/g, LINE_BREAK) : text;
  }

  private addDecomposed(rule: string, text: string): void {
    if (this.decomposedText.length < LONGEST_EXCERPT) this.decomposedText += text;
    this.decomposedLengths.set(rule, (this.decomposedLengths.get(rule) ?? 0) + text.length);
  }

  /** An illustrated initial: the picture's `alt` is the first letter of the chapter. */
  private dropCapital(alt: string): void {
    if (/^["“‘']?\p{L}$/u.test(alt.trim())) this.text += alt.trim();
  }

  private decompositionRule(name: string, attributes: Record<string, string>): string | null {
    if (DECOMPOSED_TAGS.has(name)) return "";
    if (name === "body" || name === "html" || HEADING_LEVELS[name] !== undefined) return null;
    let marks = "";
    for (const attribute of MARKING_ATTRIBUTES) {
      // An anchor's id names a place, not what it holds; and old pages leave anchors open.
      if (attributes[attribute] && !(name === "a" && attribute === "id")) marks += ` ${attributes[attribute]}`;
    }
    if (marks === "" || this.spared.elements.has(this.elements)) return null;
    const { rules } = this.spared;
    return DECOMPOSED_MARKS.find(({ rule, pattern }) => pattern.test(marks) && !rules.has(rule))?.rule ?? null;
  }

  private endDecomposition(): void {
    const text = squeeze(this.decomposedText);
    if (this.decomposedRule !== null && text !== "") {
      if (!isPlausible(this.decomposedRule, text)) this.implausible.add(this.decomposedElement);
      this.removed.push({ rule: this.decomposedRule, where: this.options.where, text });
    }
    this.decomposing = 0;
    this.decomposedRule = null;
  }

  private noteTypes(name: string, attributes: Record<string, string>): void {
    if (name !== "body") this.sectionCount++;
    if (this.sectionCount > 2) return;
    this.types.push(...typesOf(attributes));
  }

  /** `<a rel="author">`: sites that carry no other metadata name the writer so. */
  private noteAuthor(): void {
    const author = squeeze(this.text.slice(this.authorFrom));
    if (author !== "" && !this.metadata.has("author")) this.metadata.set("author", author);
    this.authorFrom = -1;
  }

  private meta(attributes: Record<string, string>): void {
    const key = (attributes.name ?? attributes.property)?.toLowerCase();
    if (key && attributes.content && !this.metadata.has(key)) this.metadata.set(key, squeeze(attributes.content));
  }

  private flush(): void {
    const { text } = this;
    if (text === "") return;
    this.text = "";
    this.authorFrom = -1;
    // Two line breaks in a row part paragraphs, as the blank lines of a preformatted text do.
    if (this.headingDepth > 0) this.push(text);
    else for (const paragraph of text.split(BLANK_LINES)) this.push(paragraph);
    this.setting.endText();
  }

  private push(text: string): void {
    const lines = text.includes(LINE_BREAK) ? text.split(LINE_BREAK).map(squeeze).filter(Boolean) : [squeeze(text)];
    if (lines.length === 0 || lines[0] === "") return;
    const level = this.headingDepth > 0 ? Math.max(1, this.headingLevel) : this.setting.headingLevel(lines);
    if (level !== null) this.blocks.push({ kind: "heading", lines, level });
    else this.blocks.push({ kind: "paragraph", text: lines.join("\n") });
  }
}

function typesOf(attributes: Record<string, string>): string[] {
  const { role = "" } = attributes;
  const words = `${attributes["epub:type"] ?? ""} ${role.startsWith("doc-") ? role.slice(4) : ""}`;
  return words.split(/\s+/).filter(Boolean);
}

/** What may hold a chapter; a paragraph or a heading may carry an `epub:type` too, and holds none. */
const SECTION_TAGS = new Set(["section", "article", "div"]);

/** Stands for a line break that is meant, apart from those of the source; Unicode's own sign for it. */
const LINE_BREAK = "\u2028";
/** Pages nest some dozens; the parser's cost grows with the depth. */
const DEEPEST_NESTING = 5000;
const LONGEST_EXCERPT = 4000;
const BLANK_LINES = /\u2028\s*\u2028/;
