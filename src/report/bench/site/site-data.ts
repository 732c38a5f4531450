import type { BoardMethods, HeadToHead } from "../../../api/benchmarks.ts";
import type { WriterBenchmark } from "../../../bench/benchmark-writers.ts";
import type { SplitDifference, TextOverlap } from "../../../bench/contamination.ts";
import type { DriftRound } from "../../../bench/drift.ts";
import { HUMAN } from "../../../bench/population/novel-scores.ts";
import { wordsIn } from "../../../bench/words.ts";
import type { WritingRates } from "../../../bench/writing.ts";
import { sha256 } from "../../../core/hash.ts";
import { judgeInWords, judgesInWords } from "../../../core/wording.ts";

/** The data of a leaderboard's site, which no longer needs the benchmark's folder. */
export interface SiteData {
  readonly title: string;
  readonly language: "en" | "zh";
  /** ISO date on which it was made. */
  readonly date: string;
  readonly version: string;
  /** The headline result: the only judge's, or the panel's. */
  readonly benchmark: WriterBenchmark;
  /** Each judge alone, with its own dimensions; `names` are the dimensions' names in the rubric. */
  readonly judges: readonly {
    readonly judge: string;
    readonly benchmark: WriterBenchmark;
    readonly names: readonly string[];
    /** Model versions stated in its replies. */
    readonly stated: readonly string[];
    /** Each round of scoring the anchor texts again. */
    readonly drift: readonly DriftRound[];
  }[];
  readonly writers: readonly SiteWriter[];
  /** Answers of judges and people about pairs of texts; null if nothing was compared. */
  readonly headToHead: HeadToHead | null;
  readonly methods: BoardMethods;
}

/** Facts about a writer besides its place. */
export interface SiteWriter {
  readonly writer: string;
  readonly model: string;
  /** Its display name, maker and release date, if known. */
  readonly name?: string;
  readonly maker?: string;
  readonly released?: string;
  readonly rates: WritingRates;
  /** US dollars for its chapters; null if no price is known. */
  readonly cost: number | null;
  /** Per novel, which is what one more book of this many chapters would cost. */
  readonly costPerBook: number | null;
  readonly contamination: {
    readonly overlap: TextOverlap | null;
    readonly cutOff: SplitDifference | null;
    readonly renamed: SplitDifference | null;
    /** Novels that the model named from a passage of the original; null if it was not asked. */
    readonly recognised: { readonly known: number; readonly asked: number } | null;
  };
}

/** Replaces ids of writers and judges by display names in tables, plots and sentences. */
export function withShownNames(data: SiteData): SiteData {
  const judges = data.judges.map(({ judge }) => judge);
  const names = new Map(judgesInWords(judges).map((name, at) => [judges[at]!, name]));
  const writers = judgesInWords(data.writers.map(({ writer }) => writer));
  const given = data.writers.map(({ name }) => name);
  for (const [at, { writer, name }] of data.writers.entries()) {
    // Two writers with the same display name keep their ids, or they would become one.
    const isShared = given.indexOf(name) !== given.lastIndexOf(name);
    names.set(writer, name === undefined ? writers[at]! : isShared ? `${name} (${writers[at]!})` : name);
  }
  names.set(HUMAN, wordsIn(data.language).human);
  const changed = [...names].filter(([id, name]) => id !== name).sort(([one], [other]) => other.length - one.length);
  if (changed.length === 0) return data;
  // In a sentence only whole words are replaced: "ada" is not in "Canada".
  const ids = changed.map(([id]) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const named = new RegExp(`(?<![A-Za-z0-9])(?:${ids})(?![A-Za-z0-9])`, "g");
  const renamed = (value: unknown): unknown => {
    if (typeof value === "string") return value.replace(named, (id) => names.get(id)!);
    if (Array.isArray(value)) return value.map(renamed);
    if (value instanceof Map) return new Map([...value].map(([key, own]) => [renamed(key), renamed(own)]));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, renamed(own)]));
  };
  const { methods, ...shown } = data;
  return { ...(renamed(shown) as Omit<SiteData, "methods">), methods };
}

/** File names for writers or novels: readable, and made unique by a hash if two would be the same. */
export function fileNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const plain = (id: string) =>
    id
      .replace(/@https?:\/\/.*$/, "")
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[.-]+|[.-]+$/g, "")
      .slice(0, 80);
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(plain(id).toLowerCase(), (counts.get(plain(id).toLowerCase()) ?? 0) + 1);
  return new Map(
    ids.map((id) => {
      const name = plain(id);
      return [id, name !== "" && counts.get(name.toLowerCase()) === 1 ? name : `${name}-${sha256(id).slice(0, 8)}`];
    }),
  );
}

/** Citation data in the Citation File Format, which GitHub and Zenodo read. */
export function citationFile({ title, date, version, benchmark }: SiteData): string {
  const quoted = (text: string) => JSON.stringify(text);
  return [
    "cff-version: 1.2.0",
    "message: If you use these figures, cite this leaderboard and the benchmark it follows.",
    "type: dataset",
    `title: ${quoted(title)}`,
    "authors:",
    '  - name: "The maintainers of this leaderboard"',
    `date-released: ${date}`,
    `version: ${quoted(benchmark.population.corpus.hash.slice(0, 12))}`,
    `abstract: ${quoted(`Made with Fabula ${version}; ${benchmark.board.rows.length} writers among ${benchmark.population.novels.length} novels, judged by ${judgeInWords(benchmark.population.judge.id)}.`)}`,
    "references:",
    "  - type: article",
    '    title: "WebNovelBench: Placing LLM Novelists on the Web Novel Distribution"',
    "    authors:",
    '      - { family-names: "Lin", given-names: "Leon" }',
    '      - { family-names: "Zheng", given-names: "Jun" }',
    '      - { family-names: "Wang", given-names: "Haidong" }',
    '    url: "https://arxiv.org/abs/2505.14818"',
    "    year: 2025",
    "",
  ].join("\n");
}
