import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/files/parse-yaml.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import { decodeText } from "../files/encoding.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { undecodableWarning } from "../warnings.ts";
import type { Format, FormatInput } from "./format.ts";
import { boundedMarkdown, withoutDeepNesting } from "./markdown-lexer.ts";
import { simpleHtml } from "./markdown-paragraphs.ts";
import { withoutUnderlinedProse } from "./markdown-underlines.ts";

/** Markdown goes through HTML, so that a manuscript and its web page give the same chapters. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const { text, encoding, undecodable } = decodeText(bytes, name);
    const { body, metadata } = splitFrontMatter(text.replace(/\r\n?/g, "\n"));
    const html = toHtml(withoutUnderlinedProse(unindent(body)), name);
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
