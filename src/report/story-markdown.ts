import type { Passage } from "../core/finding.ts";
import { groupBy } from "../core/group-by.ts";
import type { Story } from "../judge/letter/parts.ts";
import { escapeMarkdown } from "./markup.ts";

/**
 * The story bible of a book: what it is about, the cast, the time line by chapter, threads, facts, what a reader
 * wonders, and the author's own statements.
 */
export function storyMarkdown(title: string, story: Story, says: readonly string[] = []): string {
  const { premise, question, people, chapters, threads, facts = [], events = [], knowledge = [], reader = [] } = story;
  return [
    `# ${escapeMarkdown(title)}: the story`,
    ...paragraphs(premise, question && `The question under the plot: ${question}`),
    ...section("Cast", people.map(personText)),
    ...section(
      "Time line",
      chapters.map((chapter) => chapterText(chapter, story)),
    ),
    ...section("Threads", [threads.map(threadText).join("\n")]),
    ...section(
      "Facts",
      [...groupBy(facts, ({ subject }) => subject).entries()].map(([subject, rows]) =>
        [
          `**${escapeMarkdown(subject)}**`,
          "",
          ...rows.map(({ property, value, passage }) => `- ${plain(property)}: ${plain(value)} ${quoted(passage)}`),
        ].join("\n"),
      ),
    ),
    ...section("Events", [
      events
        .map(
          ({ who, what, when, passage }) =>
            `- ${when ? `${plain(when)}: ` : ""}${plain(who)}: ${plain(what)} ${quoted(passage)}`,
        )
        .join("\n"),
    ]),
    ...section("Who knows what", [
      knowledge
        .map(
          ({ who, knows, what, passage }) =>
            `- ${plain(who)} ${knows ? "knows" : "does not know"}: ${plain(what)} ${quoted(passage)}`,
        )
        .join("\n"),
    ]),
    ...section("What a reader asks", [
      reader
        .filter(({ asks, answered }) => asks.length + answered.length > 0)
        .map(({ chapter, asks, answered }) =>
          [
            `- After chapter ${chapter}: ${asks.map(plain).join(" ") || "nothing new."}`,
            ...(answered.length > 0 ? [`  Answered: ${answered.map(plain).join(" ")}`] : []),
          ].join("\n"),
        )
        .join("\n"),
    ]),
    ...section("What the author says", [says.map((line) => `- ${plain(line)}`).join("\n")]),
    "",
  ].join("\n");
}

function section(heading: string, entries: readonly string[]): string[] {
  const filled = entries.filter((entry) => entry !== "");
  return filled.length === 0 ? [] : ["", `## ${heading}`, ...filled.flatMap((entry) => ["", entry])];
}

function paragraphs(...texts: readonly string[]): string[] {
  return texts.filter((text) => text !== "").flatMap((text) => ["", plain(text)]);
}

function personText({ name, also, role, wants, arc, passages }: Story["people"][number]): string {
  const about = [role, wants && `Wants: ${wants}`, arc].filter((line) => line !== "").map(asSentence);
  return [
    `### ${plain(name)}`,
    ...(also.length > 0 ? ["", `Also called ${also.map(plain).join(", ")}.`] : []),
    ...(about.length > 0 ? ["", plain(about.join(" "))] : []),
    ...passages.flatMap(({ chapter, quote }) => ["", `> ${plain(quote)} (chapter ${chapter})`]),
  ].join("\n");
}

function chapterText(entry: Story["chapters"][number], { joints = [] }: Story): string {
  const { chapter, time, place, viewpoint, tense, level, happens, changes, tension } = entry;
  const joint = joints.find((one) => one.chapter === chapter);
  const facts = [
    time,
    place,
    viewpoint && `seen by ${viewpoint}`,
    `${tense} tense`,
    level === "story" ? "" : level,
    `tension ${tension} of 5`,
  ];
  return [
    `### Chapter ${chapter}`,
    "",
    `*${plain(facts.filter((fact) => fact !== "").join("; "))}*`,
    ...paragraphs(happens, changes && `Changes: ${changes}`),
    ...(joint ? paragraphs(`Opens: ${joint.opening}`, `Ends: ${joint.ending}`) : []),
  ].join("\n");
}

function threadText({ thread, opened, closed }: Story["threads"][number]): string {
  const where = [
    opened ? `opens in chapter ${opened.chapter}` : "its opening was not found",
    closed ? `closes in chapter ${closed.chapter}` : "never closes",
  ];
  return `- ${plain(thread)}: ${where.join(", ")}${opened ? ` ${quoted(opened)}` : ""}`;
}

function quoted({ chapter, quote }: Passage): string {
  return `(chapter ${chapter}: “${plain(quote)}”)`;
}

function asSentence(text: string): string {
  return text.replace(/[.。]?$/, (end) => end || ".");
}

const plain = escapeMarkdown;
