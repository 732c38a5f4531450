import type { Removal } from "../book.ts";
import {
  AUTHORS_NOTE,
  DECOMPOSED_MARKS,
  DECOMPOSED_TAGS,
  HEADING_LEVELS,
  isPlausible,
  MARKING_ATTRIBUTES,
} from "./html-treatments.ts";
import { squeeze } from "./squeeze.ts";

/** Marks that are not believed: everywhere, or at the elements with these numbers. */
export interface Spared {
  readonly rules: ReadonlySet<string>;
  readonly elements: ReadonlySet<number>;
}

/** Elements that are taken out of a page with everything inside, and whether that was right. */
export class Decomposition {
  readonly removed: Removal[] = [];
  /** How many characters each rule took. */
  readonly lengths = new Map<string, number>();
  /** The numbers of elements whose text denies what they say they are. */
  readonly implausible = new Set<number>();
  private readonly spared: Spared;
  private readonly where: string;
  /** The depth at which the element began; 0 when nothing is taken out. */
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

  /** Begins where the element is one to take out; says whether it did. */
  begin(name: string, attributes: Record<string, string>, depth: number, element: number): boolean {
    const rule = this.ruleFor(name, attributes, element);
    if (rule !== null) this.take(rule, depth, element);
    return rule !== null;
  }

  /** Begins at what the writer tells the readers, under its label, unless that is story after all. */
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

  /** A tag inside that parts words. */
  addSpace(): void {
    this.excerpt(" ");
  }

  close(depth: number): void {
    if (depth > this.from) return;
    const text = squeeze(this.text);
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
    let marks = "";
    for (const attribute of MARKING_ATTRIBUTES) {
      // An anchor's id names a place, not what it holds; and old pages leave anchors open.
      if (attributes[attribute] && !(name === "a" && attribute === "id")) marks += ` ${attributes[attribute]}`;
    }
    if (marks === "" || this.spared.elements.has(element)) return null;
    const { rules } = this.spared;
    return DECOMPOSED_MARKS.find(({ rule, pattern }) => pattern.test(marks) && !rules.has(rule))?.rule ?? null;
  }
}

/** A script or a style sheet holds no text that a report could show. */
const NO_REPORT = "";
const LONGEST_EXCERPT = 4000;
