import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/files/parse-yaml.ts";
import { sha256 } from "../../core/hash.ts";
import { unscored } from "../../core/verdict.ts";
import type { Book } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";
import { askJudge } from "../ask.ts";
import { chapterMark, metadataText } from "../material/book-material.ts";
import type { Judging } from "../material/judging.ts";
import type { AspectOutcome, LedgerEntry, RunOutcome } from "../methods/method.ts";
import { outcomeOf, unscoredOutcome } from "../methods/outcome.ts";
import { askNovelCritique } from "../novelcritique/ask-novel-critique.ts";
import type { Subject } from "./subject.ts";

/** A story that is not yet written: its plan, its people, and perhaps a sample of its prose. */
export interface Outline {
  readonly title: string;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly plot: string;
  readonly characters: string | null;
  readonly sample: string | null;
}

const frontMatterSchema = z.looseObject({
  title: z.string().optional(),
  genres: z.array(z.string()).default([]),
  premise: z.string().optional(),
});
const SECTIONS = {
  premise: /^(?:premise|pitch|logline|blurb|简介|前提)/i,
  plot: /^(?:plot|outline|synopsis|story|treatment|summary|情节|大纲|梗概|故事)/i,
  characters: /^(?:characters?|cast|people|dramatis|人物|角色)/i,
  sample: /^(?:sample|chapter|excerpt|opening|样章|试读|第.{1,4}章)/i,
} as const;

/**
 * Reads an outline in Markdown: front matter with title and genres if any, then sections by heading (premise, plot or
 * outline, characters, sample chapter). What stands under no known heading belongs to the plot.
 */
export function parseOutline(source: string, file: string): Outline {
  const text = source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const facts = frontMatterSchema.safeParse(head ? parseYaml(head[1]!) : {});
  const body = text.slice(head?.[0].length ?? 0);
  const title = facts.data?.title ?? /^#\s+(.+)$/m.exec(body)?.[1]?.trim() ?? file;
  const parts: Record<keyof typeof SECTIONS, string[]> = { premise: [], plot: [], characters: [], sample: [] };
  let section: keyof typeof SECTIONS = "plot";
  for (const line of body.split("\n")) {
    if (/^#\s/.test(line)) continue;
    const heading = /^#{2,3}\s+(.+)$/.exec(line)?.[1];
    const named = heading
      ? (Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).find((name) => SECTIONS[name].test(heading))
      : undefined;
    if (named) section = named;
    else parts[section].push(line);
  }
  const joined = (name: keyof typeof SECTIONS) => parts[name].join("\n").trim() || null;
  const plot = joined("plot");
  if (plot === null) {
    throw new FabulaError("E_OUTLINE_EMPTY", `"${file}" has no plot: write it under a heading such as "## Plot".`);
  }
  return {
    title,
    genres: facts.data?.genres ?? [],
    premise: joined("premise") ?? facts.data?.premise ?? null,
    plot,
    characters: joined("characters"),
    sample: joined("sample"),
  };
}

/** An outline as something to judge. Quotations are searched in the sample, or in the outline when there is none. */
export function outlineSubject(outline: Outline, file: string, language: string | null, judging: Judging): Subject {
  const text = outline.sample ?? outline.plot;
  const words = countWords(text);
  const book: Book = {
    title: outline.title,
    author: null,
    language,
    genres: outline.genres,
    premise: outline.premise,
    chapters: [{ index: 1, title: null, text, words }],
    words,
    removed: [],
    warnings: ["This is an outline: the scores say what the plan promises, not what a book does."],
    source: { file, format: "outline", encoding: "utf-8", bytes: 0, sha256: sha256(text) },
  };
  const values = {
    metadata: metadataText(book, judging.language, judging.presentation),
    outline: outline.plot,
    characters: outline.characters,
    sample: outline.sample ? `${chapterMark(1, null, judging.language)}\n${outline.sample}` : null,
  };
  const entry: LedgerEntry = { segment: 1, chapters: [1], words, seenAs: "text", reason: null };
  return {
    book,
    method: "outline",
    basis: "outline",
    // Without a sample the plot stands as the book's text.
    beside: { plot: outline.sample === null ? null : outline.plot, characters: outline.characters },
    storyDetails: async () => ({ plot: outline.plot, characters: outline.characters }),
    async judge(judge, run, signal) {
      const answer =
        judging.protocol === "novelcritique"
          ? await askNovelCritique(
              judge,
              judging,
              {
                title: outline.title,
                genres: outline.genres,
                premise: outline.premise,
                plot: outline.plot,
                characters: outline.characters,
                excerpt: outline.sample,
              },
              run,
              signal,
            )
          : await askJudge(judge, judging, { prompt: "judge-outline", values, sample: run }, signal);
      if (answer.kind === "answered")
        return withoutUnseenProse(outcomeOf(answer.value, [entry]), outline.sample !== null, judging);
      return unscoredOutcome(judging, answer.reason, [{ ...entry, seenAs: "nothing", reason: answer.reason }]);
    },
  };
}

/** Why an outline's writing has no score: no judge could have given one, so it is no gap of the evaluation. */
export const NO_PROSE = "there is no sample of the prose";

/** Prose that was not shown cannot be scored, whatever a judge answers. */
function withoutUnseenProse(outcome: RunOutcome, isSeen: boolean, { rubric }: Judging): RunOutcome {
  if (isSeen) return outcome;
  const nothing: AspectOutcome = {
    verdict: unscored(NO_PROSE),
    strengths: [],
    weaknesses: [],
  };
  const ofProse = rubric.criteria.filter(({ id, parent }) => (parent ?? id) === "writing").map(({ id }) => id);
  const aspects = Object.entries(outcome.aspects).map(([id, given]) => [id, ofProse.includes(id) ? nothing : given]);
  return { ...outcome, aspects: Object.fromEntries(aspects) };
}
