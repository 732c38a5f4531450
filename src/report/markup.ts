/** Titles, quotations and reasons come from manuscripts and models, so they are escaped in every output. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes Markdown; line breaks become spaces so that a table row stays one row. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replace(/[\\`*_{}[\]<>|#~]/g, "\\$&");
}

/** Escapes one of our own sentences, but keeps a command between backquotes as code. */
export function escapeSentence(text: string): string {
  return text
    .split(/(`[\w:.@/ -]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");
}

/** A single line without control characters, so that a manuscript cannot control the terminal. */
export function plainLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}|\p{Cf}/gu, "")
    .trim();
}
