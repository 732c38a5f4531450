import type { MapPart } from "../../../judge/letter/map-part.ts";
import { escapeMarkdown } from "../../markup.ts";
import { figureInWords, referenceInWords } from "../figure-words.ts";

/** The map as tables: figures beside the reference, characters, and phrases used more than elsewhere. */
export function mapMarkdown({ figures, characters, phrases, chapters }: MapPart): string[] {
  return [
    "## The manuscript map",
    "",
    "| figure | here | reference median | middle 90 % | |",
    "| --- | --- | --- | --- | --- |",
    ...figures.map((figure) => {
      const beside = referenceInWords(figure, "en");
      const place = figure.place === "above" || figure.place === "below" ? figure.place : "";
      return `| ${escapeMarkdown(figure.name)} | ${figureInWords(figure.value, figure.unit)} | ${beside?.median ?? "–"} | ${beside ? `${beside.low} to ${beside.high}` : "–"} | ${place} |`;
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
