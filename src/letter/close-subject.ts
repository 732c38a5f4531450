import { askJudge } from "../judge/ask.ts";
import { draftRecord } from "../judge/drafts/draft-record.ts";
import { chooseExcerpts, type Judging } from "../judge/material.ts";
import { ledgerEntry, outcomeOf, unscoredOutcome } from "../judge/methods/outcome.ts";
import { excerptsText } from "../judge/methods/summary.ts";
import type { Subject } from "../judge/subjects.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { knownAbout } from "../story/author-says.ts";
import { type CloseReading, readClosely } from "../story/close-reading.ts";
import type { ReadingOptions } from "../story/reading-options.ts";
import { storyText } from "../story/story.ts";
import type { Book } from "../text/book.ts";
import { segmentBook } from "../text/segments.ts";
import { findingOf, findingsText, writeCloseLetter } from "./close-letter.ts";
import { orderFindings } from "./findings.ts";

/** What a prompt shows where a short book has no excerpts, or a reading found nothing. */
const NOTHING = "–";

type CloseOptions = Pick<ReadingOptions, "depth" | "mainPeople" | "replyLanguage" | "known" | "onStep" | "onFound"> & {
  readonly judging: Judging;
};

/**
 * A book that judges read closely. Each judge reads it once, however many runs are asked for; a run is one more opinion on
 * what was read, so scores and letter rest on the same findings.
 */
export function closeSubject(book: Book, { judging, ...options }: CloseOptions): Subject {
  const { language, temperature, prompts } = judging;
  const segments = segmentBook(book, {});
  const readings = new Map<string, Promise<CloseReading>>();
  const optionsFor = (model: ChatModel): ReadingOptions => ({
    ...options,
    model,
    language,
    temperature,
    prompts,
    sample: 0,
  });
  const readingBy = (model: ChatModel, signal: AbortSignal) => {
    const known = readings.get(model.id);
    if (known) return known;
    const reading = readClosely(book, optionsFor(model), signal);
    readings.set(model.id, reading);
    return reading;
  };
  return {
    book,
    method: "close",
    basis: "close",
    async judge(judge, run, signal) {
      const nothing = (reason: string) =>
        unscoredOutcome(
          judging,
          reason,
          segments.map((segment) => ledgerEntry(segment, "nothing", reason)),
        );
      const { story, claims, shown } = await readingBy(judge, signal);
      const excerpts = chooseExcerpts(book);
      const values = {
        metadata: knownAbout(book, language),
        story: storyText(story) || NOTHING,
        findings: findingsText(orderFindings(claims.map(findingOf))) || NOTHING,
        excerpts: excerptsText(excerpts, language) || NOTHING,
      };
      const answer = await askJudge(
        judge,
        judging,
        { prompt: "judge-close", values, sample: run, length: "close" },
        signal,
      );
      if (answer.kind === "unanswered") return nothing(answer.reason);
      return outcomeOf(
        answer.value,
        segments.map((segment) => ledgerEntry(segment, shown === "notes" ? "summary" : "text")),
      );
    },
    async storyDetails() {
      const [reading] = readings.values();
      const story = (await reading)?.story;
      if (!story) return { plot: null, characters: null };
      return {
        plot: [story.premise, ...story.chapters.map(({ happens }) => happens)].join("\n"),
        characters: story.people.map(({ name, role, arc }) => `${name}: ${role}. ${arc}`).join("\n"),
      };
    },
    async record(judge, outcomes) {
      const record = draftRecord({ book, judge, judging, segments, method: "close" }, [], outcomes);
      const reading = await readings.get(judge);
      if (!reading) return record;
      const findings = orderFindings(reading.claims.map(findingOf));
      return { ...record, close: { depth: options.depth, findings, tried: [...reading.tried] } };
    },
    async closeLetter(judge, signal) {
      return writeCloseLetter(book, await readingBy(judge, signal), optionsFor(judge), signal);
    },
  };
}
