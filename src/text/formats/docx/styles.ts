import { localName, parseXml } from "../xml.ts";

/** What a paragraph style says about the paragraphs in it. */
export interface ParagraphStyle {
  /** 1–6 for a heading, 0 for anything else. */
  readonly level: number;
  /** An entry of the table of contents that Word made. */
  readonly isContents: boolean;
}

interface StyleFacts {
  name: string;
  parent: string | null;
  outline: number | null;
}

/** The styles of `word/styles.xml` by their ids. Word translates a style's id ("berschrift1"), never its name ("heading 1"). */
export function readStyles(xml: string): (id: string) => ParagraphStyle {
  const styles = new Map<string, StyleFacts>();
  let current: StyleFacts | null = null;
  parseXml(xml, {
    open(element, attributes) {
      const value = attributes["w:val"] ?? "";
      switch (localName(element)) {
        case "style":
          current = { name: "", parent: null, outline: null };
          styles.set(attributes["w:styleId"] ?? "", current);
          break;
        case "name":
          if (current) current.name = value;
          break;
        case "basedOn":
          if (current) current.parent = value;
          break;
        case "outlineLvl":
          if (current) current.outline = Number(value);
      }
    },
    close(element) {
      if (localName(element) === "style") current = null;
    },
  });
  return (id) => describe(id, styles);
}

/** A style of a writer's own may build on a heading, over a few steps. */
const MOST_STEPS = 10;

function describe(id: string, styles: ReadonlyMap<string, StyleFacts>): ParagraphStyle {
  let at: string | null = id;
  for (let step = 0; at !== null && step < MOST_STEPS; step++) {
    const facts: StyleFacts = styles.get(at) ?? { name: at, parent: null, outline: null };
    if (/^(?:toc|table of contents|contents)(?: ?\d| ?heading)?$/i.test(facts.name)) {
      return { level: 0, isContents: true };
    }
    const level = levelNamed(facts.name) ?? levelOfOutline(facts.outline);
    if (level !== null) return { level, isContents: false };
    at = facts.parent;
  }
  return { level: 0, isContents: false };
}

/** Word never translates the name of a style; other programs do. */
const HEADING_NAME =
  /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|titlu|başlık|заголовок|επικεφαλίδα|标题|標題|見出し|제목) ?([1-9])$/iu;

function levelNamed(name: string): number | null {
  const number = HEADING_NAME.exec(name)?.[1];
  if (number !== undefined) return Math.min(6, Number(number));
  if (/^title$/i.test(name)) return 1;
  return /^subtitle$/i.test(name) ? 2 : null;
}

/** Word counts outline levels from 0; 9 is body text. */
export function levelOfOutline(outline: number | null): number | null {
  return outline !== null && outline >= 0 && outline < 9 ? Math.min(6, outline + 1) : null;
}
