import { type Answer, ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { sum } from "../../stats/distribution.ts";
import type { Segment } from "../../text/segments.ts";
import { countWords } from "../../text/words.ts";
import { judgeQuestion } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import { chapterMark, type Excerpt, type JudgeInstructions, metadataText, segmentMark } from "../material.ts";
import { askNovelCritique } from "../novelcritique/ask-novel-critique.ts";
import type { ShownStory } from "../novelcritique/review-layout.ts";
import { charactersText, type Notes, type Progress } from "../summary.ts";
import type { Method, MethodMaterial } from "./method.ts";
import { ledgerEntry, outcomeOf, unscoredOutcome } from "./outcome.ts";

/** What a judge is shown of a book that it knows only by its summary. */
export interface BookSummary extends Omit<ShownStory, "excerpt"> {
  /** Title, genres and premise in one text. */
  readonly metadata: string;
  readonly excerpts: string | null;
}

/** Asks for verdicts on a summarised book, with the protocol that the judge uses. */
export async function askFromSummary(
  judge: ChatModel,
  instructions: JudgeInstructions,
  summary: BookSummary,
  sample: number,
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const { protocol = "rubric" } = instructions;
  const { metadata, plot, characters, excerpts } = summary;
  switch (protocol) {
    case "rubric": {
      const values = { metadata, plot, characters, excerpts };
      return ask(judge, await judgeQuestion(judge, instructions, { prompt: "judge-summary", values, sample }), signal);
    }
    case "novelcritique": {
      const { title, genres, premise } = summary;
      const story = { title, genres, premise, plot, characters, excerpt: excerpts };
      return askNovelCritique(judge, instructions, story, sample, signal);
    }
    default:
      return protocol satisfies never;
  }
}

/**
 * The judge sees metadata, plot summary, characters and excerpts. All runs share one summary: S segments and R runs
 * take S + R calls. A book whose summary has gaps is not judged.
 */
export const summary: Method = {
  name: "summary",
  about: "from a summary, the characters and excerpts",
  judging: (material) => async (judge, run, signal) => {
    const { book, segments, instructions, excerpts } = material;
    const { language } = instructions;
    const { notes, missing } = await material.summary().whole;
    const failed = new Map(missing.map(({ segment, reason }) => [segment, reason]));
    const ledger = segments.map((segment) => {
      const reason = failed.get(segment.index);
      return reason === undefined ? ledgerEntry(segment, "summary") : ledgerEntry(segment, "nothing", reason);
    });
    const [first] = missing;
    if (first || !notes) {
      const reason = first
        ? `segment ${first.segment} of ${segments.length} could not be summarised: ${first.reason}`
        : "the book has no text to summarise";
      return unscoredOutcome(instructions, reason, ledger);
    }
    const values = {
      title: book.title,
      genres: book.genres,
      premise: book.premise,
      metadata: metadataText(book, language, instructions.presentation),
      plot: await plotText(material, notes),
      characters: charactersText(notes.characters),
      excerpts:
        instructions.presentation?.excerpts === "one chapter"
          ? excerpts.map(({ text }) => text).join("\n")
          : excerptsText(excerpts, language),
    };
    const answer = await askFromSummary(judge, instructions, values, run, signal);
    if (answer.kind === "answered") {
      return { ...outcomeOf(answer.value, ledger), quotedWords: sum(excerpts.map(({ text }) => countWords(text))) };
    }
    return unscoredOutcome(
      instructions,
      answer.reason,
      segments.map((segment) => ledgerEntry(segment, "nothing", answer.reason)),
    );
  },
};

async function plotText(
  { bySegment, segments, instructions, summary: start }: MethodMaterial,
  notes: Notes,
): Promise<string> {
  if (!bySegment) return notes.plot;
  const steps = await Promise.all(start().segments);
  return segments
    .map((segment, position) => segmentSummary(segment, steps[position]!, instructions.language))
    .join("\n\n");
}

function segmentSummary(segment: Segment, step: Progress, language: PromptLanguage): string {
  return `${segmentMark(segment, language)}\n${step.segment ?? ""}`;
}

export function excerptsText(excerpts: readonly Excerpt[], language: PromptLanguage): string {
  return excerpts.map(({ chapter, text }) => `${chapterMark(chapter, null, language)}\n${text}`).join("\n\n");
}
