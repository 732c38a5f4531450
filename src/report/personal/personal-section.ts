import type { ReportPart, ReportSection } from "../../api/evaluations.ts";
import { judgeInWords } from "../../core/wording.ts";
import type { PersonalPart } from "../../judge/evaluation.ts";

type Reason = PersonalPart["because"][number];

const REASONS_SHOWN = 6;

/** The reader's part of an evaluation. */
export function personalSection(part: PersonalPart): ReportSection {
  return {
    heading: `For ${part.reader}`,
    parts: [
      { kind: "text", text: part.headline, strong: true },
      ...openingOf(part).map((text) => ({ kind: "text" as const, text })),
      ...groupsOf(part).flatMap(([heading, entries]): ReportPart[] =>
        entries.length === 0
          ? []
          : [
              { kind: "heading", text: heading },
              { kind: "list", entries },
            ],
      ),
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

function groupsOf({ because, against, story, where, review, difference, notes }: PersonalPart) {
  const upwards = (difference ?? 0) >= 0;
  return [
    ["The review this reader would write", review === null ? [] : [review]],
    ["Where they may differ", where.map(({ text }) => text)],
    [upwards ? "Reasons for a higher rating" : "Reasons for a lower rating", reasonLines(because)],
    [upwards ? "Reasons for a lower one" : "Reasons for a higher one", reasonLines(against)],
    ["The story itself", story ? reasonLines([story]) : []],
    ["Notes", notes],
  ] as const;
}

function reasonLines(reasons: readonly Reason[]): string[] {
  return reasons.slice(0, REASONS_SHOWN).map(({ effect, title, text }) => {
    const stars = `${effect >= 0 ? "+" : "−"}${Math.abs(effect).toFixed(2)} stars`;
    return `${stars}: ${title === undefined ? "" : `${title}: `}${text}`;
  });
}
