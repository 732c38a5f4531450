import { isAtCeiling } from "../../../bench/validity/ceiling-check.ts";
import { htmlFigure } from "../../html-page.ts";
import { escapeHtml } from "../../markup.ts";
import { intervalDots } from "../../plots/interval-dots.ts";
import { populationInWords, validityInWords } from "../benchmark-table.ts";
import { pairMatrix } from "../pair-matrix.ts";
import { reportWordsIn } from "../words/report-words-in.ts";
import { conductSection, contaminationSection, genreSection, judgesSection } from "./detail-sections.ts";
import { dimensionsSection } from "./dimensions-section.ts";
import { paragraph, section, sitePage, table } from "./layout.ts";
import type { SiteData } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

/** The first page: the table, and everything that says how far it can be believed. */
export function indexPage(data: SiteData): string {
  const texts = siteTexts(data.language);
  const { benchmark, title } = data;
  const judges = data.judges.map(({ judge }) => judge).join(", ");
  const body = [
    `<header><div><h1>${escapeHtml(title)}</h1><p>${escapeHtml(texts.lead(benchmark.board.rows.length, benchmark.population.novels.length, judges))}</p></div></header>`,
    benchmark.warnings.length > 0 ? section(texts.first, list(benchmark.warnings, "warnings")) : "",
    section(texts.board, paragraph(texts.boardHint), boardTable(data), compositePlot(data)),
    section(
      texts.pairs,
      paragraph(texts.pairsHint),
      pairMatrix(benchmark.board, reportWordsIn(data.language)),
      paragraph(benchmark.board.comparisons.method),
    ),
    dimensionsSection(data),
    genreSection(data),
    conductSection(data),
    judgesSection(data),
    contaminationSection(data),
    section(texts.notes, list([populationInWords(benchmark), ...validityInWords(benchmark)], "checks")),
    section(texts.download, downloads(), `<h3>${texts.cite}</h3>`, '<p><a href="CITATION.cff">CITATION.cff</a></p>'),
  ];
  return sitePage(data, "board", body.filter(Boolean).join("\n"));
}

function boardTable({ benchmark, language }: SiteData): string {
  const texts = siteTexts(language);
  const { columns } = texts;
  const { board, length } = benchmark;
  const rows = board.rows.map((row) => [
    `${row.rank}. ${escapeHtml(row.writer)}`,
    `${row.composite.toFixed(2)}${range(row.compositeInterval, 2)}`,
    isAtCeiling(row)
      ? `${row.level.toFixed(1)} ↑<small>${escapeHtml(texts.above)}</small>`
      : `${row.level.toFixed(1)}${range(row.interval, 1)}`,
    row.groups,
    length.perDoubling === null
      ? texts.notMeasured
      : (length.adjustedLevels.get(row.writer)?.toFixed(1) ?? texts.notMeasured),
    String(row.novels),
  ]);
  const anchors = benchmark.anchors;
  if (anchors) {
    rows.push([
      escapeHtml(reportWordsIn(language).anchors),
      texts.notMeasured,
      `${anchors.level.toFixed(1)}${range(anchors.interval, 1)}`,
      "",
      "",
      String(anchors.novels),
    ]);
  }
  const head = [columns.writer, columns.composite, columns.level, columns.group, columns.adjusted, columns.novels];
  return table(texts.board, head, rows);
}

function compositePlot({ benchmark, language }: SiteData): string {
  const texts = siteTexts(language);
  const { rows } = benchmark.board;
  const ends = rows.flatMap(({ composite, compositeInterval }) => compositeInterval ?? [composite]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const margin = (high - low) * 0.05 || 1;
  return htmlFigure(
    intervalDots(
      rows.map((row) => ({
        label: row.writer,
        value: row.composite,
        interval: row.compositeInterval ?? [row.composite, row.composite],
        note: row.groups,
      })),
      [low - margin, high + margin],
      texts.composites,
    ),
    "",
  );
}

function range(interval: readonly [number, number] | null, digits: number): string {
  return interval ? `<small>${interval[0].toFixed(digits)} – ${interval[1].toFixed(digits)}</small>` : "";
}

function list(items: readonly string[], name: string): string {
  return `<ul class="${name}">${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
}

function downloads(): string {
  const files = [
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.parquet",
    "pairs.csv",
    "scores.csv",
    "scores.parquet",
  ];
  return `<ul>${files.map((file) => `<li><a href="data/${file}">${file}</a></li>`).join("")}</ul>`;
}
