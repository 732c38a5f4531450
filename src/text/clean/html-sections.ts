/** `<section epub:type="chapter">` and its like: blocks `from` up to, not including, `to`. */
export interface DeclaredSection {
  readonly types: readonly string[];
  readonly from: number;
  readonly to: number;
  /** How many declared sections it stands in. */
  readonly depth: number;
}

/** The sections of a page that say what they are, in the order in which they begin. */
export class HtmlSections {
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
export function typesOf(attributes: Record<string, string>): string[] {
  const { role = "" } = attributes;
  const words = `${attributes["epub:type"] ?? ""} ${role.startsWith("doc-") ? role.slice(4) : ""}`;
  return words.split(/\s+/).filter(Boolean);
}

/** What may hold a chapter; a paragraph or a heading may carry an `epub:type` too, and holds none. */
export const SECTION_TAGS = new Set(["section", "article", "div"]);
