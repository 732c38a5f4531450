import { z } from "zod";
import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { jsonCandidates } from "../../models/json-candidates.ts";
import { readJsonReply } from "../../models/read-json-reply.ts";
import { splitReasoning } from "../../models/split-reasoning.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { readStandaloneScore, type ScoreReading, type WrittenScores } from "./written-score.ts";

const fieldsSchema = z.record(z.string(), z.unknown());
const documentSchema = z.union([fieldsSchema, z.array(fieldsSchema).min(1)]);
const NAME_FIELDS = ["id", "aspect", "name", "criterion", "dimension", "category", "title", "方面", "维度", "名称"];

/** Reads scores from a reply's JSON, in whatever shape it names aspects and scores; null when it holds none. */
export function readJsonScores(reply: string, rubric: Rubric): WrittenScores | null {
  const label = keyReader(rubric);
  const collected = new JsonScores(label);
  const schema = documentSchema.refine((document) => {
    const trial = new JsonScores(label);
    trial.collect(document);
    return trial.found;
  });
  const reading = readJsonReply({ text: reply, stop: "stop" }, schema);
  if (reading.kind === "read") {
    collected.collect(reading.value);
    return collected;
  }
  const answer = splitReasoning(reply).answer;
  // A cut-off 85 may look like an 8: nothing in broken JSON is taken at its word.
  const broken = jsonCandidates(answer).unfinished && /"[^"\n]{1,60}"\s*:\s*(?:[\d"{[]|$)/.test(answer);
  if (!broken) return null;
  collected.fail("the reply was cut off before its JSON was complete");
  return collected;
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
    for (const [key, value] of Object.entries(document)) this.#collectField(key, value, depth);
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
