import { signedNumber } from "../../core/wording.ts";
import type { Reason } from "../../reader/predictor/reasons.ts";
import { sum } from "../../stats/distribution.ts";
import { htmlPage } from "../html-page.ts";
import { escapeHtml, escapeMarkdown, plainLine } from "../markup.ts";
import type { PersonalView } from "./personal-view.ts";

const SHOWN = 8;

interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

export function personalText(view: PersonalView): string {
  const sections = sectionsOf(view).flatMap(({ heading, lines }) => ["", heading, ...lines.map((line) => `  ${line}`)]);
  return [view.title, "", view.headline, rangeInWords(view), ...view.notes, ...sections].join("\n");
}

export function personalMarkdown(view: PersonalView): string {
  const sections = sectionsOf(view).flatMap(({ heading, lines }) => [
    `## ${heading}`,
    "",
    ...lines.map((line) => `- ${escapeMarkdown(line)}`),
    "",
  ]);
  const opening = [view.headline, rangeInWords(view), ...view.notes].map(escapeMarkdown).join("\n\n");
  return [`# ${escapeMarkdown(view.title)}`, "", opening, "", ...sections].join("\n");
}

export function personalHtml(view: PersonalView): string {
  const sections = sectionsOf(view).map(
    ({ heading, lines }) =>
      `<section><h2>${escapeHtml(heading)}</h2>\n<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("\n")}</ul></section>`,
  );
  const opening = [view.headline, rangeInWords(view), ...view.notes];
  return htmlPage(
    `${view.title} for ${view.reader}`,
    `<header><div>
<h1>${escapeHtml(view.title)}</h1>
${opening.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n")}
</div></header>
${sections.join("\n")}`,
  );
}

function rangeInWords({ personal }: PersonalView): string {
  const [low, high] = personal.interval;
  return `Four times out of five, such a rating falls between ${low.toFixed(1)} and ${high.toFixed(1)}.`;
}

function sectionsOf(view: PersonalView): Section[] {
  const { because, against, story, personal } = view;
  const upwards = view.difference >= 0;
  return [
    {
      heading: upwards ? "Reasons for a higher rating" : "Reasons for a lower rating",
      lines: reasonLines(because),
    },
    { heading: upwards ? "Reasons for a lower one" : "Reasons for a higher one", lines: reasonLines(against) },
    { heading: "The story itself", lines: story ? [line(story)] : [] },
    {
      heading: "How to read the figures",
      lines: [
        `Each figure is a share of the rating in stars. They start at ${personal.start.toFixed(2)}, the rating of an average story by an average reader, and add up to the rating; near the ends of the scale the sum is compressed.`,
      ],
    },
  ].filter(({ lines }) => lines.length > 0);
}

function reasonLines(reasons: readonly Reason[]): string[] {
  const lines = reasons.slice(0, SHOWN).map(line);
  const rest = reasons.slice(SHOWN);
  if (rest.length === 0) return lines;
  const effect = sum(rest.map((reason) => reason.effect));
  return [...lines, `${signedNumber(effect, 2)}  ${rest.length} more earlier reviews together`];
}

function line({ effect, title, text }: Reason): string {
  return plainLine(`${signedNumber(effect, 2)} ${title === undefined ? "" : `${title}: `}${text}`);
}
