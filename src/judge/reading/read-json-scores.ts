import { z } from "zod";
import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { jsonCandidates } from "../../models/json-candidates.ts";
import { readJsonReply } from "../../models/read-json-reply.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { readStandaloneScore, type ScoreReading, type WrittenScores } from "./written-score.ts";

const fieldsSchema = z.record(z.string(), z.unknown());
const documentSchema = z.union([fieldsSchema, z.array(fieldsSchema).min(1)]);
const NAME_FIELDS = ["id", "aspect", "name", "criterion", "dimension", "category", "title", "方面", "维度", "名称"];

export interface JsonReplyScores {
  /** Null when the reply's JSON names no aspect and no whole. */
  readonly scores: WrittenScores | null;
  /** What is left for the reader of prose. */
  readonly rest: string;
}

/** Reads scores from a reply's JSON, in whatever shape it names aspects and scores. */
export function readJsonScores(reply: string, rubric: Rubric): JsonReplyScores {
  const label = keyReader(rubric);
  const { found, unfinished } = jsonCandidates(reply);
  const pieces = found.flatMap((text) => {
    // Without a brace it holds no record, and prose is full of brackets.
    if (!text.includes("{")) return [];
    const reading = readJsonReply({ text, stop: "stop" }, documentSchema);
    return reading.kind === "read" ? [{ text, document: reading.value }] : [];
  });
  const nameless = pieces.flatMap(({ text, document }) => {
    const lines = namelessScores(document, label);
    return lines === null ? [] : [{ text, lines }];
  });
  const without = (texts: readonly string[], from = reply) =>
    texts.reduce((left, text) => left.replace(text, () => ""), from);
  const asLines = nameless.reduce((left, { text, lines }) => left.replace(text, () => lines), reply);
  // A cut-off 85 may look like an 8: nothing in broken JSON is taken at its word, nor any whole piece within it.
  if (unfinished && OPENED.test(without(found))) {
    const broken = new JsonScores(label);
    broken.fail("the reply was cut off before its JSON was complete");
    return { scores: broken, rest: without(found) };
  }
  const named = pieces.flatMap(({ document }) => {
    const scores = new JsonScores(label);
    if (namelessScores(document, label) === null) scores.collect(document);
    return scores.found ? [scores] : [];
  });
  // What stands in JSON is data: `"Plot": [82, 75]` is not read once more as prose.
  if (named.length > 0) return { scores: together(named), rest: without(found, asLines) };
  const read = pieces.map(({ text }) => text);
  return { scores: null, rest: without(read, asLines) };
}

/** The start of an object that names something, left over when every whole piece is taken out. */
const OPENED = /[{[]\s*(?:\/\/[^\n]*\s*)*["'][^"'\n]{1,60}["']\s*(?::|,|$)|"[^"\n]{1,60}"\s*:\s*(?:[\d"{[]|$)/;

/**
 * `{"Review": "…", "Score": 85}` does not say what it is a score of: the place where it stands does. So it is written out as
 * a line, which the reader of prose finds below its heading. Null when the document names an aspect or the whole.
 */
function namelessScores(document: z.infer<typeof documentSchema>, label: LabelReader): string | null {
  if (Array.isArray(document) || NAME_FIELDS.some((name) => isNamed(document[name], label))) return null;
  const meanings = Object.entries(document).map(([key, value]) => ({ value, kind: label(key).kind }));
  if (meanings.some(({ kind, value }) => kind === "aspect" || kind === "overall" || typeof value === "object"))
    return null;
  const scores = meanings.filter(({ kind }) => kind === "score");
  return scores.length === 0 ? null : scores.map(({ value }) => `\nScore: ${String(value)}\n`).join("");
}

function isNamed(value: unknown, label: LabelReader): boolean {
  return typeof value === "string" && ["aspect", "overall"].includes(label(value).kind);
}

/** Pieces about different aspects make one answer; of several about the same, the last counts: models correct themselves. */
function together(pieces: readonly JsonScores[]): JsonScores {
  const subjects = pieces.flatMap((piece) => piece.subjects());
  const last = pieces.at(-1)!;
  if (new Set(subjects).size !== subjects.length) return last;
  for (const piece of pieces.slice(0, -1)) last.add(piece);
  return last;
}

/** Keys are ids before they are names: `plot-structure` is the part, `plot_and_structure` the aspect. */
function keyReader(rubric: Rubric): LabelReader {
  const label = labelReader(rubric);
  const ids = new Map(rubric.criteria.map((criterion) => [criterion.id, criterion]));
  return (key) => {
    const criterion = ids.get(key);
    if (criterion) return { kind: "aspect", criterion, part: null, scoreWord: false, exact: true };
    return label(key.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " "));
  };
}

class JsonScores implements WrittenScores {
  readonly #label: LabelReader;
  readonly #marks = new Map<string, ScoreReading[]>();
  readonly #critiques = new Map<string, string>();
  readonly #overall: ScoreReading[] = [];
  #assessment: string | null = null;
  #failure: ScoreReading | null = null;

  constructor(label: LabelReader) {
    this.#label = label;
  }

  get found(): boolean {
    return this.#marks.size > 0 || this.#overall.length > 0;
  }

  /** The aspects it scores, and the whole as "". */
  subjects(): string[] {
    return [...this.#marks.keys(), ...(this.#overall.length > 0 ? [""] : [])];
  }

  add(other: JsonScores): void {
    for (const [id, marks] of other.#marks) this.#marks.set(id, marks);
    for (const [id, critique] of other.#critiques) this.#critiques.set(id, critique);
    this.#overall.push(...other.#overall);
    this.#assessment ??= other.#assessment;
  }

  fail(reason: string): void {
    this.#failure = { kind: "withheld", reason };
  }

  mentions(id: string): boolean {
    return this.#critiques.has(id);
  }

  marksOf(id: string): readonly ScoreReading[] {
    return this.#failure ? [this.#failure] : (this.#marks.get(id) ?? []);
  }

  overallMarks(): readonly ScoreReading[] {
    return this.#failure ? [this.#failure] : this.#overall;
  }

  critiqueOf(id: string): string | null {
    return this.#critiques.get(id) ?? null;
  }

  assessment(): string | null {
    return this.#assessment;
  }

  collect(document: z.infer<typeof documentSchema>, depth = 0): void {
    if (depth > 4) return;
    if (Array.isArray(document)) {
      for (const item of document) this.#collectNamed(item, depth);
      return;
    }
    if (NAME_FIELDS.some((name) => isNamed(document[name], this.#label))) this.#collectNamed(document, depth);
    else for (const [key, value] of Object.entries(document)) this.#collectField(key, value, depth);
  }

  /** `{"aspect": "Plot", "score": 85}` in a list. */
  #collectNamed(item: Readonly<Record<string, unknown>>, depth: number): void {
    const field = NAME_FIELDS.find((name) => typeof item[name] === "string");
    const meaning = field === undefined ? null : this.#label(String(item[field]));
    if (meaning?.kind === "aspect") this.#aspect(meaning.criterion, item, depth);
    else if (meaning?.kind === "overall") this.#whole(item);
    else if (field === undefined) this.collect(item, depth + 1);
  }

  #collectField(key: string, value: unknown, depth: number): void {
    const meaning = this.#label(key);
    switch (meaning.kind) {
      case "aspect":
        this.#aspect(meaning.criterion, value, depth);
        return;
      case "overall":
        this.#whole(value);
        return;
      case "score": {
        const nested = documentSchema.safeParse(value);
        if (nested.success) this.collect(nested.data, depth + 1);
        else if (depth === 0) this.#whole(value);
        return;
      }
      case "field":
      case "unknown": {
        const nested = documentSchema.safeParse(value);
        if (nested.success) this.collect(nested.data, depth + 1);
        return;
      }
      default:
        meaning satisfies never;
    }
  }

  #aspect(criterion: Criterion, value: unknown, depth: number): void {
    const reading = this.#scoreIn(value);
    if (reading) this.#marks.set(criterion.id, [...(this.#marks.get(criterion.id) ?? []), reading]);
    this.#critiques.set(criterion.id, textIn(value));
    const fields = fieldsSchema.safeParse(value);
    if (!fields.success) return;
    const parts = Object.entries(fields.data).filter(([key]) => {
      const meaning = this.#label(key);
      return meaning.kind === "aspect" && meaning.criterion.parent === criterion.id;
    });
    for (const [key, part] of parts) this.#collectField(key, part, depth + 1);
  }

  #whole(value: unknown): void {
    const reading = this.#scoreIn(value);
    if (reading) this.#overall.push(reading);
    const text = textIn(value);
    if (text !== "") this.#assessment = text;
  }

  #scoreIn(value: unknown): ScoreReading | null {
    if (value === null) return { kind: "withheld", reason: "the judge gave no score" };
    if (typeof value === "number") return { kind: "score", score: { value, outOf: null }, rest: "" };
    if (typeof value === "string") return value.length <= 40 ? readStandaloneScore(value) : null;
    const fields = fieldsSchema.safeParse(value);
    if (!fields.success) return null;
    for (const [key, inner] of Object.entries(fields.data)) {
      const meaning = this.#label(key);
      const namesScore =
        meaning.kind === "score" || (meaning.kind === "overall" && meaning.scoreWord) || key === "value";
      if (namesScore) return this.#scoreIn(inner);
    }
    return null;
  }
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value.length > 40 || !readStandaloneScore(value) ? value : "";
  const fields = fieldsSchema.safeParse(value);
  if (!fields.success) return "";
  return Object.values(fields.data)
    .filter((inner) => typeof inner === "string" && inner.length > 12)
    .join("\n");
}
