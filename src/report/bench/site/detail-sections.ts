import type { SplitDifference } from "../../../bench/contamination/split-difference.ts";
import { mean } from "../../../stats/distribution/mean.ts";
import { escapeHtml } from "../../markup.ts";
import { paragraph, section, table } from "./layout.ts";
import type { SiteData } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

/** Levels within each genre; empty where no genre is known. */
export function genreSection({ benchmark, language }: SiteData): string {
  const texts = siteTexts(language);
  const { genres, board } = benchmark;
  if (genres.length === 0) return "";
  const writers = board.rows.map(({ writer }) => writer);
  const rows = genres.map(({ genre, population, writers: own }) => [
    escapeHtml(genre),
    String(population),
    ...writers.map((writer) => {
      const found = own.find((row) => row.writer === writer);
      if (!found) return texts.notMeasured;
      const level = found.level === null ? "" : `${found.level.toFixed(1)} `;
      return `${level}<small>${found.composite.toFixed(2)} (${found.novels})</small>`;
    }),
  ]);
  return section(texts.genres, table(texts.genres, [texts.genre, texts.humans, ...writers], rows));
}

export function conductSection({ writers, language }: SiteData): string {
  const texts = siteTexts(language);
  const share = (count: number, of: number) => (of === 0 ? texts.notMeasured : `${((100 * count) / of).toFixed(1)} %`);
  const rows = writers.map(({ writer, rates, cost }) => [
    escapeHtml(writer),
    rates.meanWords === null ? texts.notMeasured : rates.meanWords.toFixed(0),
    cost === null ? texts.notMeasured : cost.toFixed(2),
    share(rates.refused, rates.asked),
    share(rates.unwritten - rates.refused, rates.asked),
    share(rates.cutOff, rates.asked),
    share(rates.offLength, rates.asked),
  ]);
  return section(texts.conduct, table(texts.conduct, texts.conductColumns, rows), paragraph(texts.conductHint));
}

/** Agreement of every two judges, each judge's levels, steadiness and self-preference. */
export function judgesSection({ benchmark, judges, language }: SiteData): string {
  const texts = siteTexts(language);
  const number = (value: number | null | undefined, digits = 2) => value?.toFixed(digits) ?? texts.notMeasured;
  const pairs = (benchmark.panel?.pairs ?? []).map(({ first, second, agreement }) => [
    `${escapeHtml(first)} · ${escapeHtml(second)}`,
    number(agreement.spearman.value),
    number(agreement.kendall.value),
    String(agreement.writers),
  ]);
  const steadiness = judges.map(({ judge, benchmark: own }, index) => {
    const preference = benchmark.panel?.judges[index]?.selfPreference ?? own.selfPreference;
    const repeats = own.population.repeatability ?? [];
    const spreads = repeats.map(({ interquartileRange }) => interquartileRange);
    return [
      escapeHtml(judge),
      String(repeats.length),
      repeats.length === 0 ? texts.notMeasured : Math.max(...spreads).toFixed(3),
      repeats.length === 0 ? texts.notMeasured : mean(repeats.map(({ variance }) => variance)).toFixed(4),
      preference === null
        ? texts.notMeasured
        : `${escapeHtml(preference.writers.join(", "))}${preference.advantage === null ? "" : ` (${preference.advantage.toFixed(2)})`}`,
    ];
  });
  const levels = judges.flatMap(({ benchmark: own }, index) =>
    own.board.rows.map(({ writer, rank, composite, level, groups }) => ({
      writer,
      index,
      rank,
      composite,
      level,
      groups,
    })),
  );
  const byWriter = benchmark.board.rows.map(({ writer }) => [
    escapeHtml(writer),
    ...judges.map((_, index) => {
      const row = levels.find((one) => one.writer === writer && one.index === index);
      return row
        ? `${row.composite.toFixed(2)} ${row.groups}<small>${row.level.toFixed(1)}, ${row.rank}.</small>`
        : texts.notMeasured;
    }),
  ]);
  const isChinese = language === "zh";
  return section(
    texts.judges,
    paragraph(texts.judgesHint),
    pairs.length > 0
      ? table(
          texts.judges,
          isChinese
            ? ["两位评判", "斯皮尔曼 ρ", "肯德尔 τ", "作者数"]
            : ["Judges", "Spearman ρ", "Kendall τ", "Writers"],
          pairs,
        )
      : "",
    judges.length > 1 ? table(texts.judges, [texts.columns.writer, ...judges.map(({ judge }) => judge)], byWriter) : "",
    table(
      texts.judges,
      isChinese
        ? ["评判者", "重复评分的文本", "最大四分位距", "平均方差", "同族作者（优待）"]
        : ["Judge", "Texts scored again", "Largest IQR", "Mean variance", "Own family (advantage)"],
      steadiness,
    ),
  );
}

export function contaminationSection({ writers, language }: SiteData): string {
  const texts = siteTexts(language);
  const split = (difference: SplitDifference | null) =>
    difference === null
      ? texts.notMeasured
      : `${difference.difference.toFixed(2)}${difference.interval ? `<small>${difference.interval[0].toFixed(2)} – ${difference.interval[1].toFixed(2)}</small>` : ""}`;
  const rows = writers.map(({ writer, contamination: { overlap, cutOff, renamed, recognised } }) => [
    escapeHtml(writer),
    overlap ? `${(100 * overlap.copied).toFixed(2)} %` : texts.notMeasured,
    overlap
      ? `<span title="${escapeHtml(overlap.passage.slice(0, 300))}">${overlap.longest}</span>`
      : texts.notMeasured,
    split(cutOff),
    split(renamed),
    recognised ? `${recognised.known} / ${recognised.asked}` : texts.notMeasured,
  ]);
  return section(
    texts.contamination,
    table(texts.contamination, texts.contaminationColumns, rows),
    paragraph(texts.contaminationHint),
  );
}
