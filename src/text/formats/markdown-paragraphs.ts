/** Tags that stand inside a paragraph and pass through Markdown as they are. */
const INLINE_TAG = /<\/?(?:i|b|em|strong|u|s|sub|sup|small|span|a|br)(?:\s[^<>]*)?\/?>/gi;
/** Two spaces may be a line break, a bracket before a round one a link; then tags, escapes and entities. */
const MARKED_UP = / {2}|\]\(|<[a-z/!?]|\\[\n!-/:-@[-`{-~]|&(?!\s|$)/i;
/** One of these alone stands for itself; two may enclose something. */
const ENCLOSING = /[*_`~][\s\S]*[*_`~]/;
/** What makes something else than a paragraph of a line that begins with it. */
const LINE_MARK = /^(?:#{1,6}(?=\s|$)|[>|=:*+-]|\d{1,9}[.)](?=\s|$))/m;

const HEADING = /^(#{1,6})[ \t]+(.+)$/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const QUOTATION = /^> ?(.+)$/;
const BULLET = /^[*+-][ \t]+(.+)$/;
const NUMBERED = /^\d{1,9}[.)](?:[ \t]|$)/;
const LONGEST_RULE = 200;

/** All of it in bold or italics: how many writers set a heading. */
const EMPHASISED = /^(\*\*|__|\*|_)([\p{L}\p{N}"“‘](?:[^\\`*_[\]<>#|~&\n]*[\p{L}\p{N}.!?"”’])?)\1$/u;

/**
 * What a paragraph is in HTML, where that can be told at a glance: marked tries thirty rules at every paragraph, and a file may
 * hold hundreds of thousands. Undefined where only marked can tell. The number of a point stays, since it may head a chapter.
 */
export function simpleHtml(paragraph: string): string | undefined {
  if (paragraph.length <= LONGEST_RULE && RULE.test(paragraph)) return "<hr>\n";
  const [, mark, emphasised] = EMPHASISED.exec(paragraph) ?? [];
  if (mark !== undefined) {
    const tag = mark.length === 2 ? "strong" : "em";
    return `<p><${tag}>${emphasised}</${tag}></p>\n`;
  }
  if (!isLiteral(paragraph)) return undefined;
  if (!LINE_MARK.test(paragraph)) return `<p>${paragraph}</p>\n`;
  if (paragraph.includes("\n")) return pointsHtml(paragraph.split("\n"));
  const [, level = "", title = ""] = HEADING.exec(paragraph) ?? [];
  // Hashes at the end close it.
  if (level !== "") return title.endsWith("#") ? undefined : `<h${level.length}>${title}</h${level.length}>\n`;
  const quoted = QUOTATION.exec(paragraph)?.[1];
  if (quoted !== undefined && !LINE_MARK.test(quoted)) return `<p>${quoted}</p>\n`;
  return pointsHtml([paragraph]);
}

/** Plain points, a paragraph to each; a line without a mark goes on from the one above it. */
function pointsHtml(lines: readonly string[]): string | undefined {
  const points: string[] = [];
  for (const line of lines) {
    const isNumbered = NUMBERED.test(line);
    const text = isNumbered ? line : BULLET.exec(line)?.[1];
    if (text === undefined ? LINE_MARK.test(line) : !isNumbered && LINE_MARK.test(text)) return undefined;
    if (text === undefined && points.length > 0) points[points.length - 1] += `\n${line}`;
    else points.push(text ?? line);
  }
  return points.map((point) => `<p>${point}</p>\n`).join("");
}

function isLiteral(text: string): boolean {
  const bare = text.includes("<") ? text.replace(INLINE_TAG, "") : text;
  return !MARKED_UP.test(bare) && !ENCLOSING.test(bare.replace(/^\* /, ""));
}
