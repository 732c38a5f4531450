import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { MapPart } from "../../../judge/letter/map-part.ts";
import { htmlFigure } from "../../html-page.ts";
import { escapeHtml } from "../../markup.ts";
import { decimalsToTell, ownFigureInWords, referenceInWords } from "../figure-words.ts";
import { quotationHtml } from "../letter-html.ts";
import { type LetterLanguage, loadLetterTexts } from "../letter-texts.ts";
import { quotationView } from "../letter-view.ts";
import { mapStrips } from "./map-strips.ts";

const CAPTION =
  "One column per chapter. The pale band shows where nine in ten reference novels lie, each taken as a whole; bars that leave it are coloured. Person and tense: f first, s second, t third; p present.";

/** The manuscript map of a report: strips, figures with the passages behind them, chapters, characters and phrases. */
export function mapHtml(evaluation: BookEvaluation): string {
  const { map } = evaluation;
  if (!map || map.chapters.length === 0) return "";
  return `<section class="map">
<h2>${escapeHtml(loadLetterTexts(languageOf(evaluation)).headings.map!)}</h2>
<p>What can be counted. Facts, not grades.</p>
${map.chapters.length > 1 ? htmlFigure(mapStrips(map), CAPTION) : ""}
${figureTable(evaluation, map)}
${characterTable(evaluation, map)}
${phraseTable(evaluation, map)}
${toneNote(evaluation, map)}
${slipList(evaluation, map)}
${chapterTable(evaluation, map)}
</section>`;
}

function quotes(evaluation: BookEvaluation, passages: MapPart["slips"]["passages"]): string {
  return passages.map((passage) => quotationHtml(quotationView(passage, evaluation, "en"))).join("");
}

function languageOf({ letter }: BookEvaluation): LetterLanguage {
  return letter?.words.language ?? "en";
}

function figureTable(evaluation: BookEvaluation, { figures }: MapPart): string {
  const language = languageOf(evaluation);
  const names = loadLetterTexts(language).figures;
  const rows = figures.map((figure) => {
    const more = decimalsToTell(figure);
    const beside = referenceInWords(figure, language, more);
    const title = escapeHtml(names[figure.id] ?? figure.name);
    const name =
      figure.passages.length === 0
        ? title
        : `<details><summary>${title}</summary>${quotes(evaluation, figure.passages)}</details>`;
    const place = figure.place === "above" || figure.place === "below" ? figure.place : "";
    return `<tr${place ? ' class="outside"' : ""}><th scope="row">${name}</th><td class="number">${ownFigureInWords(figure, language, more)}</td><td class="number">${beside?.median ?? "–"}</td><td class="number">${beside ? `${beside.low} to ${beside.high}` : "–"}</td><td>${place}</td></tr>`;
  });
  return `<h3>Figures</h3>
<table class="figures"><thead><tr><th>Figure (open it for passages)</th><th>Here</th><th>Reference median</th><th>Middle 90 %</th><th></th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

function characterTable(evaluation: BookEvaluation, { characters, lookAlikes, chapters }: MapPart): string {
  if (characters.length === 0) return "";
  const rows = characters.map(({ name, aliases, mentions, spokenWords, presence, first, last, absences }) => {
    const others = aliases.filter((alias) => alias !== name).slice(0, 6);
    const seen = presence.filter((count) => count > 0).length;
    const [gap] = absences;
    const detail = `<details><summary>${escapeHtml(name)}</summary>${others.length > 0 ? `<p>Also: ${escapeHtml(others.join(", "))}</p>` : ""}${quotes(
      evaluation,
      [first, last].flatMap((passage) => passage ?? []),
    )}</details>`;
    return `<tr><th scope="row">${detail}</th><td class="number">${mentions}</td><td class="number">${spokenWords.toLocaleString("en-GB")}</td><td class="number">${seen} of ${chapters.length}</td><td>${gap ? `absent from chapter ${gap.from} to ${gap.to}` : ""}</td></tr>`;
  });
  const alike = lookAlikes.slice(0, 5).map(({ names }) => names.join(" and "));
  return `<h3>Characters</h3>
<table><thead><tr><th>Name (open it for first and last mention)</th><th>Mentions</th><th>Words spoken</th><th>Chapters</th><th></th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>
${alike.length > 0 ? `<p>Names that look alike: ${escapeHtml(alike.join("; "))}.</p>` : ""}`;
}

function phraseTable(evaluation: BookEvaluation, { phrases }: MapPart): string {
  if (phrases.length === 0) return "";
  const rows = phrases.map(({ phrase, count, rate, referenceRate, passages }) => {
    const name = `<details><summary>${escapeHtml(phrase)}</summary>${quotes(evaluation, passages)}</details>`;
    return `<tr><th scope="row">${name}</th><td class="number">${count}</td><td class="number">${rate.toFixed(2)}</td><td class="number">${referenceRate.toFixed(3)}</td></tr>`;
  });
  return `<h3>Phrases used more than elsewhere</h3>
<table><thead><tr><th>Phrase</th><th>Times</th><th>Per 1,000 words</th><th>Reference novels</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

function toneNote(evaluation: BookEvaluation, { tone }: MapPart): string {
  if (!tone || tone.isRandom === null) return "";
  if (tone.isRandom)
    return "<h3>Tone</h3><p>Good and bad words come as they would in random order: the curve says nothing here.</p>";
  return `<h3>Tone</h3>
<p>Good and bad words are not spread by chance (list: ${escapeHtml(tone.lexicon)}, which knows neither irony nor negation). Its highest and lowest places:</p>
${tone.peaks
  .map(({ kind, at, passage }) => {
    const view = quotationView(passage, evaluation, "en");
    return quotationHtml({
      ...view,
      note: `${kind === "high" ? "most good words" : "most bad words"}, at ${(100 * at).toFixed(0)} % of the book`,
    });
  })
  .join("\n")}`;
}

function slipList(evaluation: BookEvaluation, { slips }: MapPart): string {
  if (slips.count === 0) return "";
  return `<details><summary>${slips.count} ${slips.count === 1 ? "paragraph" : "paragraphs"} in another tense or person than the chapter</summary>${quotes(evaluation, slips.passages)}</details>`;
}

function chapterTable({ book }: BookEvaluation, { chapters }: MapPart): string {
  const titles = new Map(book.chapters.map(({ index, title }) => [index, title]));
  const rows = chapters.map(
    ({ chapter, words, scenes, dialogue, sentenceWords, person, tense, notes, opening, closing }) =>
      `<tr><td class="number">${chapter}</td><td><details><summary>${escapeHtml(titles.get(chapter) ?? "")}</summary><p>${escapeHtml(opening)}</p><p>${escapeHtml(closing)}</p></details></td><td class="number">${words.toLocaleString("en-GB")}</td><td class="number">${scenes}</td><td class="number">${dialogue === null ? "–" : `${(100 * dialogue).toFixed(0)} %`}</td><td class="number">${sentenceWords?.toFixed(1) ?? "–"}</td><td>${person === null ? "–" : `${person}, ${tense ?? "?"}`}</td><td class="number">${notes?.toFixed(1) ?? "–"}</td></tr>`,
  );
  return `<details${chapters.length <= 40 ? " open" : ""}><summary>All ${chapters.length} chapters</summary>
<table><thead><tr><th>Chapter</th><th>Title (open it for first and last line)</th><th>Words</th><th>Scenes</th><th>Spoken</th><th>Words per sentence</th><th>Told in</th><th>Marked per 1,000 words</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table></details>`;
}
