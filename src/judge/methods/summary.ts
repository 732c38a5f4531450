import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { sum } from "../../stats/distribution/sum.ts";
import type { Segment } from "../../text/segments.ts";
import { countWords } from "../../text/words.ts";
import { chapterMark, metadataText, segmentMark } from "../material/book-material.ts";
import type { Excerpt } from "../material/excerpts.ts";
import { askFromSummary } from "../protocol.ts";
import { charactersText, type Notes } from "../summary/notes.ts";
import type { Progress } from "../summary/summarise.ts";
import type { Method, MethodMaterial } from "./method.ts";
import { ledgerEntry, outcomeOf, unscoredOutcome } from "./outcome.ts";

/**
 * The judge sees metadata, plot summary, characters and excerpts. One summary serves every run: S segments and R runs
 * take S + R calls. A book whose summary has a hole is not judged.
 */
export const summary: Method = {
  name: "summary",
  about: "from a summary, the characters and excerpts",
  async judge(judge, material, run, signal) {
    const { book, segments, judging, excerpts } = material;
    const { language } = judging;
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
      return unscoredOutcome(judging, reason, ledger);
    }
    const values = {
      title: book.title,
      genres: book.genres,
      premise: book.premise,
      metadata: metadataText(book, language, judging.presentation),
      plot: await plotText(material, notes),
      characters: charactersText(notes.characters),
      excerpts:
        judging.presentation?.excerpts === "one chapter"
          ? excerpts.map(({ text }) => text).join("\n")
          : excerptsText(excerpts, language),
    };
    const answer = await askFromSummary(judge, judging, values, run, signal);
    if (answer.kind === "answered") {
      return { ...outcomeOf(answer.value, ledger), quotedWords: sum(excerpts.map(({ text }) => countWords(text))) };
    }
    return unscoredOutcome(
      judging,
      answer.reason,
      segments.map((segment) => ledgerEntry(segment, "nothing", answer.reason)),
    );
  },
};

async function plotText(
  { bySegment, segments, judging, summary: start }: MethodMaterial,
  notes: Notes,
): Promise<string> {
  if (!bySegment) return notes.plot;
  const steps = await Promise.all(start().segments);
  return segments.map((segment, position) => segmentSummary(segment, steps[position]!, judging.language)).join("\n\n");
}

function segmentSummary(segment: Segment, step: Progress, language: PromptLanguage): string {
  return `${segmentMark(segment, language)}\n${step.segment ?? ""}`;
}

export function excerptsText(excerpts: readonly Excerpt[], language: PromptLanguage): string {
  return excerpts.map(({ chapter, text }) => `${chapterMark(chapter, null, language)}\n${text}`).join("\n\n");
}
