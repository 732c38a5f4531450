import { isShortTitle } from "../chapters/title-case.ts";

/** A class that says "title of a chapter", on what is marked as an ordinary paragraph. */
const TITLE_CLASS = /\bchap(?:ter)?s?[-_]?(?:title|head(?:ing|er)?|num(?:ber)?|name|no)\b/i;
const TITLE_CLASS_LEVEL = 3;
const BOLD_TAGS = new Set(["b", "strong"]);
const BOLD_CLASS = /(?:^|\s)bold\d*(?:\s|$)/i;
const LONGEST_CLASS_TITLE = 120;

/** How the open block of a page is set: many makers have no heading tags, and set a title in bold or give it a class. */
export class Setting {
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

  /** 0: only a candidate, as a line in capitals is in a plain text; null: a paragraph. */
  headingLevel(lines: readonly string[]): number | null {
    if (this.#isTitleClass && lines.join(" ").length <= LONGEST_CLASS_TITLE) return TITLE_CLASS_LEVEL;
    return this.#hasBold && !this.#hasPlain && isShortTitle(lines) ? 0 : null;
  }
}
