import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { MapPart } from "../../../judge/letter/map-part.ts";
import { htmlFigure } from "../../html-page.ts";
import { escapeHtml, svg, svgText } from "../../markup.ts";
import { decimalsToTell, ownFigureInWords, referenceInWords } from "../figure-words.ts";
import { quotationHtml } from "../letter-html.ts";
import { type LetterLanguage, loadLetterTexts } from "../letter-texts.ts";
import { quotationView } from "../letter-view.ts";

const WIDTH = 900;
const LABELS = 170;
const ROW = 26;
const GAP = 6;
const MOST_CHARACTERS = 8;

interface Strip {
  readonly label: string;
  readonly cells: readonly { readonly value: number | null; readonly text: string; readonly isOutside?: boolean }[];
  /** Bars by height, shades by darkness, or letters. */
  readonly kind: "bar" | "shade" | "letter";
  /** The reference's middle 90 %, as a quiet band behind bars. */
  readonly band?: { readonly low: number; readonly high: number } | undefined;
}

/** One strip per row, chapters from left to right, all aligned: a column is a chapter. Each cell names its chapter and value. */
function mapStrips(map: MapPart): string {
  const strips = stripsOf(map);
  const columns = map.chapters.length;
  const column = (WIDTH - LABELS) / Math.max(1, columns);
  const rows = strips.map((strip, row) => {
    const y = row * (ROW + GAP);
    const label = svgText({ x: LABELS - 8, y: y + 17, "text-anchor": "end", class: "tick" }, shortened(strip.label));
    return label + cellsOf(strip, y, column);
  });
  const height = strips.length * (ROW + GAP);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      class: "plot strips",
      role: "img",
      "aria-label": "The book chapter by chapter",
    },
    ...rows,
  );
}

function stripsOf({ chapters, characters, figures }: MapPart): Strip[] {
  const bandOf = (id: string) => figures.find((figure) => figure.id === id)?.reference ?? undefined;
  const bars = (
    label: string,
    values: readonly (number | null)[],
    text: (value: number) => string,
    band?: Strip["band"],
  ): Strip => ({
    label,
    kind: "bar",
    band,
    cells: values.map((value) => ({
      value,
      text: value === null ? "–" : text(value),
      isOutside: value !== null && band !== undefined && (value < band.low || value > band.high),
    })),
  });
  const most = Math.max(1, ...characters.flatMap(({ presence }) => presence));
  return [
    bars(
      "Words",
      chapters.map(({ words }) => words),
      (value) => `${value.toLocaleString("en-GB")} words`,
    ),
    bars(
      "Dialogue",
      chapters.map(({ dialogue }) => dialogue),
      (value) => `${(100 * value).toFixed(0)} % spoken`,
      bandOf("dialogue-share"),
    ),
    bars(
      "Words per sentence",
      chapters.map(({ sentenceWords }) => sentenceWords),
      (value) => `${value.toFixed(1)} words per sentence`,
      bandOf("sentence-words"),
    ),
    ...(chapters.some(({ tone }) => tone !== null) ? [toneStrip(chapters)] : []),
    ...characters.slice(0, MOST_CHARACTERS).map(
      ({ name, presence }): Strip => ({
        label: name,
        kind: "shade",
        cells: presence.map((mentions) => ({
          value: mentions === 0 ? 0 : Math.sqrt(mentions / most),
          text: `${mentions} mentions`,
        })),
      }),
    ),
    ...(chapters.some(({ person }) => person !== null)
      ? [
          {
            label: "Person and tense",
            kind: "letter" as const,
            cells: chapters.map(({ person, tense }) => ({
              value: null,
              text: person === null ? "–" : `${person} person, ${tense ?? "tense unclear"}`,
            })),
          },
        ]
      : []),
    ...(chapters.some(({ notes }) => notes !== null)
      ? [
          bars(
            "Marked sentences",
            chapters.map(({ notes }) => notes),
            (value) => `${value.toFixed(1)} per 1,000 words`,
          ),
        ]
      : []),
  ];
}

function toneStrip(chapters: MapPart["chapters"]): Strip {
  const values = chapters.flatMap(({ tone }) => tone ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return {
    label: "Tone (darker: good words)",
    kind: "shade",
    cells: chapters.map(({ tone }) => ({
      value: tone === null || high === low ? null : (tone - low) / (high - low),
      text: tone === null ? "too short" : tone.toFixed(2),
    })),
  };
}

function cellsOf({ label, cells, kind, band }: Strip, y: number, column: number): string {
  const highest = Math.max(1e-9, band?.high ?? 0, ...cells.flatMap(({ value }) => value ?? []));
  const scaled = (value: number) => (ROW * value) / highest;
  const behind = band
    ? svg("rect", {
        x: LABELS,
        y: y + ROW - scaled(band.high),
        width: WIDTH - LABELS,
        height: Math.max(1, scaled(band.high - band.low)),
        class: "reference",
      })
    : "";
  const drawn = cells.map(({ value, text, isOutside }, at) => {
    const x = LABELS + at * column;
    const width = Math.max(0.6, column - (column > 4 ? 1 : 0.2));
    const title = svg("title", {}, escapeHtml(`${label}, chapter ${at + 1}: ${text}`));
    if (kind === "letter") {
      const short = text === "–" ? "–" : `${text[0]}${/present/.test(text) ? "p" : ""}`;
      return svg(
        "g",
        {},
        title,
        svgText({ x: x + column / 2, y: y + 17, "text-anchor": "middle", class: "tick small" }, short),
      );
    }
    if (kind === "shade") {
      const shade = value === null ? 0 : value;
      const opacity = shade === 0 ? 0.04 : 0.15 + 0.8 * shade;
      return svg("rect", { x, y, width, height: ROW, class: "cell", "fill-opacity": opacity }, title);
    }
    const height = Math.max(0.5, scaled(value ?? 0));
    const look = isOutside ? "cell outside" : "cell";
    return svg("rect", { x, y: y + ROW - height, width, height, class: look, "fill-opacity": 0.75 }, title);
  });
  return behind + drawn.join("");
}

function shortened(label: string): string {
  return label.length <= 26 ? label : `${label.slice(0, 25)}…`;
}

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
