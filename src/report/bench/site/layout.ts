import { createHash } from "node:crypto";
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

/**
 * Sorting and searching of the first page's table, in the page itself: it works on any server and from a disk. Whoever has no
 * scripts sees the table as it is.
 */
const TABLE_SCRIPT = `
for (const table of document.querySelectorAll("table[id]")) {
  const body = table.tBodies[0];
  const number = (cell) => {
    const text = (cell.firstChild?.textContent ?? "").trim();
    return /^-?[\\d.]+( ↑)?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column];
      const rows = [...body.rows].sort((one, other) => {
        const [left, right] = [number(key(one)), number(key(other))];
        const gone = Number.isNaN(left) - Number.isNaN(right);
        const order = Number.isNaN(left) && Number.isNaN(right)
          ? key(one).textContent.localeCompare(key(other).textContent, undefined, { numeric: true })
          : right - left;
        return gone || (up ? -order : order);
      });
      body.append(...rows);
    });
    head.replaceChildren(button);
  });
}
for (const field of document.querySelectorAll("[data-searches]")) {
  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of document.getElementById(field.dataset.searches).tBodies[0].rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
`;

/** One page of the site, with nothing from elsewhere, so that it can be put on any server, or opened from a disk. */
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
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(TABLE_SCRIPT).digest("base64")}'">
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
${page === "board" ? `<script>${TABLE_SCRIPT}</script>\n` : ""}</body>
</html>
`;
}

/** A table in a box that scrolls by itself, so that the page never does sideways. */
export function table(
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  /** By which the script of the first page finds it, to sort and search it. */
  id?: string,
): string {
  const heads = head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  const lines = rows.map(
    ([first = "", ...rest]) =>
      `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="table-scroller" role="region" aria-label="${escapeHtml(label)}" tabindex="0"><table${id === undefined ? "" : ` id="${id}"`}><thead><tr>${heads}</tr></thead><tbody>${lines.join("\n")}</tbody></table></div>`;
}

export function section(heading: string, ...parts: readonly string[]): string {
  return `<section><h2>${escapeHtml(heading)}</h2>\n${parts.join("\n")}</section>`;
}

export function paragraph(text: string): string {
  return `<p class="hint">${escapeHtml(text)}</p>`;
}
