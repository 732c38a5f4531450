import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../../src/core/json-lines.ts";
import type { Lesson } from "../fit-lessons.ts";

type FamilyOf = (text: string) => string;

/** Texts that share this part of the smaller one's runs of five words are versions of one text. */
const SHARED_RUNS = 0.2;
const RUN_WORDS = 5;

/**
 * Groups texts that are versions of each other: those known to belong together, and those that share runs of five words.
 * A version on either side of a split would flatter every figure.
 */
export function textFamilies(texts: readonly string[], known: readonly (readonly [string, string])[]): FamilyOf {
  const parents = new Map<string, string>(texts.map((text) => [text, text]));
  const rootOf = (text: string): string => {
    const parent = parents.get(text);
    if (parent === undefined) throw new RangeError("the text was not among those that were grouped");
    if (parent === text) return text;
    const root = rootOf(parent);
    parents.set(text, root);
    return root;
  };
  const join = (left: string, right: string): void => {
    const [a, b] = [rootOf(left), rootOf(right)];
    if (a !== b) parents.set(a < b ? b : a, a < b ? a : b);
  };
  for (const [left, right] of known) join(left, right);

  const holders = new Map<string, number[]>();
  const distinct = [...parents.keys()];
  const runs = distinct.map(runsOf);
  runs.forEach((own, place) => {
    const shared = new Map<number, number>();
    for (const run of own) {
      const others = holders.get(run) ?? [];
      for (const other of others) shared.set(other, (shared.get(other) ?? 0) + 1);
      holders.set(run, [...others, place]);
    }
    for (const [other, count] of shared) {
      if (count >= SHARED_RUNS * Math.min(own.size, runs[other]!.size)) join(distinct[place]!, distinct[other]!);
    }
  });
  const names = new Map<string, string>();
  for (const text of distinct) {
    const root = rootOf(text);
    if (!names.has(root)) names.set(root, `family ${names.size}`);
  }
  return (text) => names.get(rootOf(text))!;
}

function runsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return new Set(
    words.slice(0, 1 - RUN_WORDS || words.length).map((_, at) => words.slice(at, at + RUN_WORDS).join(" ")),
  );
}

const paragraphSchema = z.object({ text: z.string(), score_1_to_10: z.number() });
const pairSchema = z.object({
  before: z.string(),
  after: z.string(),
  score_before: z.number(),
  score_after: z.number(),
});
const editsSchema = z.object({
  text: z.string(),
  editor: z.string().nullish(),
  edits: z.array(z.object({ before: z.string(), after: z.string(), why: z.string() })),
});

export type EditedPair = z.infer<typeof pairSchema>;
export type ExplainedEdits = z.infer<typeof editsSchema>;

export interface ExpertEdits {
  readonly paragraphs: readonly z.infer<typeof paragraphSchema>[];
  readonly pairs: readonly EditedPair[];
  readonly edits: readonly ExplainedEdits[];
  /** A draft, its edits and every other version of it are one family. */
  readonly familyOf: FamilyOf;
}

export async function loadExpertEdits(folder: string): Promise<ExpertEdits> {
  const paragraphs = await readJsonLines(join(folder, "paragraphs.jsonl.gz"), paragraphSchema);
  const pairs = await readJsonLines(join(folder, "pairs.jsonl.gz"), pairSchema);
  const edits = await readJsonLines(join(folder, "edits.jsonl.gz"), editsSchema);
  const familyOf = textFamilies(
    [
      ...paragraphs.map(({ text }) => text),
      ...pairs.flatMap(({ before, after }) => [before, after]),
      ...edits.map(({ text }) => text),
    ],
    pairs.map(({ before, after }) => [before, after]),
  );
  return { paragraphs, pairs, edits, familyOf };
}

/** Scored paragraphs, and drafts beside what an editor made of them: as a whole, or edit by edit. */
export function expertLessons({ paragraphs, pairs, edits, familyOf }: ExpertEdits): Lesson[] {
  const versions = [
    ...pairs,
    ...edits
      .map((edited) => ({ before: edited.text, after: applyEdits(edited) }))
      .filter(({ before, after }) => before !== after),
  ];
  return [
    ...paragraphs.map(
      ({ text, score_1_to_10 }): Lesson => ({
        text,
        source: "expert-scores",
        target: score_1_to_10,
        family: familyOf(text),
      }),
    ),
    ...versions.flatMap(({ before, after }, pair): Lesson[] => {
      const shared = { source: "expert-pairs", family: familyOf(before), pair } as const;
      return [
        { ...shared, text: after, target: 1 },
        { ...shared, text: before, target: 0 },
      ];
    }),
  ];
}

/** A draft with the edits one professional made in it. */
interface EditedText {
  readonly text: string;
  readonly edits: readonly { readonly before: string; readonly after: string; readonly why: string }[];
}

/** Spans are found in order, each after the one before where it stands there, else from the beginning. */
export function spansOf({ text, edits }: EditedText): { start: number; end: number; after: string; why: string }[] {
  let cursor = 0;
  return edits.flatMap(({ before, after, why }) => {
    if (before === "") return [];
    const later = text.indexOf(before, cursor);
    const start = later === -1 ? text.indexOf(before) : later;
    if (start === -1) return [];
    cursor = start + before.length;
    return [{ start, end: start + before.length, after, why }];
  });
}

/** The text with its edits made; of two edits of one place the first stands. */
export function applyEdits(edited: EditedText): string {
  let cursor = 0;
  let result = "";
  for (const { start, end, after } of spansOf(edited).sort((left, right) => left.start - right.start)) {
    if (start < cursor) continue;
    result += edited.text.slice(cursor, start) + after;
    cursor = end;
  }
  return result + edited.text.slice(cursor);
}
