import type { Removal } from "../../book.ts";
import type { Metadata } from "../../manuscript.ts";

const NOTE = /［＃[^］]{0,200}］/gu;
const HEADING_NOTE = /［＃[^］]{0,100}見出し(?:終わり)?］/u;
const RUBY = /《[^》]{1,40}》|｜/gu;
const LEGEND = /【テキスト中に現れる記号について】/u;
const RULE = /^-{20,}\s*$/;
const COLOPHON = /^[\s　]*底本[：:]/u;
/** The legend stands right under the names of the book and its author. */
const TOP_LINES = 60;

interface AozoraReading {
  readonly lines: readonly string[];
  readonly metadata: Metadata;
  readonly removed: readonly Removal[];
}

/**
 * Files of Aozora Bunko hold how words are read (《ruby》) and how a page was set (［＃…］), explain both at the top and name the
 * printed edition at the end. None of it is the story; a note that says 見出し makes its line a heading. Lines keep their places.
 */
export function withoutAozoraNotes(source: readonly string[]): AozoraReading {
  const legend = source.slice(0, TOP_LINES).findIndex((line) => LEGEND.test(line));
  if (legend < 0) return { lines: source, metadata: {}, removed: [] };
  const from = RULE.test(source[legend - 1] ?? "") ? legend - 1 : legend;
  const end = source.findIndex((line, at) => at > legend && at < legend + TOP_LINES && RULE.test(line));
  const to = end < 0 ? legend + 1 : end + 1;
  const colophon = source.findLastIndex((line) => COLOPHON.test(line));
  const last = colophon > to ? colophon : source.length;
  const lines = source.map((line, at) => ((at >= from && at < to) || at >= last ? "" : plain(line)));
  const [title, ...names] = lines.slice(0, from).filter((line) => line.trim() !== "");
  const author = names.at(-1)?.trim();
  // The names on the first lines are no part of the story.
  for (let at = 0; at < from; at++) lines[at] = "";
  return {
    lines,
    metadata: { ...(title && { title: title.trim() }), ...(author && { author }) },
    removed: [
      { rule: "title page", where: "line 1", text: source.slice(0, from).join("\n").trim() },
      { rule: "legend of Aozora Bunko", where: `line ${from + 1}`, text: source.slice(from, to).join("\n") },
      ...(last < source.length
        ? [
            {
              rule: "colophon of Aozora Bunko",
              where: `line ${last + 1}`,
              text: source.slice(last).join("\n").slice(0, 4000),
            },
          ]
        : []),
    ].filter(({ text }) => text !== ""),
  };
}

/** A star is how sites mark a heading, whatever its words. */
function plain(line: string): string {
  const text = line.replace(NOTE, "").replace(RUBY, "");
  return HEADING_NOTE.test(line) && text.trim() !== "" ? `☆、${text.trim()}` : text;
}
