import { isScored } from "../core/verdict.ts";
import { countOf } from "../core/wording.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { draftSection, draftSummary } from "./draft-section.ts";
import { aspectCoursePlot, aspectRadar, overallCoursePlot, populationPlot } from "./evaluation-plots.ts";
import {
  type AspectView,
  type EvaluationView,
  judgedAspects,
  type PassageView,
  type RemarkView,
} from "./evaluation-view.ts";
import { htmlFigure, htmlPage } from "./html-page.ts";
import { injectionHtml } from "./injection.ts";
import { jurySectionHtml } from "./jury-section.ts";
import { besideScore } from "./jury-view.ts";
import { letterHtml, notesHtml } from "./letter/letter-html.ts";
import { mapHtml } from "./letter/map/map-html.ts";
import { JUDGED, NOTED } from "./markdown-report.ts";
import { escapeHtml } from "./markup.ts";
import { personalSectionHtml } from "./personal/personal-section.ts";
import { type IntervalDot, intervalDots } from "./plots/interval-dots.ts";
import {
  intervalInWords,
  ordinal,
  percentileInWords,
  positionOnScale,
  scoreInWords,
  supportInWords,
} from "./wording.ts";

export function htmlReport(view: EvaluationView): string {
  return htmlPage(
    view.evaluation.book.title,
    `${header(view)}
${view.injection ? injectionHtml(view.injection) : ""}
${draftSummary(view.evaluation)}
${view.letter ? letterHtml(view.letter) : ""}
${draftSection(view.evaluation)}
${mapHtml(view.evaluation)}
${view.notes ? notesHtml(view.notes) : ""}
${view.jury ? jurySectionHtml(view.jury) : ""}
${aspectTable(view)}
${view.evaluation.personal ? personalSectionHtml(view.evaluation.personal) : ""}
${panelSection(view.evaluation)}
${pictures(view)}
${passages(view)}
${reading(view)}`,
  );
}

/** What judges said of single passages. Line notes have their own section. */
function passages(view: EvaluationView): string {
  if (view.notes && view.jury) return "";
  return `<section>
<h2>${(view.jury ? NOTED : JUDGED).section}</h2>
${view.aspects.map((aspect) => aspectSection(view, aspect)).join("\n")}
</section>`;
}

/** With a letter the book comes first and the score after it. */
function header(view: EvaluationView): string {
  if (view.letter && view.jury) {
    const { title } = view.evaluation.book;
    return `<header class="plain"><div><h1>${escapeHtml(title)}</h1><p class="byline">${escapeHtml(view.byline)}</p><p class="byline">${escapeHtml(view.judged)}</p></div></header>`;
  }
  return scoreHeader(view);
}

function scoreHeader(view: EvaluationView): string {
  const { overall, overallPercentile, population, scale, book } = view.evaluation;
  const figure =
    overall.kind === "scored"
      ? `<p class="figure"><strong>${scoreInWords(overall)}</strong><span>of ${scale.maximum}</span></p>
<p class="range">${overall.interval ? `likely ${intervalInWords(overall)}` : ""}${
          overallPercentile === null || !population
            ? ""
            : `<br>${percentileInWords(overallPercentile)} percentile of ${population.size} books`
        }</p>${view.jury ? `<p class="range">${escapeHtml(`${view.jury.headline.id}: ${besideScore(view.jury.headline)}`)}</p>` : ""}`
      : `<p class="figure unscored"><strong>unscored</strong></p><p class="range">${escapeHtml(overall.reason)}</p>`;
  return `<header>
<div>
<h1>${escapeHtml(book.title)}</h1>
<p class="byline">${escapeHtml(view.byline)}</p>
<p>${escapeHtml(view.judged)}</p>
<p>${escapeHtml(view.sureness)}</p>
</div>
<aside aria-label="Overall score">${figure}</aside>
</header>`;
}

function aspectTable(view: EvaluationView): string {
  const shown = judgedAspects(view);
  if (shown.length === 0) return "";
  const rows = shown.map((aspect) => aspectRow(view, aspect));
  return `<section>
<h2>Aspect by aspect</h2>
<table class="aspects">
<thead><tr><th>Aspect</th><th>Score</th><th class="wide">On the scale of ${view.scale.minimum} to ${view.scale.maximum}</th><th>Interval</th><th>Percentile</th><th>By chapter</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</section>`;
}

function aspectRow(view: EvaluationView, { result, label, isPart }: AspectView): string {
  const { verdict } = result;
  const kind = isPart ? "part" : "aspect";
  const support = result.support ? ` <small>${supportInWords(result.support)}</small>` : "";
  const name = `<th scope="row">${escapeHtml(label)}${support}</th>`;
  if (verdict.kind === "unscored") {
    return `<tr class="${kind} unscored">${name}<td>–</td><td colspan="4">unscored: ${escapeHtml(verdict.reason)}</td></tr>`;
  }
  const position = (positionOnScale(verdict, view.scale) ?? 0) * 100;
  const span = view.scale.maximum - view.scale.minimum;
  const percent = (score: number) => Math.min(100, Math.max(0, ((score - view.scale.minimum) / span) * 100));
  const whisker = verdict.interval
    ? `<i class="whisker" style="left:${percent(verdict.interval[0]).toFixed(1)}%;width:${(percent(verdict.interval[1]) - percent(verdict.interval[0])).toFixed(1)}%"></i>`
    : "";
  return `<tr class="${kind}">${name}<td class="number">${scoreInWords(verdict)}</td><td class="wide"><span class="bar"><i class="fill" style="width:${position.toFixed(1)}%"></i>${whisker}</span></td><td class="number">${intervalInWords(verdict)}</td><td class="number">${percentileInWords(result.percentile)}</td><td>${aspectCoursePlot(view.evaluation, result.id)}</td></tr>`;
}

function pictures(view: EvaluationView): string {
  const { evaluation } = view;
  const ranked = evaluation.aspects.some((aspect) => aspect.percentile !== null);
  const place = populationPlot(evaluation);
  const course = evaluation.overallCourse.length > 1 ? overallCoursePlot(evaluation) : "";
  const figures = [
    view.jury
      ? ""
      : htmlFigure(
          aspectRadar(view),
          ranked
            ? "Each aspect as a percentile of the reference population; the outer ring is the highest."
            : "Each aspect over the whole scale.",
        ),
    place
      ? htmlFigure(
          place,
          `Where the book stands among ${evaluation.population?.size} books: ${evaluation.population?.description}. Each tick is a book; the band is the interval of the score.`,
        )
      : "",
    course
      ? htmlFigure(
          course,
          "The overall score chapter by chapter; the dashed line is the book's own level. A gap is a chapter without a score.",
        )
      : "",
  ];
  if (figures.every((figure) => figure === "")) return "";
  return `<section class="pictures">
<h2>At a glance</h2>
${figures.filter(Boolean).join("\n")}
</section>`;
}

function aspectSection(view: EvaluationView, { result, label, strengths, weaknesses }: AspectView): string {
  if (strengths.length + weaknesses.length === 0) return "";
  const headings = view.jury ? NOTED : JUDGED;
  const place = result.percentile === null ? "" : ` · ${ordinal(Math.round(result.percentile))} percentile`;
  const figure =
    result.verdict.kind === "scored"
      ? `<small>${scoreInWords(result.verdict)} of ${view.scale.maximum}${place}</small>`
      : "";
  return `<article>
<h3>${escapeHtml(label)} ${figure}</h3>
<div class="columns">
<div><h4>${headings.strengths}</h4>${remarkList(strengths)}</div>
<div><h4>${headings.weaknesses}</h4>${remarkList(weaknesses)}</div>
</div>
</article>`;
}

function remarkList(remarks: readonly RemarkView[]): string {
  if (remarks.length === 0) return "<p>Nothing was found.</p>";
  return remarks
    .map((remark) => (remark.text ? `<p>${escapeHtml(remark.text)}</p>` : "") + remark.passages.map(quotation).join(""))
    .join("");
}

function quotation(passage: PassageView): string {
  const share =
    passage.share === null ? "" : ` · ${passage.share >= 0 ? "+" : "−"}${Math.abs(passage.share).toFixed(2)} points`;
  const note = passage.note === null ? "" : ` · ${escapeHtml(passage.note)}`;
  const doubt = passage.found ? "" : ` · <b class="doubt">not found in the book</b>`;
  return `<blockquote><p>${escapeHtml(passage.quote)}</p><footer>${escapeHtml(passage.where)}${share}${note}${doubt}</footer></blockquote>`;
}

function reading(view: EvaluationView): string {
  const { book, coverage, notes } = view.evaluation;
  const rows = book.chapters.map((chapter) => {
    const gap = coverage.skipped.find((skipped) => skipped.chapter === chapter.index);
    return `<tr${gap ? ' class="unscored"' : ""}><td class="number">${chapter.index}</td><td>${escapeHtml(chapter.title ?? "")}</td><td class="number">${chapter.words.toLocaleString("en-GB")}</td><td>${gap ? escapeHtml(gap.reason) : "judged"}</td></tr>`;
  });
  const remarks = [
    view.grounded.total > 0
      ? `Passages found in the book: ${view.grounded.found} of ${countOf(view.grounded.total, "quotation")} shown here.`
      : "",
    ...book.warnings.map((warning) => `Warning: ${warning}`),
    ...notes,
  ].filter(Boolean);
  return `<section>
<h2>What was read, and notes</h2>
<ul>${remarks.map((remark) => `<li>${escapeHtml(remark)}</li>`).join("")}</ul>
<details${book.chapters.length <= 40 ? " open" : ""}><summary>${countOf(book.chapters.length, "chapter")}</summary>
<table class="chapters"><thead><tr><th>Chapter</th><th>Title</th><th>Words</th><th></th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table></details>
</section>`;
}

/** What each judge of a panel said, how far they agree, and what the whole would be without each of them. */
export function panelSection({ panel, overall, aspects }: BookEvaluation): string {
  if (!panel) return "";
  const dots = [
    ...panel.judges.map(({ judge, overall: verdict }) => dotOf(shortName(judge), verdict)),
    dotOf("all together", overall),
    ...panel.without.map(({ judge, overall: verdict }) => dotOf(`without ${shortName(judge)}`, verdict)),
  ].filter((dot) => dot !== null);
  const values = dots.flatMap(({ value, interval }) => [value, ...interval]);
  const room = Math.max(1, (Math.max(...values) - Math.min(...values)) * 0.1);
  const plot =
    dots.length === 0
      ? ""
      : htmlFigure(
          intervalDots(dots, [Math.min(...values) - room, Math.max(...values) + room], "Overall score by judge"),
          "The overall score of each judge with the interval of its own runs, of all together, and with each judge left out.",
        );
  const head = panel.judges.map(({ judge }) => `<th>${escapeHtml(shortName(judge))}</th>`).join("");
  const rows = aspects.map(({ id, name, verdict }) => {
    const cells = panel.judges.map(
      ({ aspects: own }) => `<td class="number">${own[id] ? scoreInWords(own[id]) : "–"}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.join("")}<td class="number">${scoreInWords(verdict)}</td></tr>`;
  });
  return `<section>
<h2>What each judge said</h2>
${plot}
<p>${escapeHtml(agreementInWords(panel))}</p>
<table class="panel"><thead><tr><th>Aspect</th>${head}<th>together</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>
</section>`;
}

function agreementInWords({ difference, concordance }: NonNullable<BookEvaluation["panel"]>): string {
  return [
    difference === null ? "" : `Two judges differ by ${difference.toFixed(1)} points on an aspect, on average.`,
    concordance === null
      ? ""
      : `Their agreement on which aspects are better (Kendall's W) is ${concordance.toFixed(2)}; 1 is full agreement, 0 none.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function dotOf(label: string, verdict: BookEvaluation["overall"]): IntervalDot | null {
  if (!isScored(verdict)) return null;
  const interval = verdict.interval ?? [verdict.score, verdict.score];
  return { label, value: verdict.score, interval, note: scoreInWords(verdict) };
}

/** `model@http://host/v1` is known by its model; the address stands at the head of the report. */
function shortName(judge: string): string {
  return judge.replace(/@https?:\/\/\S+$/, "");
}
