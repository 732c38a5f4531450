import type { ReportSection } from "../../api/evaluations.ts";
import { judgeInWords } from "../../core/wording.ts";
import type { PersonalPart } from "../../judge/evaluation.ts";
import { escapeMarkdown, plainLine } from "../markup.ts";

type Reason = PersonalPart["because"][number];

const REASONS_SHOWN = 6;

interface Group {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The reader's part of an evaluation as lines for a terminal. */
export function personalSectionText(part: PersonalPart): string[] {
  return [
    `For ${part.reader}`,
    `  ${plainLine(part.headline)}`,
    ...openingOf(part).map((line) => `  ${plainLine(line)}`),
    ...groupsOf(part).flatMap(({ heading, lines }) => [
      `  ${heading}`,
      ...lines.map((line) => `    ${plainLine(line)}`),
    ]),
  ];
}

export function personalSectionMarkdown(part: PersonalPart): string[] {
  return [
    `## For ${escapeMarkdown(part.reader)}`,
    "",
    `**${escapeMarkdown(part.headline)}**`,
    "",
    ...openingOf(part).flatMap((line) => [escapeMarkdown(line), ""]),
    ...groupsOf(part).flatMap(({ heading, lines }) => [
      `**${heading}**`,
      "",
      ...lines.map((line) => `- ${escapeMarkdown(line)}`),
      "",
    ]),
  ];
}

export function personalSection(part: PersonalPart): ReportSection {
  return {
    heading: `For ${part.reader}`,
    parts: [
      { kind: "text", text: part.headline, strong: true },
      ...openingOf(part).map((text) => ({ kind: "text" as const, text })),
      ...groupsOf(part).flatMap(({ heading, lines }) => [
        { kind: "heading" as const, text: heading },
        { kind: "list" as const, entries: lines },
      ]),
    ],
  };
}

function openingOf({ verdict, judge, missing }: PersonalPart): string[] {
  const how =
    judge === "embedded"
      ? "Predicted from the reader's earlier reviews and the book's description, without a model."
      : `As ${judgeInWords(judge)} answers when it stands in for the reader.`;
  const range =
    verdict.kind === "scored" && verdict.interval
      ? judge === "embedded"
        ? ` Four times out of five, such a rating falls between ${verdict.interval[0].toFixed(1)} and ${verdict.interval[1].toFixed(1)}.`
        : ` Asked again it would fall between ${verdict.interval[0].toFixed(1)} and ${verdict.interval[1].toFixed(1)}.`
      : "";
  const gaps = missing.length === 0 ? [] : [`Not known of the book, and so not used: ${missing.join(", ")}.`];
  return [how + range, ...gaps];
}

function groupsOf({ because, against, story, where, review, difference, notes }: PersonalPart): Group[] {
  const upwards = (difference ?? 0) >= 0;
  return [
    { heading: "The review this reader would write", lines: review === null ? [] : [review] },
    { heading: "Where they may differ", lines: where.map(({ text }) => text) },
    {
      heading: upwards ? "Reasons for a higher rating" : "Reasons for a lower rating",
      lines: reasonLines(because),
    },
    { heading: upwards ? "Reasons for a lower one" : "Reasons for a higher one", lines: reasonLines(against) },
    { heading: "The story itself", lines: story ? reasonLines([story]) : [] },
    { heading: "Notes", lines: notes },
  ].filter(({ lines }) => lines.length > 0);
}

function reasonLines(reasons: readonly Reason[]): string[] {
  return reasons.slice(0, REASONS_SHOWN).map(({ effect, title, text }) => {
    const stars = `${effect >= 0 ? "+" : "−"}${Math.abs(effect).toFixed(2)} stars`;
    return `${stars}: ${title === undefined ? "" : `${title}: `}${text}`;
  });
}
