import { strToU8 } from "fflate";
import { type Finding, isStrength } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { escapeMarkdown } from "../markup.ts";
import { storyMarkdown } from "../story-markdown.ts";
import { chapterInWords } from "../wording.ts";
import { type FindingMarks, isSettled } from "./marked-letter.ts";

const LONGEST_NAME = 60;

/**
 * The letter as a folder of Markdown notes that link to each other: a list, and a note for every finding and every
 * chapter with findings, ticked if nothing is left to do. Obsidian opens it directly; in Scrivener, use File, Import,
 * Files.
 */
export function notesFolder({ book, letter }: BookEvaluation, marks: FindingMarks): Record<string, Uint8Array> {
  const language = letter?.words.language ?? "en";
  const findings = (letter?.findings ?? []).filter((finding) => !isStrength(finding));
  const notes = findings.map((finding, at) => ({ finding, name: noteName(at + 1, finding.title) }));
  const titles = new Map(book.chapters.map(({ index, title }) => [index, title]));
  const chapterName = (chapter: number) => plainName(chapterInWords(chapter, titles.get(chapter), language));
  const chapters = [...new Set(findings.flatMap(placesOf))].sort((left, right) => left - right);
  const story = letter?.close?.story;
  const box = ({ id }: Finding) => (isSettled(marks.get(id)) ? "- [x]" : "- [ ]");
  const files: Record<string, string> = {
    "Findings.md": [
      `# ${escapeMarkdown(book.title)}`,
      "",
      ...notes.map(({ finding, name }) => {
        const mark = marks.get(finding.id);
        return `${box(finding)} [[${name}]] (${finding.severity}${mark ? `, ${mark}` : ""})`;
      }),
      "",
    ].join("\n"),
    ...Object.fromEntries(
      notes.map(({ finding, name }) => [
        `Findings/${name}.md`,
        findingNote(finding, marks.get(finding.id) ?? "open", chapterName),
      ]),
    ),
    ...Object.fromEntries(
      chapters.map((chapter) => [
        `Chapters/${chapterName(chapter)}.md`,
        [
          `# ${escapeMarkdown(chapterInWords(chapter, titles.get(chapter), language))}`,
          "",
          ...notes
            .filter(({ finding }) => placesOf(finding).includes(chapter))
            .map(({ finding, name }) => `${box(finding)} [[${name}]]`),
          "",
        ].join("\n"),
      ]),
    ),
    ...(story ? { "Story.md": storyMarkdown(book.title, story) } : {}),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
}

function findingNote(
  { title, claim, advice, severity, kind, passages }: Finding,
  state: string,
  chapterName: (chapter: number) => string,
): string {
  return [
    "---",
    `kind: ${kind}`,
    `severity: ${severity}`,
    `state: ${state}`,
    "---",
    `# ${escapeMarkdown(title)}`,
    "",
    escapeMarkdown(claim),
    ...passages.flatMap(({ chapter, quote }) => [
      "",
      `> ${escapeMarkdown(quote.replace(/\s+/g, " "))}`,
      `> [[${chapterName(chapter)}]]`,
    ]),
    "",
    escapeMarkdown(advice),
    "",
  ].join("\n");
}

function placesOf({ passages }: Finding): number[] {
  return [...new Set(passages.map(({ chapter }) => chapter))];
}

function noteName(number: number, title: string): string {
  return plainName(`${String(number).padStart(3, "0")} ${title}`);
}

/** A name that is valid in every file system and in a link. */
function plainName(name: string): string {
  return name
    .replace(/[\\/:*?"<>|#^[\]“”‘’]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/[. ]+$/, "");
}
