import { z } from "zod";
import { type Rubric, topLevel } from "../../criteria/rubric.ts";
import { jsonCandidates, parseLoosely } from "../../models/read-reply.ts";
import {
  NO_SCORE_GIVEN,
  type ParsedScore,
  readStandaloneScore,
  type WrittenScores,
  withScale,
} from "../../models/written-score.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { Scoreboard } from "./scoreboard.ts";

const fieldsSchema = z.record(z.string(), z.unknown());
const documentSchema = z.union([fieldsSchema, z.array(fieldsSchema).min(1)]);
type Fields = z.infer<typeof fieldsSchema>;
const NAME_FIELDS = ["id", "aspect", "name", "criterion", "dimension", "category", "title", "方面", "维度", "名称"];
const DEEPEST = 4;
/** Longer strings are critiques. */
const LONGEST_SCORE = 40;

export interface JsonReplyScores {
  /** Null if the reply's JSON names neither an aspect nor the whole book. */
  readonly scores: WrittenScores | null;
  /** The text left for the reader of prose. */
  readonly rest: string;
}

/** Reads scores from a reply's JSON, however it names aspects and scores. */
export function readJsonScores(reply: string, rubric: Rubric): JsonReplyScores {
  const label = keyReader(rubric);
  const { found, unfinished } = jsonCandidates(reply);
  const outside = found.reduce((left, text) => left.replace(text, () => ""), reply);
  // A cut-off 85 may look like an 8, so nothing in broken JSON is trusted, not even a complete object within it.
  if (unfinished && OPENED.test(outside)) return { scores: brokenOff(rubric), rest: outside };
  const named: Entry[][] = [];
  let rest = reply;
  for (const text of found) {
    // Without a brace it contains no record, and prose is full of brackets.
    const document = text.includes("{") ? documentSchema.safeParse(parseLoosely(text)) : null;
    if (!document?.success) continue;
    const lines = namelessScores(document.data, label);
    rest = rest.replace(text, () => lines ?? "");
    const entries = lines === null ? entriesOf(document.data, label, 0) : [];
    if (entries.some((entry) => entry.parsed)) named.push(entries);
  }
  return { scores: named.length > 0 ? boardOf(mergeEntries(named), rubric) : null, rest };
}

/** The start of an object that is left over when every complete object has been removed. */
const OPENED = /[{[]\s*(?:\/\/[^\n]*\s*)*["'][^"'\n]{1,60}["']\s*(?::|,|$)|"[^"\n]{1,60}"\s*:\s*(?:[\d"{[]|$)/;

export const CUT_OFF = "the reply was cut off before its JSON was complete";

function brokenOff(rubric: Rubric): Scoreboard {
  const parsed: ParsedScore = { kind: "withheld", reason: CUT_OFF };
  return boardOf(
    ["", ...topLevel(rubric).map(({ id }) => id)].map((id) => ({ id, parsed, text: "" })),
    rubric,
  );
}

/** What JSON says about one aspect, or about the whole book as "". */
interface Entry {
  readonly id: string;
  readonly parsed: ParsedScore | null;
  readonly text: string;
  readonly value?: unknown;
}

/** The raw values in a reply's JSON for each aspect, and for the whole book as "", since remarks are next to scores. */
export function jsonValues(reply: string, rubric: Rubric): { readonly id: string; readonly value: unknown }[] {
  const label = keyReader(rubric);
  return jsonCandidates(reply).found.flatMap((text) => {
    const document = documentSchema.safeParse(parseLoosely(text));
    return document.success ? entriesOf(document.data, label, 0).map(({ id, value }) => ({ id, value })) : [];
  });
}

function boardOf(entries: readonly Entry[], rubric: Rubric): Scoreboard {
  const board = new Scoreboard(rubric);
  for (const { id, parsed, text } of entries) {
    board.comment(id, text);
    if (parsed && id === "") board.overall("named", parsed);
    else if (parsed) board.aspect(id, "named", parsed);
  }
  return board;
}

/**
 * Objects about different aspects are combined; of several about the same aspect the last counts, since models
 * correct themselves.
 */
function mergeEntries(pieces: readonly (readonly Entry[])[]): readonly Entry[] {
  const subjects = pieces.flatMap((entries) => [
    ...new Set(entries.filter(({ parsed }) => parsed).map(({ id }) => id)),
  ]);
  return new Set(subjects).size === subjects.length ? pieces.flat() : pieces.at(-1)!;
}

/**
 * `{"Review": "…", "Score": 85}` does not say what it is a score of; its position does. So it is written out as a
 * line, which the reader of prose finds below its heading. Null if the document names an aspect or the whole book.
 */
function namelessScores(document: z.infer<typeof documentSchema>, label: LabelReader): string | null {
  if (Array.isArray(document) || nameField(document, label)) return null;
  const meanings = Object.entries(document).map(([key, value]) => ({ value, kind: label(key).kind }));
  if (meanings.some(({ kind, value }) => kind === "aspect" || kind === "overall" || typeof value === "object"))
    return null;
  const scores = meanings.filter(({ kind }) => kind === "score");
  return scores.length === 0 ? null : scores.map(({ value }) => `\nScore: ${String(value)}\n`).join("");
}

/** The field of `{"aspect": "Plot", "score": 85}` that names the aspect. */
function nameField(fields: Fields, label: LabelReader): string | undefined {
  return NAME_FIELDS.find((name) => {
    const value = fields[name];
    return typeof value === "string" && ["aspect", "overall"].includes(label(value).kind);
  });
}

/** Keys are read as ids first and as names second: `plot-structure` is the part, `plot_and_structure` the aspect. */
function keyReader(rubric: Rubric): LabelReader {
  const label = labelReader(rubric);
  const ids = new Map(rubric.criteria.map((criterion) => [criterion.id, criterion]));
  return (key) => {
    const criterion = ids.get(key);
    if (criterion) return { kind: "aspect", criterion, scoreWord: false, exact: true };
    return label(key.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " "));
  };
}

function entriesOf(document: z.infer<typeof documentSchema>, label: LabelReader, depth: number): Entry[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(document)) return document.flatMap((item) => entriesOf(item, label, depth + 1));
  const name = nameField(document, label);
  if (name !== undefined) return entriesUnder(String(document[name]), document, label, depth);
  return Object.entries(document).flatMap(([key, value]) => entriesUnder(key, value, label, depth));
}

function entriesUnder(key: string, value: unknown, label: LabelReader, depth: number): Entry[] {
  const meaning = label(key);
  const entry = (id: string): Entry => ({ id, parsed: scoreIn(value, label), text: textIn(value), value });
  if (meaning.kind === "overall") return [entry("")];
  const nested = documentSchema.safeParse(value);
  if (meaning.kind === "aspect") {
    const { id } = meaning.criterion;
    const inner = nested.success && !Array.isArray(nested.data) ? Object.entries(nested.data) : [];
    const parts = inner.filter(([part]) => {
      const within = label(part);
      return within.kind === "aspect" && within.criterion.parent === id;
    });
    return [entry(id), ...parts.flatMap(([part, held]) => entriesUnder(part, held, label, depth + 1))];
  }
  if (nested.success) return entriesOf(nested.data, label, depth + 1);
  return meaning.kind === "score" && depth === 0 ? [entry("")] : [];
}

const MAXIMUM = /^(?:max(?:imum)?(?:[ _]?(?:score|points))?|out[ _]?of|scale)$/i;

function scoreIn(value: unknown, label: LabelReader): ParsedScore | null {
  if (value === null) return { kind: "withheld", reason: NO_SCORE_GIVEN };
  if (typeof value === "number") return { kind: "score", score: { value, outOf: null }, rest: "" };
  if (typeof value === "string") return value.length <= LONGEST_SCORE ? readStandaloneScore(value) : null;
  const fields = fieldsSchema.safeParse(value);
  if (!fields.success) return null;
  const entries = Object.entries(fields.data);
  const given = entries.find(([key]) => {
    const meaning = label(key);
    return meaning.kind === "score" || (meaning.kind === "overall" && meaning.scoreWord) || key === "value";
  });
  const parsed = given ? scoreIn(given[1], label) : null;
  const [, maximum] = entries.find(([key, held]) => MAXIMUM.test(key) && typeof held === "number") ?? [];
  return withScale(parsed, typeof maximum === "number" ? maximum : null);
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value.length > LONGEST_SCORE || !readStandaloneScore(value) ? value : "";
  const fields = fieldsSchema.safeParse(value);
  if (!fields.success) return "";
  return Object.values(fields.data)
    .filter((inner) => typeof inner === "string" && inner.length > 12)
    .join("\n");
}
