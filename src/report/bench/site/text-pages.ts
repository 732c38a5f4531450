import { judgeInWords } from "../../../core/wording.ts";
import { escapeHtml } from "../../markup.ts";
import { paragraph, section, sitePage, table } from "./layout.ts";
import type { SiteData } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

/** Everything that is needed to do it again: settings, dimensions, prompts word for word, statistics. */
export function methodsPage(data: SiteData): string {
  const texts = siteTexts(data.language);
  const { settings, prompts, criteria } = data.methods;
  const rows = settings.map(([name, value]) => [escapeHtml(name), escapeHtml(value)]);
  return sitePage(
    data,
    "methods",
    [
      `<header><div><h1>${texts.methods}</h1><p>${escapeHtml(data.title)}</p></div></header>`,
      section(texts.settings, table(texts.settings, ["", ""], rows, "settings")),
      section(
        texts.statistics,
        `<p>${escapeHtml(data.benchmark.board.comparisons.method)}</p>`,
        paragraph(texts.statisticsHint),
      ),
      section(
        texts.criteria,
        `<dl>${criteria.map(({ name, definition }) => `<dt><b>${escapeHtml(name)}</b></dt><dd>${escapeHtml(definition)}</dd>`).join("")}</dl>`,
      ),
      section(
        texts.prompts,
        ...prompts.map(
          ({ name, hash, text }) =>
            `<h3>${escapeHtml(name)} <small>${escapeHtml(hash)}</small></h3><pre>${escapeHtml(text)}</pre>`,
        ),
      ),
    ].join("\n"),
  );
}

/** How to cite it: the Citation File Format, which GitHub and Zenodo read. */
export function citationFile({ title, date, version, benchmark }: SiteData): string {
  const quoted = (text: string) => JSON.stringify(text);
  return [
    "cff-version: 1.2.0",
    "message: If you use these figures, cite this leaderboard and the benchmark it follows.",
    "type: dataset",
    `title: ${quoted(title)}`,
    "authors:",
    '  - name: "The maintainers of this leaderboard"',
    `date-released: ${date}`,
    `version: ${quoted(benchmark.population.corpus.hash.slice(0, 12))}`,
    `abstract: ${quoted(`Made with Fabula ${version}; ${benchmark.board.rows.length} writers among ${benchmark.population.novels.length} novels, judged by ${judgeInWords(benchmark.population.judge.id)}.`)}`,
    "references:",
    "  - type: article",
    '    title: "WebNovelBench: Placing LLM Novelists on the Web Novel Distribution"',
    "    authors:",
    '      - { family-names: "Lin", given-names: "Leon" }',
    '      - { family-names: "Zheng", given-names: "Jun" }',
    '      - { family-names: "Wang", given-names: "Haidong" }',
    '    url: "https://arxiv.org/abs/2505.14818"',
    "    year: 2025",
    "",
  ].join("\n");
}
