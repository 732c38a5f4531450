import type { MapPart } from "../../../judge/letter/map-part.ts";
import { escapeMarkdown } from "../../markup.ts";
import { decimalsToTell, ownFigureInWords, referenceInWords } from "../figure-words.ts";
import { type LetterLanguage, loadLetterTexts } from "../letter-texts.ts";

/** The map as tables: figures beside the reference, characters, and phrases used more than elsewhere. */
export function mapMarkdown({ figures, characters, phrases, chapters }: MapPart, language: LetterLanguage): string[] {
  const { headings, figures: names } = loadLetterTexts(language);
  return [
    `## ${headings.map}`,
    "",
    "| figure | here | reference median | middle 90 % | |",
    "| --- | --- | --- | --- | --- |",
    ...figures.map((figure) => {
      const more = decimalsToTell(figure);
      const beside = referenceInWords(figure, language, more);
      const place = figure.place === "above" || figure.place === "below" ? figure.place : "";
      return `| ${escapeMarkdown(names[figure.id] ?? figure.name)} | ${ownFigureInWords(figure, language, more)} | ${beside?.median ?? "–"} | ${beside ? `${beside.low} to ${beside.high}` : "–"} | ${place} |`;
    }),
    "",
    ...(characters.length === 0
      ? []
      : [
          "| character | mentions | words spoken | chapters |",
          "| --- | --- | --- | --- |",
          ...characters.map(
            ({ name, mentions, spokenWords, presence }) =>
              `| ${escapeMarkdown(name)} | ${mentions} | ${spokenWords} | ${presence.filter((count) => count > 0).length} of ${chapters.length} |`,
          ),
          "",
        ]),
    ...(phrases.length === 0
      ? []
      : [
          `Phrases used more than in the reference novels: ${phrases.map(({ phrase, count }) => `“${escapeMarkdown(phrase)}” (${count})`).join(", ")}.`,
          "",
        ]),
  ];
}
