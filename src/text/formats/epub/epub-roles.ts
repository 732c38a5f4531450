import type { Block, SectionRole } from "../../manuscript.ts";
import { countWords } from "../../words.ts";
import type { SpineItem } from "./epub-package.ts";

/** Words of the EPUB structural vocabulary, grouped by what they say about a page. */
const PARATEXT_TYPES = new Set(
  "cover titlepage halftitlepage imprint copyright-page colophon dedication epigraph toc landmarks loi lot page-list endnotes footnotes rearnotes bibliography index glossary acknowledgments contributors other-credits errata frontispiece z3998:frontispiece seriespage z3998:dramatis-personae".split(
    " ",
  ),
);
/** Paratext that novels imitate: notes of an invented editor, a dedication by the hero. */
const DOUBTFUL_TYPES = new Set("dedication epigraph endnotes footnotes rearnotes glossary acknowledgments".split(" "));
/** Story or commentary, depending on who speaks: the page's own mark as fiction decides. */
const COMMENTARY_TYPES = new Set("preface foreword introduction afterword preamble notice appendix".split(" "));
const OPENING_TYPES = new Set("prologue preface foreword introduction preamble notice".split(" "));
const CLOSING_TYPES = new Set("epilogue conclusion afterword appendix".split(" "));
const CHAPTER_TYPES = new Set(
  "chapter subchapter interlude se:short-story z3998:short-story z3998:letter z3998:diary se:novella z3998:poem z3998:verse".split(
    " ",
  ),
);
const DIVISION_TYPES = new Set("part volume division book".split(" "));
const NOTES_TYPES = new Set("endnotes footnotes rearnotes".split(" "));
const CHAPTER = "chapter";
const VOLUME = "volume";
const FICTION = "z3998:fiction";
const NON_FICTION = "z3998:non-fiction";

/** What a page of the spine is, by its own marks: `epub:type`, then the EPUB 2 guide. Unknown unless something says so. */
export function sectionRole(types: readonly string[], item: SpineItem, blocks: readonly Block[]): SectionRole {
  // Notes by an editor whom the novel invents are part of the story.
  if (types.includes(FICTION) && types.some((type) => NOTES_TYPES.has(type))) return "notes";
  const isChapter = types.includes(CHAPTER);
  // A chapter that contains its own notes is still a chapter.
  const paratext = types.findIndex((type) => PARATEXT_TYPES.has(type));
  if (paratext >= 0 && !(isChapter && types.indexOf(CHAPTER) < paratext)) return "paratext";
  const frame = isChapter ? null : frameOf(types);
  if (types.some((type) => COMMENTARY_TYPES.has(type)) && !types.includes(FICTION)) {
    if (types.includes(NON_FICTION) || types.includes("frontmatter")) return "paratext";
  }
  // A chapter is often inside the part's own section, and an epilogue may be a part with chapters of its own.
  const isShortChapter = isChapter && hasProse(blocks, 1);
  if (types.some((type) => DIVISION_TYPES.has(type)) && !isShortChapter) {
    if (hasProse(blocks, LONGEST_MOTTO_WORDS)) return frame ?? "chapter";
    return frame !== null || types.includes(VOLUME) ? "binding" : "division";
  }
  if (frame !== null) return frame;
  if (isChapter || types.some((type) => CHAPTER_TYPES.has(type))) return "chapter";
  if (types.includes("bodymatter") && hasProse(blocks, 1)) return "body";
  // Converters point the guide's "cover" or "toc" at the first page there is, which may be the story's.
  if (item.guide !== null && GUIDE_PARATEXT.has(item.guide) && !hasStory(blocks)) return "paratext";
  return "unknown";
}

/** Whether the marks of a paratext page leave open that it is part of the story. */
export function isDoubtful(types: readonly string[], { guide, isAside }: SpineItem): boolean {
  if (types.includes(NON_FICTION)) return false;
  if (types.some((type) => DOUBTFUL_TYPES.has(type) || COMMENTARY_TYPES.has(type))) return true;
  if (types.some((type) => PARATEXT_TYPES.has(type))) return false;
  return isAside || (guide !== null && DOUBTFUL_GUIDE.has(guide));
}

function frameOf(types: readonly string[]): "opening" | "closing" | null {
  if (types.some((type) => OPENING_TYPES.has(type))) return "opening";
  return types.some((type) => CLOSING_TYPES.has(type)) ? "closing" : null;
}

const GENERAL_TYPES = new Set(["frontmatter", "bodymatter", "backmatter", FICTION, NON_FICTION]);

/** The first word that says what a page is and not only where it is: "chapter", "part", "titlepage"; "page" if there is none. */
export function declaredType(types: readonly string[]): string {
  return types.find((type) => !GENERAL_TYPES.has(type)) ?? "page";
}

const GUIDE_PARATEXT = new Set(
  "cover title-page toc index glossary acknowledgements bibliography colophon copyright-page dedication epigraph loi lot notes".split(
    " ",
  ),
);

const DOUBTFUL_GUIDE = new Set("glossary acknowledgements dedication epigraph notes".split(" "));

/** Running prose of a page's length: no cover and no list has it. */
function hasStory(blocks: readonly Block[]): boolean {
  return hasProse(
    blocks.filter((block) => block.kind === "paragraph" && block.text.length > SHORTEST_PROSE),
    STORY_WORDS,
  );
}

const SHORTEST_PROSE = 150;
const STORY_WORDS = 200;

/** A part's title page may contain a motto; more words than this are a text of its own. */
const LONGEST_MOTTO_WORDS = 150;

/** Whether there are at least so many words of prose; a whole chapter need not be counted for that. */
function hasProse(blocks: readonly Block[], words: number): boolean {
  let sum = 0;
  return blocks.some((block) => {
    if (block.kind === "paragraph") sum += countWords(block.text);
    return sum >= words;
  });
}
