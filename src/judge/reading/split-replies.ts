import { z } from "zod";

/** One saved reply, with the name that its file gives it. */
export interface SavedReply {
  readonly id: string | null;
  readonly text: string;
}

const TEXT_FIELDS = ["reply", "response", "output", "completion", "text", "content", "review", "evaluation", "answer"];
const ID_FIELDS = ["id", "book", "book_id", "title", "key"];
const fields = z.record(z.string(), z.unknown());
const texts = z.array(z.string()).min(1);
const named = z.record(z.string(), z.union([z.string(), texts]));

/**
 * The replies that a file holds: one as plain text or Markdown, or several as a JSON list, a JSON object from names to
 * replies, or JSON lines, of texts or of records with the text in a field such as `response`.
 */
export function splitReplies(content: string): SavedReply[] {
  const whole = parseJson(content);
  if (whole !== undefined) return fromDocument(whole) ?? [{ id: null, text: content }];
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 1) {
    const records = lines.map((line) => {
      const value = parseJson(line);
      return value === undefined ? null : fromItem(value);
    });
    if (records.every((record) => record !== null)) return records.flat();
  }
  return [{ id: null, text: content }];
}

function fromDocument(value: unknown): SavedReply[] | null {
  if (typeof value === "string") return [{ id: null, text: value }];
  if (Array.isArray(value)) {
    const items = value.map(fromItem);
    return items.every((item) => item !== null) ? items.flat() : null;
  }
  const record = fromItem(value);
  if (record) return record;
  const byName = named.safeParse(value);
  if (!byName.success) return null;
  // Short values are the scores and remarks of one reply, not replies.
  const replies = Object.entries(byName.data).flatMap(([id, given]) => [given].flat().map((text) => ({ id, text })));
  return replies.every(({ text }) => text.length > 80 && text.includes("\n")) ? replies : null;
}

function fromItem(value: unknown): SavedReply[] | null {
  if (typeof value === "string") return [{ id: null, text: value }];
  const record = fields.safeParse(value);
  if (!record.success) return null;
  const name = ID_FIELDS.map((field) => record.data[field]).find(
    (id) => typeof id === "string" || typeof id === "number",
  );
  const id = name === undefined ? null : String(name);
  for (const field of TEXT_FIELDS) {
    const given = record.data[field];
    if (typeof given === "string") return [{ id, text: given }];
    const list = texts.safeParse(given);
    if (list.success) return list.data.map((text) => ({ id, text }));
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
