import { readFileSync } from "node:fs";
import { assetPath } from "../core/assets.ts";
import { escapeHtml } from "./markup.ts";

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
