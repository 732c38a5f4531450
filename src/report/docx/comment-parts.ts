import { strFromU8, strToU8 } from "fflate";
import { escapeHtml } from "../markup.ts";

/** A comment as paragraphs of plain text. */
export interface Comment {
  readonly id: number;
  readonly paragraphs: readonly string[];
}

type Entries = Record<string, Uint8Array>;

const COMMENTS = "word/comments.xml";
const RELATIONS = "word/_rels/document.xml.rels";
const TYPES = "[Content_Types].xml";
const AUTHOR = "Fabula";
const NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments";
const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";

/** The first id that no comment of the document has. */
export function firstFreeId(entries: Entries): number {
  const ids = [...text(entries, COMMENTS).matchAll(/<w:comment [^>]*w:id="(\d+)"/g)].map(([, id]) => Number(id));
  return ids.reduce((most, id) => Math.max(most, id + 1), 0);
}

/** Adds comments to a document's own, or the part that holds them, with its relationship and its content type. */
export function addComments(entries: Entries, comments: readonly Comment[]): void {
  const written = comments.map(commentXml).join("");
  const existing = text(entries, COMMENTS);
  entries[COMMENTS] = strToU8(
    existing.includes("</w:comments>")
      ? existing.replace("</w:comments>", () => `${written}</w:comments>`)
      : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${NAMESPACE}">${written}</w:comments>`,
  );
  const relations = text(entries, RELATIONS);
  if (!relations.includes(RELATION)) {
    const relation = `<Relationship Id="${freeRelation(relations)}" Type="${RELATION}" Target="comments.xml"/>`;
    entries[RELATIONS] = strToU8(
      relations.includes("</Relationships>")
        ? relations.replace("</Relationships>", `${relation}</Relationships>`)
        : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
    );
  }
  const types = text(entries, TYPES);
  if (!types.includes(TYPE)) {
    entries[TYPES] = strToU8(
      types.replace("</Types>", `<Override PartName="/${COMMENTS}" ContentType="${TYPE}"/></Types>`),
    );
  }
}

function commentXml({ id, paragraphs }: Comment): string {
  const inside = paragraphs.map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`);
  return `<w:comment w:id="${id}" w:author="${AUTHOR}" w:initials="F">${inside.join("")}</w:comment>`;
}

/** XML has no place for control characters, even escaped. */
export function escapeXml(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return escapeHtml(line.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));
}

function freeRelation(relations: string): string {
  let number = 1;
  while (relations.includes(`"rIdFabula${number}"`)) number++;
  return `rIdFabula${number}`;
}

function text(entries: Entries, name: string): string {
  const bytes = entries[name];
  return bytes ? strFromU8(bytes) : "";
}
