import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/files/parse-yaml.ts";
import { isShortTitle, isTitleCase } from "../chapters/title-case.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import { decodeText } from "../files/encoding.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { undecodableWarning } from "../warnings.ts";
import type { Format, FormatInput } from "./format.ts";
import { boundedMarkdown, withoutDeepNesting } from "./markdown-lexer.ts";

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

const UNDERLINE = /^(?:-+|=+)[ \t]*$/;
const ANY_UNDERLINE = new RegExp(UNDERLINE, "m");
/** A line longer than this is prose. */
const LONGEST_HEADING = 160;

/**
 * In Markdown a line of dashes right under a text makes a heading of it. Writers who forget the blank line mean a scene break:
 * under a paragraph it becomes one.
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

/** What goes on over blank lines, or is named in one place and used in another: then marked must see the whole. */
const SPANNING = /^(?:```|~~~)|<(?:script|pre|style|textarea|[!?])|^\[[^\]\n]+\]:/im;

interface Segment {
  readonly text: string;
  /** What the paragraph is in HTML, where marked need not see it. */
  readonly html?: string;
}

/** The paragraphs, each alone where it is simple, else with those around it that are not. */
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
    // marked calls itself for each level of nesting, until the stack is full; thousands of levels are noise, not prose.
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

/** YAML between two `---` lines at the top, or TOML between two of `+++`; what is no metadata stays in the text. */
function splitFrontMatter(source: string): { body: string; metadata: Metadata } {
  const match = /^\uFEFF?(---|\+\+\+)\n([\s\S]{0,20000}?)\n\1[ \t]*\n/.exec(source);
  const facts = match?.[1] === "---" ? yamlOrNull(match[2] ?? "") : tomlStrings(match?.[2] ?? "");
  const parsed = match ? frontMatterSchema.safeParse(facts) : null;
  if (!match || !parsed?.success) return { body: source, metadata: {} };
  const { title, author, language, lang, genres, premise, description } = parsed.data;
  const code = (language ?? lang)?.slice(0, 2).toLowerCase();
  const summary = premise ?? description;
  return {
    body: source.slice(match[0].length),
    metadata: {
      ...(title && { title }),
      ...(author && { author }),
      ...(code && { language: code }),
      ...(genres && { genres }),
      ...(summary && { premise: summary }),
    },
  };
}

/** The lines that say something about a book: `title = "The Lamp"`. */
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
