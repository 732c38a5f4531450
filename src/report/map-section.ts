import type { ReportCell, ReportPart, ReportSection, ReportTable, StripRow } from "../api/evaluations.ts";
import { countOf } from "../core/wording.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { MapPart } from "../judge/letter/parts.ts";
import { decimalsToTell, type LetterLanguage, ownFigureInWords, referenceInWords } from "./letter/figure-words.ts";
import { quotationView } from "./letter/letter-view.ts";
import { loadLetterTexts } from "./letter/letter-words.ts";
import { folded } from "./report-forms.ts";
import { chapterInWords } from "./wording.ts";

const MOST_CHARACTERS = 8;

const CAPTION =
  "One column per chapter. The pale band shows where nine in ten reference novels lie, each taken as a whole; bars that leave it are coloured. Person and tense: 1 first, 2 second, 3 third; p present.";

/** The manuscript map of a report: strips, figures with the passages behind them, characters, phrases and chapters. */
export function mapSection(evaluation: BookEvaluation): ReportSection | null {
  const { map } = evaluation;
  if (!map || map.chapters.length === 0) return null;
  return {
    heading: loadLetterTexts(languageOf(evaluation)).headings.map!,
    parts: [
      { kind: "text", text: "What can be counted. Facts, not grades." },
      ...(map.chapters.length > 1 ? [strips(evaluation, map)] : []),
      ...figures(evaluation, map),
      ...characters(evaluation, map),
      ...phrases(evaluation, map),
      ...tone(evaluation, map),
      ...slips(evaluation, map),
      chapters(evaluation, map),
    ],
  };
}

function strips({ book }: BookEvaluation, map: MapPart): ReportPart {
  const titles = new Map(book.chapters.map(({ index, title }) => [index, title]));
  return {
    kind: "strips",
    chapters: map.chapters.map(({ chapter }) => chapterInWords(chapter, titles.get(chapter))),
    rows: stripRows(map),
    caption: CAPTION,
  };
}

function stripRows({ chapters: all, characters: people, figures: counted }: MapPart): StripRow[] {
  const bandOf = (id: string) => counted.find((figure) => figure.id === id)?.reference ?? null;
  const bars = (
    label: string,
    values: readonly (number | null)[],
    said: (value: number) => string,
    band: StripRow["band"] = null,
  ): StripRow => ({
    label,
    kind: "bar",
    band,
    cells: values.map((value) => ({ value, said: value === null ? "–" : said(value) })),
  });
  const column = <Key extends keyof (typeof all)[number]>(key: Key) => all.map((chapter) => chapter[key]);
  const isKnown = (value: unknown) => value !== null;
  return [
    bars("Words", column("words"), (value) => `${value.toLocaleString("en-GB")} words`),
    bars("Dialogue", column("dialogue"), (value) => `${(100 * value).toFixed(0)} % spoken`, bandOf("dialogue-share")),
    bars(
      "Words per sentence",
      column("sentenceWords"),
      (value) => `${value.toFixed(1)} words per sentence`,
      bandOf("sentence-words"),
    ),
    ...(column("tone").some(isKnown) ? [bars("Tone", column("tone"), (value) => value.toFixed(2))] : []),
    ...people.slice(0, MOST_CHARACTERS).map(
      ({ name, presence }): StripRow => ({
        label: name,
        kind: "shade",
        band: null,
        cells: presence.map((mentions) => ({ value: mentions, said: countOf(mentions, "mention") })),
      }),
    ),
    ...(column("person").some(isKnown)
      ? [
          {
            label: "Person and tense",
            kind: "letters" as const,
            band: null,
            cells: all.map(({ person, tense }) => ({
              value: null,
              said: person === null ? "–" : `${person} person, ${tense ?? "tense unclear"}`,
              letters: `${PERSONS[person ?? ""] ?? "–"}${tense === "present" ? "p" : ""}`,
            })),
          },
        ]
      : []),
    ...(column("notes").some(isKnown)
      ? [bars("Marked sentences", column("notes"), (value) => `${value.toFixed(1)} per 1,000 words`)]
      : []),
  ];
}

const PERSONS: Readonly<Record<string, string>> = { first: "1", second: "2", third: "3" };

function quotes(evaluation: BookEvaluation, passages: MapPart["slips"]["passages"]) {
  return passages.map((passage) => quotationView(passage, evaluation, "en"));
}

function languageOf({ letter }: BookEvaluation): LetterLanguage {
  return letter?.words.language ?? "en";
}

function titled(heading: string, table: Omit<ReportTable, "kind">, ...more: readonly ReportPart[]): ReportPart[] {
  return [{ kind: "heading", text: heading }, { kind: "table", ...table }, ...more];
}

function figures(evaluation: BookEvaluation, { figures: counted }: MapPart): ReportPart[] {
  const language = languageOf(evaluation);
  const names = loadLetterTexts(language).figures;
  return titled("Figures", {
    headings: ["Figure", "Here", "Reference median", "Middle 90 %", ""],
    rows: counted.map((figure) => {
      const more = decimalsToTell(figure);
      const beside = referenceInWords(figure, language, more);
      const place = figure.place === "above" || figure.place === "below" ? figure.place : "";
      const isMarked = place !== "";
      return [
        { text: names[figure.id] ?? figure.name, quotes: quotes(evaluation, figure.passages) },
        { text: ownFigureInWords(figure, language, more), isMarked },
        beside?.median ?? "–",
        beside ? `${beside.low} to ${beside.high}` : "–",
        { text: place, isMarked },
      ];
    }),
  });
}

function characters(
  evaluation: BookEvaluation,
  { characters: people, lookAlikes, chapters: all }: MapPart,
): ReportPart[] {
  if (people.length === 0) return [];
  const alike = lookAlikes.slice(0, 5).map(({ names }) => names.join(" and "));
  return titled(
    "Characters",
    {
      headings: ["Name", "Mentions", "Words spoken", "Chapters", ""],
      rows: people.map(({ name, aliases, mentions, spokenWords, presence, first, last, absences }) => {
        const others = aliases.filter((alias) => alias !== name).slice(0, 6);
        const [gap] = absences;
        const about: ReportCell = {
          text: name,
          ...(others.length > 0 && { lines: [`Also: ${others.join(", ")}`] }),
          quotes: quotes(
            evaluation,
            [first, last].flatMap((passage) => passage ?? []),
          ),
        };
        const seen = presence.filter((count) => count > 0).length;
        return [
          about,
          String(mentions),
          spokenWords.toLocaleString("en-GB"),
          `${seen} of ${all.length}`,
          gap ? `absent from chapter ${gap.from} to ${gap.to}` : "",
        ];
      }),
    },
    ...(alike.length > 0 ? [{ kind: "text" as const, text: `Names that look alike: ${alike.join("; ")}.` }] : []),
  );
}

function phrases(evaluation: BookEvaluation, { phrases: repeated }: MapPart): ReportPart[] {
  if (repeated.length === 0) return [];
  return titled("Phrases used more than elsewhere", {
    headings: ["Phrase", "Times", "Per 1,000 words", "Reference novels"],
    rows: repeated.map(({ phrase, count, rate, referenceRate, passages }) => [
      { text: phrase, quotes: quotes(evaluation, passages) },
      String(count),
      rate.toFixed(2),
      referenceRate.toFixed(3),
    ]),
  });
}

function tone(evaluation: BookEvaluation, { tone: curve }: MapPart): ReportPart[] {
  if (!curve || curve.isRandom === null) return [];
  const heading: ReportPart = { kind: "heading", text: "Tone" };
  if (curve.isRandom) {
    const text = "Good and bad words come as they would in random order: the curve says nothing here.";
    return [heading, { kind: "text", text }];
  }
  return [
    heading,
    {
      kind: "text",
      text: `Good and bad words are not spread by chance (list: ${curve.lexicon}, which knows neither irony nor negation). Its highest and lowest places:`,
    },
    {
      kind: "quotes",
      quotes: curve.peaks.map(({ kind, at, passage }) => ({
        ...quotationView(passage, evaluation, "en"),
        note: `${kind === "high" ? "most good words" : "most bad words"}, at ${(100 * at).toFixed(0)} % of the book`,
      })),
    },
  ];
}

function slips(evaluation: BookEvaluation, { slips: found }: MapPart): ReportPart[] {
  if (found.count === 0) return [];
  const summary = `${countOf(found.count, "paragraph")} in another tense or person than the chapter`;
  return [folded(summary, { kind: "quotes", quotes: quotes(evaluation, found.passages) })];
}

function chapters({ book }: BookEvaluation, { chapters: all }: MapPart): ReportPart {
  const titles = new Map(book.chapters.map(({ index, title }) => [index, title]));
  return folded(`All ${countOf(all.length, "chapter")}`, {
    kind: "table",
    headings: [
      ...["Chapter", "Title", "Words", "Scenes", "Spoken", "Words per sentence"],
      ...["Told in", "Marked per 1,000 words"],
    ],
    rows: all.map(({ chapter, words, scenes, dialogue, sentenceWords, person, tense, notes, opening, closing }) => [
      String(chapter),
      { text: titles.get(chapter) ?? "", lines: [opening, closing] },
      words.toLocaleString("en-GB"),
      String(scenes),
      dialogue === null ? "–" : `${(100 * dialogue).toFixed(0)} %`,
      sentenceWords?.toFixed(1) ?? "–",
      person === null ? "–" : `${person}, ${tense ?? "?"}`,
      notes?.toFixed(1) ?? "–",
    ]),
  });
}
