import { readFileSync } from "node:fs";
import { assetPath } from "../../../core/assets.ts";
import { sha256 } from "../../../core/hash.ts";
import { escapeHtml, htmlTable } from "../../markup.ts";
import type { SiteData } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

export type SitePage = "board" | "methods" | "texts";

/** The pages that every page leads to. */
export const SITE_FILES: Readonly<Record<SitePage, string>> = {
  board: "index.html",
  methods: "methods.html",
  texts: "texts.html",
};

/** One page of the site, with nothing from elsewhere, so that it can be put on any server, or opened from a disk. */
export function sitePage(data: SiteData, page: SitePage, body: string): string {
  const texts = siteTexts(data.language);
  const links = (["board", "texts", "methods"] as const).map((name) =>
    name === page
      ? `<a href="${SITE_FILES[name]}" aria-current="page">${texts.nav[name]}</a>`
      : `<a href="${SITE_FILES[name]}">${texts.nav[name]}</a>`,
  );
  const style = ["report.css", "leaderboard.css"]
    .map((name) => readFileSync(assetPath("report", name), "utf8"))
    .join("\n");
  return `<!doctype html>
<html lang="${texts.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'self' file:">
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
${page === "board" ? '<script src="site.js"></script>\n' : ""}</body>
</html>
`;
}

/** A table in a box that scrolls by itself, so that the page never does sideways. */
export function table(
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  /** By which styles find it, and the script of the first page, to sort and search it. */
  id?: string,
): string {
  return `<div class="table-scroller" role="region" aria-label="${escapeHtml(label)}" tabindex="0">${htmlTable(head, rows, id === undefined ? {} : { id })}</div>`;
}

export function section(heading: string, ...parts: readonly string[]): string {
  return `<section><h2>${escapeHtml(heading)}</h2>\n${parts.join("\n")}</section>`;
}

export function paragraph(text: string): string {
  return `<p class="hint">${escapeHtml(text)}</p>`;
}

/** Names of files for writers or novels: readable, and told apart by a hash where two would share one. */
export function fileNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const plain = (id: string) =>
    id
      .replace(/@https?:\/\/.*$/, "")
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[.-]+|[.-]+$/g, "")
      .slice(0, 80);
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(plain(id).toLowerCase(), (counts.get(plain(id).toLowerCase()) ?? 0) + 1);
  return new Map(
    ids.map((id) => {
      const name = plain(id);
      return [id, name !== "" && counts.get(name.toLowerCase()) === 1 ? name : `${name}-${sha256(id).slice(0, 8)}`];
    }),
  );
}
