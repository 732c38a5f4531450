import { z } from "zod";
import { decodeText, undecodableWarning } from "../../core/encoding.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Block, Manuscript } from "../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";

const text = z.string().nullish();
const bookSchema = z.object({
  title: text,
  author: text,
  genres: z.union([z.array(z.string()), z.string()]).nullish(),
  premise: text,
  language: text,
  chaps: z.array(z.object({ title: text, content: z.union([z.array(z.string()), z.string()]) })).min(1),
});

/** The layout of LongStoryEval: `{"chaps": [{"title": "…", "content": ["paragraph", …]}]}`. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const decoded = decodeText(bytes, name);
    const parsed = bookSchema.safeParse(parseJson(decoded.text, name));
    if (!parsed.success) {
      throw new FabulaError(
        "E_BOOK_JSON",
        `${name} is not a book in JSON: it needs {"chaps": [{"title": "…", "content": ["paragraph", …]}]}.`,
        { cause: parsed.error },
      );
    }
    const { title, author, genres, premise, language, chaps } = parsed.data;
    const kinds = typeof genres === "string" ? genres.split(",").map((genre) => genre.trim()) : genres;
    return {
      blocks: chaps.flatMap((chapter, index) => chapterBlocks(chapter, index)),
      metadata: statedMetadata({ title, author, language, genres: kinds, premise }),
      encoding: decoded.encoding,
      removed: [],
      warnings: undecodableWarning(decoded.undecodable, decoded.encoding),
    };
  },
};

function parseJson(source: string, name: string): unknown {
  try {
    return JSON.parse(source.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new FabulaError(
      "E_BOOK_JSON",
      `${name} is not valid JSON: export it again, or give the book in another format.`,
      {
        cause,
      },
    );
  }
}

function chapterBlocks(chapter: z.infer<typeof bookSchema>["chaps"][number], index: number): Block[] {
  const { content } = chapter;
  const paragraphs = (typeof content === "string" ? content.split(/\n\s*\n/) : content)
    .map((paragraph) => paragraph.replace(/[ \t\r\n]+/g, " ").trim())
    .filter(Boolean);
  const title = chapter.title?.trim() || null;
  return [
    { kind: "section", where: `chaps[${index}]`, role: "chapter", title },
    ...paragraphs.map((paragraph): Block => ({ kind: "paragraph", text: paragraph })),
  ];
}
