import { readFileSync } from "node:fs";
import { assetPath } from "../../../core/assets.ts";
import { escapeHtml } from "../../markup.ts";
import type { SiteData } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

export type SitePage = "board" | "methods" | "samples";

const FILES: Readonly<Record<SitePage, string>> = {
  board: "index.html",
  methods: "methods.html",
  samples: "samples.html",
};

/** One page of the site: no scripts and nothing from elsewhere, so that it can be put on any server, or opened from a disk. */
export function sitePage(data: SiteData, page: SitePage, body: string): string {
  const texts = siteTexts(data.language);
  const links = (["board", "methods", "samples"] as const).map((name) =>
    name === page
      ? `<a href="${FILES[name]}" aria-current="page">${texts.nav[name]}</a>`
      : `<a href="${FILES[name]}">${texts.nav[name]}</a>`,
  );
  const style = ["report.css", "leaderboard.css"]
    .map((name) => readFileSync(assetPath("report", name), "utf8"))
    .join("\n");
  return `<!doctype html>
<html lang="${texts.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(data.title)}${page === "board" ? "" : ` · ${texts.nav[page]}`}</title>
<style>
${style}</style>
</head>
<body class="leaderboard-site">
<nav>${links.join("")}</nav>
<main>
${body}
</main>
<footer>${escapeHtml(texts.made(data.version, data.date))}</footer>
</body>
</html>
`;
}

/** A table in a box that scrolls by itself, so that the page never does sideways. */
export function table(label: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  const lines = rows.map(
    ([first = "", ...rest]) =>
      `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="table-scroller" role="region" aria-label="${escapeHtml(label)}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}

export function section(heading: string, ...parts: readonly string[]): string {
  return `<section><h2>${escapeHtml(heading)}</h2>\n${parts.join("\n")}</section>`;
}

export function paragraph(text: string): string {
  return `<p class="hint">${escapeHtml(text)}</p>`;
}
