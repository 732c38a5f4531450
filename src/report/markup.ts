import { readFileSync } from "node:fs";
import { assetPath } from "../core/assets.ts";

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

/** A table whose cells are markup already; the first of each row names it. The numbers of a report are set to the right. */
export function htmlTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { id, areNumbers = false }: { readonly id?: string; readonly areNumbers?: boolean } = {},
): string {
  const heads = headings.map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`).join("");
  const cell = (content: string) => `<td${areNumbers ? ' class="number"' : ""}>${content}</td>`;
  const lines = rows.map(([first = "", ...rest]) => `<tr><th scope="row">${first}</th>${rest.map(cell).join("")}</tr>`);
  return `<table${id === undefined ? "" : ` id="${id}"`}><thead><tr>${heads}</tr></thead><tbody>${lines.join("\n")}</tbody></table>`;
}

type Attribute = string | number | undefined;

/** One SVG element as text. Attributes that are undefined are left out; children are markup already. */
export function svg(name: string, attributes: Readonly<Record<string, Attribute>>, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter((entry): entry is [string, string | number] => entry[1] !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escapeHtml(value)}"`)
    .join("");
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join("")}</${name}>`;
}

export function svgText(attributes: Readonly<Record<string, Attribute>>, text: string): string {
  return svg("text", attributes, escapeHtml(text));
}

/** Two decimals are finer than a pixel and keep the files small and the snapshots stable. */
function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** One file that opens without a network and prints well: no scripts, no fonts or images from elsewhere. */
export function htmlPage(title: string, body: string, language = "en"): string {
  const style = readFileSync(assetPath("report", "report.css"), "utf8");
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)} · Fabula</title>
<style>
${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

export function htmlFigure(plot: string, caption: string): string {
  return `<figure>${plot}<figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}
