/** Titles, quotations and reasons come from manuscripts and models: they are text, and are escaped wherever they land. */
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

/** Text that Markdown would take for markup, made plain; line breaks become spaces so that a table row stays one row. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replace(/[\\`*_{}[\]<>|#~]/g, "\\$&");
}

/** A sentence of our own, in which a command stands between backquotes: it stays code, and all else is made plain. */
export function escapeSentence(text: string): string {
  return text
    .split(/(`[\w:.@/ -]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");
}

/** One line, with control characters gone: a manuscript must not be able to drive the terminal. */
export function plainLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}|\p{Cf}/gu, "")
    .trim();
}
