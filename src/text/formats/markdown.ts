import { Marked } from "marked";
import { parse } from "yaml";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import { decodeText } from "../files/encoding.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { undecodableWarning } from "../warnings.ts";
import type { Format, FormatInput } from "./format.ts";
import { BoundedLexer, withoutDeepNesting } from "./markdown-lexer.ts";

/** Markdown goes through HTML, so that a manuscript and its web page give the same chapters. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable } = decodeText(bytes, name);
    const { body, metadata } = splitFrontMatter(text.replace(/\r\n?/g, "\n"));
    const html = toHtml(unindent(body), name);
    const { blocks, removed } = htmlToBlocks(html, { where: name });
    return { blocks, metadata, encoding, removed, warnings: undecodableWarning(undecodable, encoding) };
  },
};

const MARKDOWN = new Marked({
  gfm: true,
  hooks: { provideLexer: () => (source) => new BoundedLexer({ gfm: true }).lex(source) },
});

function toHtml(body: string, name: string): string {
  try {
    return MARKDOWN.parse(withoutDeepNesting(body), { async: false });
  } catch (cause) {
    // marked calls itself for each level of nesting; thousands of them are noise, not prose.
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

/** YAML between two `---` lines at the top; what is no metadata stays in the text. */
function splitFrontMatter(source: string): { body: string; metadata: Metadata } {
  const match = /^\uFEFF?---\n([\s\S]{0,20000}?)\n---[ \t]*\n/.exec(source);
  const parsed = match ? frontMatterSchema.safeParse(parseYaml(match[1] ?? "")) : null;
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

function parseYaml(source: string): unknown {
  try {
    return parse(source, { maxAliasCount: 0 });
  } catch {
    return null;
  }
}
