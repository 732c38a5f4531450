import { countWords } from "../words.ts";

/**
 * What the HTML pass does with each tag: the four treatments of LiteraryQA's first cleaning algorithm (appendix B), as data.
 * A tag that no list names is unwrapped: its text stays, since narrative is never lost to an unknown tag.
 */

/** Removed with everything inside. */
export const DECOMPOSED_TAGS: ReadonlySet<string> = new Set(
  "script style head nav svg math iframe object embed applet audio video canvas map button select textarea template noscript figcaption rp rt".split(
    " ",
  ),
);

/** The notes to readers on sites that publish a story chapter by chapter. */
export const AUTHORS_NOTE = "author's note";

/** The text at the foot of every page of a site. */
export const PAGE_FOOTER = "page footer";

/** Removed with everything inside because of the element's declared role; the rule's name goes into the report. */
export const DECOMPOSED_MARKS: readonly { readonly rule: string; readonly pattern: RegExp }[] = [
  { rule: "page number", pattern: /\b(pagenum|pageno|page-?number|pagebreak|doc-pagebreak|pb|folio)\b/i },
  { rule: "note reference", pattern: /\b(noteref|fnanchor|backlink|doc-noteref|doc-backlink|footnote-?ref)\b/i },
  { rule: "transcriber's note", pattern: /\b(trans(criber)?s?-?_?notes?|tnote|tnotes|tn)\b/i },
  { rule: "table of contents", pattern: /\b(doc-toc|landmarks|page-list|x-ebookmaker-toc)\b/i },
  {
    rule: "Project Gutenberg notice",
    pattern: /\b(pg-?header|pg-?footer|pg-boilerplate|pgheader|pgfooter|boilerplate)\b/i,
  },
  { rule: "caption", pattern: /\b(caption|figcaption|figcenter|illustration)\b/i },
  { rule: AUTHORS_NOTE, pattern: /\bauthor-?s?-?notes?(?:-portlet)?\b/i },
  { rule: "tags", pattern: /^ tags$/ },
];

/** A paragraph that is only such a label, directly above a quoted block: a note from the writer about the chapter. */
const LABEL = /^(?:(?:Chapter )?(?:Summary|(?:End )?Notes)|Author['’]s Notes?:?)$/;

export function isLabelOfNote(paragraph: string): boolean {
  return paragraph.length <= LONGEST_REFERENCE && LABEL.test(paragraph);
}

/**
 * Whether an element's text fits its declared kind: a page number has no sentence, a caption at most forty words, and a notice
 * says whose it is. Otherwise the element is story under a wrong label, and stays.
 */
export function isPlausible(rule: string, text: string): boolean {
  switch (rule) {
    case "page number":
    case "note reference":
      return text.length <= LONGEST_REFERENCE;
    case "caption":
      return countWords(text) <= LONGEST_CAPTION_WORDS;
    case "transcriber's note":
    case "Project Gutenberg notice":
      return countWords(text) <= LONGEST_CAPTION_WORDS || NOTICE.test(text);
    case AUTHORS_NOTE:
      return countWords(text) <= LONGEST_AUTHORS_NOTE_WORDS;
    case PAGE_FOOTER:
      return countWords(text) <= LONGEST_CAPTION_WORDS && FOOTER.test(text);
    case "tags":
      return /^Rating:/.test(text);
    default:
      return true;
  }
}

const LONGEST_REFERENCE = 40;
const LONGEST_CAPTION_WORDS = 40;
/** A longer one may be a chapter of the story that only calls itself so. */
const LONGEST_AUTHORS_NOTE_WORDS = 400;
const FOOTER = /©|copyright|all rights|privacy|terms of|contact|powered by|cookies/i;
const NOTICE =
  /transcri|gutenberg|copyright|licen[sc]e|e-?text|e-?book|typograph|misprint|printer|spelling|hyphen|punctuation/i;

/** Tags that begin and end a block. */
export const BLOCK_TAGS: ReadonlySet<string> = new Set(
  "html body p div section article main aside header footer hgroup blockquote figure center address dl dt dd ul ol li table caption thead tbody tfoot tr pre fieldset details summary h1 h2 h3 h4 h5 h6 hr".split(
    " ",
  ),
);

/** Tags replaced by something that plain text has. */
export const REPLACED_TAGS: Readonly<Record<string, "line break" | "scene break">> = {
  br: "line break",
  hr: "scene break",
};

export const HEADING_LEVELS: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };

/** The attributes that say what an element is, for the marks above. All others are stripped unread. */
export const MARKING_ATTRIBUTES = ["class", "epub:type", "role", "id"] as const;
