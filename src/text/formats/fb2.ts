import { declaredEncoding, decodeDeclared, undecodableWarning } from "../../core/encoding.ts";
import { FabulaError } from "../../core/errors.ts";
import { removalOf } from "../chapters/marks.ts";
import { isShortTitle } from "../chapters/title-case.ts";
import { headingBlock } from "../clean/html-blocks.ts";
import { isZip, openArchive } from "../files/archive.ts";
import type { Block, Manuscript, Metadata } from "../manuscript.ts";
import { countWords, singleSpaced } from "../words.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";
import { localName, parseXml } from "./xml.ts";

/** FictionBook 2, plain or zipped: sections nest, and their titles are headings of that depth. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const own = isZip(bytes) ? unzipped(bytes, name) : bytes;
    const { text, encoding, undecodable } = decodeDeclared(own, declaredEncoding(own), name);
    if (!/<FictionBook\b/i.test(text.slice(0, 4096))) {
      throw new FabulaError("E_FB2", `${name} is named like an FB2 book but is not one: download it again.`);
    }
    const { blocks, notes, metadata } = readFictionBook(text);
    const removed = notes === "" ? [] : [removalOf("notes", "end", notes, countWords(notes))];
    return { blocks, metadata, encoding, removed, warnings: undecodableWarning(undecodable, encoding) };
  },
};

function unzipped(bytes: Uint8Array, name: string): Uint8Array {
  const archive = openArchive(bytes, name, (entry) => /\.fb2$/i.test(entry));
  const book = archive.bytes(archive.names.find((entry) => /\.fb2$/i.test(entry)) ?? "");
  if (book === null) throw new FabulaError("E_FB2", `${name} holds no FB2 book: give the book file itself.`);
  return book;
}

/** Elements that separate one paragraph of text from the next. */
const LINES = new Set(["p", "v", "subtitle", "text-author", "date", "td", "th"]);

function readFictionBook(xml: string): { blocks: Block[]; notes: string; metadata: Metadata } {
  const blocks: Block[] = [];
  const notes: string[] = [];
  const path: string[] = [];
  const facts = new Map<string, string[]>();
  const author: Record<string, string> = {};
  let depth = 0;
  let inBody = false;
  let inFacts = false;
  let isNotes = false;
  let title: string[] | null = null;
  let stanza: string[] | null = null;
  let text = "";
  /** How much of the open line is bold. */
  let boldLength = 0;
  const add = (block: Block, line: string) => {
    if (isNotes) notes.push(line);
    else blocks.push(block);
  };
  const endLine = (element: string) => {
    const line = singleSpaced(text);
    const isBold = boldLength >= text.trim().length;
    text = "";
    boldLength = 0;
    if (line === "") return;
    if (title) title.push(line);
    else if (element === "v" && stanza) stanza.push(line);
    else if (element === "subtitle") {
      const isBreak = !/[\p{L}\p{N}]/u.test(line);
      add(isBreak ? { kind: "break" } : { kind: "heading", lines: [line], level: 0 }, line);
    } else if (isBold && isShortTitle([line])) add({ kind: "heading", lines: [line], level: 0 }, line);
    else add({ kind: "paragraph", text: line }, line);
  };
  const endStanza = () => {
    if (stanza && stanza.length > 0) add({ kind: "paragraph", text: stanza.join("\n") }, stanza.join("\n"));
    stanza = null;
  };
  parseXml(xml, {
    open(tag, attributes) {
      const element = localName(tag).toLowerCase();
      path.push(element);
      if (LINES.has(element) || !inBody) text = "";
      if (element === "title-info") inFacts = true;
      else if (element === "body") {
        inBody = true;
        isNotes = /^(?:notes|comments|footnotes)$/i.test(attributes.name ?? "");
      } else if (element === "section") {
        if (depth > 0 && blocks.length > 0 && blocks.at(-1)!.kind === "paragraph")
          add({ kind: "break", isPage: true }, "");
        depth++;
      } else if (element === "title" && inBody) title = [];
      else if (element === "stanza") stanza = [];
      else if (element === "empty-line") add({ kind: "break" }, "");
    },
    text(part) {
      text += part;
      if (path.at(-1) === "strong") boldLength += part.length;
    },
    close(tag) {
      const element = localName(tag).toLowerCase();
      if (element === "title-info") inFacts = false;
      else if (element === "body") inBody = false;
      else if (inFacts) {
        const value = singleSpaced(text);
        text = "";
        if (path.at(-2) === "author" && value !== "") author[element] ??= value;
        else if (value !== "") facts.set(element, [...(facts.get(element) ?? []), value]);
      } else if (inBody) {
        if (LINES.has(element)) endLine(element);
        else if (element === "section") depth--;
        else if (element === "stanza") endStanza();
        else if (element === "title") {
          const lines = title ?? [];
          title = null;
          // The title of the body is the book's own.
          if (lines.length > 0 && depth > 0) add(headingBlock(lines, Math.min(6, depth)), lines.join(" "));
        }
      }
      path.pop();
    },
  });
  const name = ["first-name", "middle-name", "last-name"].flatMap((part) => author[part] ?? []).join(" ");
  const metadata = statedMetadata({
    title: facts.get("book-title")?.[0],
    author: name || author.nickname,
    language: facts.get("lang")?.[0],
    genres: facts.get("genre"),
    premise: facts.get("p")?.join(" "),
  });
  return { blocks, notes: notes.join("\n"), metadata };
}
