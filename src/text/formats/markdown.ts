import { Lexer, Marked, type Token, Tokenizer } from "marked";
import { z } from "zod";
import { decodeText, undecodableWarning } from "../../core/encoding.ts";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/parse-yaml.ts";
import { isShortTitle, isTitleCase } from "../chapters/title-case.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";

/** At each of these signs, marked looks for a link, a picture, code or emphasis up to the paragraph's end. */
const SIGNS = /[\\<![`*_~]/g;
/** A paragraph whose signs times letters exceed this is read in pieces; a page of italics and exclamation marks is far below. */
const MOST_WORK = 400_000;
const PIECE = 250;
/** A piece with a larger share of signs is noise. */
const MOST_SIGNS = 0.2;

/** Text without Markdown syntax and without a pair of angle brackets. */
const PLAIN = /^(?:[^\\<![\]`*_~&@:]*|[^\\>![\]`*_~&@:]*)$/;
const LINE_BREAK = / {2}\n|www\./;

/** Marked's own lexer, except that a paragraph that would take quadratic time is read in pieces, cut at spaces. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (PLAIN.test(source) && !LINE_BREAK.test(source)) {
      tokens.push(plainToken(source));
      return tokens;
    }
    const signs = source.length > PIECE ? (source.match(SIGNS)?.length ?? 0) : 0;
    if (signs * source.length <= MOST_WORK) return super.inlineTokens(source, tokens);
    for (let start = 0; start < source.length; ) {
      const piece = source.slice(start, start + PIECE);
      const end = piece.lastIndexOf(" ") + 1 || piece.length;
      const text = piece.slice(0, end);
      if ((text.match(SIGNS)?.length ?? 0) > text.length * MOST_SIGNS) tokens.push(plainToken(text));
      else super.inlineTokens(text, tokens);
      start += end;
    }
    return tokens;
  }
}

function plainToken(text: string): Token {
  return { type: "text", raw: text, text, escaped: false };
}

/** A novel may contain a few tables; a file with tens of thousands is not a novel, and each costs far more than its letters. */
const MOST_TABLES = 2000;

class BoundedTokenizer extends Tokenizer {
  #tables = 0;

  override table(source: string) {
    if (this.#tables >= MOST_TABLES) return undefined;
    const table = super.table(source);
    if (table) this.#tables++;
    return table;
  }
}

/** A parser for one document, whose time grows only with the document's length. */
function boundedMarkdown(): Marked {
  const options = { gfm: true, tokenizer: new BoundedTokenizer() };
  return new Marked({ gfm: true, hooks: { provideLexer: () => (source) => new BoundedLexer(options).lex(source) } });
}

/** Deeper quotations and lists are noise, and marked reads the text again for each level. */
const DEEPEST = 3;
const MARK = /[ \t]*(?:[>*+-]|\d{1,9}[.)])/y;

const NESTED_RULE = /^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$/;

/** Removes the marks of the inner levels of absurdly nested quotations and lists; a rule of dashes or asterisks stays. */
function withoutDeepNesting(source: string): string {
  return source.split("\n").map(shallow).join("\n");
}

function shallow(line: string): string {
  let depth = 0;
  let kept = 0;
  let end = 0;
  MARK.lastIndex = 0;
  while (MARK.test(line)) {
    end = MARK.lastIndex;
    if (++depth === DEEPEST) kept = end;
  }
  return depth <= DEEPEST || NESTED_RULE.test(line) ? line : line.slice(0, kept) + line.slice(end);
}

/** Tags within a paragraph that pass through Markdown unchanged. */
const INLINE_TAG = /<\/?(?:i|b|em|strong|u|s|sub|sup|small|span|a|br)(?:\s[^<>]*)?\/?>/gi;
/** Signs of markup: two spaces (a line break), `](` (a link), tags, escapes and entities. */
const MARKED_UP = / {2}|\]\(|<[a-z/!?]|\\[\n!-/:-@[-`{-~]|&(?!\s|$)/i;
/** One of these alone is a plain character; a pair may enclose something. */
const ENCLOSING = /[*_`~][\s\S]*[*_`~]/;
/** A line that begins like this is not an ordinary paragraph. */
const LINE_MARK = /^(?:#{1,6}(?=\s|$)|[>|=:*+-]|\d{1,9}[.)](?=\s|$))/m;

const HEADING = /^(#{1,6})[ \t]+(.+)$/;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const QUOTATION = /^> ?(.+)$/;
const BULLET = /^[*+-][ \t]+(.+)$/;
const NUMBERED = /^\d{1,9}[.)](?:[ \t]|$)/;
const LONGEST_RULE = 200;

/** A paragraph entirely in bold or italics, which is how many writers format a heading. */
const EMPHASISED = /^(\*\*|__|\*|_)([\p{L}\p{N}"“‘](?:[^\\`*_[\]<>#|~&\n]*[\p{L}\p{N}.!?"”’])?)\1$/u;

/**
 * The HTML of a paragraph that is simple to convert. Marked tries thirty rules at every paragraph, and a file may hold hundreds
 * of thousands. Undefined if marked has to parse it. The number of a list item stays, because it may be a chapter's.
 */
function simpleHtml(paragraph: string): string | undefined {
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
  // Hashes at the end close the heading and are not part of it.
  if (level !== "") return title.endsWith("#") ? undefined : `<h${level.length}>${title}</h${level.length}>\n`;
  const quoted = QUOTATION.exec(paragraph)?.[1];
  if (quoted !== undefined && !LINE_MARK.test(quoted)) return `<p>${quoted}</p>\n`;
  return pointsHtml([paragraph]);
}

/** Plain list items, each as a paragraph; a line without a marker continues the one above it. */
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

const UNDERLINE = /^(?:-+|=+)[ \t]*$/;
const ANY_UNDERLINE = new RegExp(UNDERLINE, "m");
/** A line longer than this is prose. */
const LONGEST_HEADING = 160;

/**
 * In Markdown, a line of dashes directly under text makes it a heading. Writers who forget the blank line mean a scene break, so
 * under a paragraph of prose it becomes one.
 */
function withoutUnderlinedProse(source: string): string {
  if (!ANY_UNDERLINE.test(source)) return source;
  const lines: string[] = [];
  let above: string[] = [];
  for (const line of source.split("\n")) {
    const isUnderline = above.length > 0 && UNDERLINE.test(line);
    if (isUnderline && isProse(above)) lines.push("", "***", "");
    else lines.push(line);
    if (isUnderline || line.trim() === "" || line.startsWith("#")) above = [];
    else above.push(line);
  }
  return lines.join("\n");
}

/** Several lines, many words or a whole sentence. */
function isProse(lines: readonly string[]): boolean {
  if (lines.length > 1 || lines[0]!.length > LONGEST_HEADING) return !isShortTitle(lines);
  return /[.…。]["”’']*$/u.test(lines[0]!.trimEnd()) && !isTitleCase(lines[0]!);
}

/** What Obsidian adds to Markdown: links between notes, embedded files, comments. */
function withoutWikiMarks(body: string): string {
  if (!body.includes("[[") && !body.includes("%%")) return body;
  return body
    .replace(/%%[^%]{0,5000}%%/g, "")
    .replace(/!\[\[[^[\]\n]{0,300}\]\]/g, "")
    .replace(/\[\[(?:[^[\]|\n]{0,300}\|)?([^[\]|\n]{0,300})\]\]/g, "$1");
}

/** Pandoc lets a heading carry its anchor and classes: "## Fog {#fog .chapter}". */
function withoutAttributes(body: string): string {
  if (!/\{[#.]/.test(body)) return body;
  return body.replace(/^(#{1,6}[ \t][^{\n]{1,300})\{[#.][^{}\n]{0,200}\}[ \t]*$/gm, "$1");
}

/** Markdown goes through HTML, so that a manuscript and its web page give the same chapters. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable } = decodeText(bytes, name);
    const { body, metadata } = splitFrontMatter(text.replace(/\r\n?/g, "\n"));
    const html = toHtml(withoutUnderlinedProse(unindent(withoutAttributes(withoutWikiMarks(body)))), name);
    const { blocks, removed } = htmlToBlocks(html, { where: name });
    return { blocks, metadata, encoding, removed, warnings: undecodableWarning(undecodable, encoding) };
  },
};

/** Syntax that continues over blank lines, or is defined in one place and used in another; then marked must parse the whole. */
const SPANNING = /^(?:```|~~~)|<(?:script|pre|style|textarea|[!?])|^\[[^\]\n]+\]:/im;

interface Segment {
  readonly text: string;
  /** The paragraph's HTML, if marked need not parse it. */
  readonly html?: string;
}

/** The paragraphs: each simple one alone, the others together with their neighbours. */
function segmentsOf(body: string): readonly Segment[] {
  if (SPANNING.test(body)) return [{ text: body }];
  const segments: Segment[] = [];
  let marked: string[] = [];
  const flush = () => {
    if (marked.length > 0) segments.push({ text: marked.join("\n\n") });
    marked = [];
  };
  for (const paragraph of body.split(/\n{2,}/)) {
    const html = simpleHtml(paragraph);
    if (html === undefined) {
      if (paragraph !== "") marked.push(paragraph);
      continue;
    }
    flush();
    segments.push({ text: paragraph, html });
  }
  flush();
  return segments;
}

function toHtml(body: string, name: string): string {
  const markdown = boundedMarkdown();
  try {
    return segmentsOf(body)
      .map(({ text, html }) => html ?? markdown.parse(withoutDeepNesting(text), { async: false }))
      .join("");
  } catch (cause) {
    // marked calls itself for each level of nesting until the stack is full; thousands of levels are not prose.
    if (!(cause instanceof RangeError)) throw cause;
    throw new FabulaError(
      "E_MARKDOWN",
      `${name} nests Markdown too deeply to be a manuscript: give it as plain text.`,
      { cause },
    );
  }
}

/** Writers indent paragraphs; Markdown would take four spaces for program code. */
function unindent(text: string): string {
  return text.replace(/^[ \t]+(?=\S)/gm, "");
}

const text = z.union([z.string(), z.number()]).transform(String);
const frontMatterSchema = z.object({
  title: text.optional(),
  author: text.optional(),
  language: text.optional(),
  lang: text.optional(),
  genres: z.array(text).optional(),
  premise: text.optional(),
  description: text.optional(),
});

/** YAML between two `---` lines at the top, or TOML between two of `+++`; what is not metadata stays in the text. */
function splitFrontMatter(source: string): { body: string; metadata: Metadata } {
  const match = /^\uFEFF?(---|\+\+\+)\n([\s\S]{0,20000}?)\n\1[ \t]*\n/.exec(source);
  const facts = match?.[1] === "---" ? yamlOrNull(match[2] ?? "") : tomlStrings(match?.[2] ?? "");
  const parsed = match ? frontMatterSchema.safeParse(facts) : null;
  if (!match || !parsed?.success) return { body: source, metadata: {} };
  const { title, author, language, lang, genres, premise, description } = parsed.data;
  return {
    body: source.slice(match[0].length),
    metadata: statedMetadata({ title, author, language: language ?? lang, genres, premise: premise ?? description }),
  };
}

/** The lines of TOML that state something about a book: `title = "The Lamp"`. */
function tomlStrings(source: string): Record<string, string> {
  const lines = source.matchAll(/^(\w+)[ \t]*=[ \t]*(["'])(.*)\2[ \t]*$/gm);
  return Object.fromEntries([...lines].map(([, key = "", , value = ""]) => [key, value]));
}

function yamlOrNull(source: string): unknown {
  try {
    return parseYaml(source);
  } catch {
    return null;
  }
}
