import { escapeMarkdown } from "../markup.ts";
import { hasStrengths, inMarks, type LetterView, type NotesView, type QuotationView } from "./letter-view.ts";

export function letterMarkdown(letter: LetterView): string[] {
  const { headings, items } = letter;
  return [
    `## ${headings.short}`,
    "",
    letter.opening.map(escapeMarkdown).join(" "),
    "",
    ...(items.length === 0 ? [] : [`## ${headings.items}`, ""]),
    ...items.flatMap(({ title, finding, advice, passages, better, contrast, basis }, at) => [
      `### ${at + 1}. ${escapeMarkdown(title)}`,
      "",
      escapeMarkdown(basis.length > 0 ? `${finding} (${basis.join(", ")})` : finding),
      "",
      ...passages.map((passage) => `- ${quotation(passage)}`),
      ...(better ? [`- ${contrast}: ${quotation(better)}`] : []),
      "",
      escapeMarkdown(advice),
      "",
    ]),
    ...(hasStrengths(letter)
      ? [
          `## ${headings.works}`,
          "",
          letter.works.map(escapeMarkdown).join(" "),
          "",
          ...letter.strongPassages.map((passage) => `- ${quotation(passage)}`),
          "",
        ]
      : []),
    `## ${headings.verdicts}`,
    "",
    letter.verdicts.map(escapeMarkdown).join(" "),
    "",
    escapeMarkdown(letter.notJudged),
    "",
    ...(letter.reference === null ? [] : [escapeMarkdown(letter.reference), ""]),
  ];
}

export function notesMarkdown({ heading, intro, groups, leastHeading, least }: NotesView): string[] {
  return [
    `## ${heading}`,
    "",
    escapeMarkdown(intro),
    "",
    ...groups.flatMap(({ why, notes }) => [
      `### ${escapeMarkdown(why)}`,
      "",
      ...notes.map((note) => `- ${quotation(note)}`),
      "",
    ]),
    `### ${leastHeading}`,
    "",
    ...least.map((passage) => `- ${quotation(passage)}`),
    "",
  ];
}

function quotation({ before, marked, after, where, note }: QuotationView): string {
  const middle = before === "" && after === "" ? escapeMarkdown(marked) : `**${escapeMarkdown(marked.trim())}**`;
  const isMarked = before.replace("…", "") !== "" || after.replace("…", "") !== "";
  const text = `${escapeMarkdown(before)}${isMarked ? middle : escapeMarkdown(marked)}${escapeMarkdown(after)}`;
  return `${inMarks(text)} (${escapeMarkdown(note === null ? where : `${where}; ${note}`)})`;
}
