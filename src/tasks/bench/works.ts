import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { DuelAnswered, NovelPage, Work, WorkSummary, WriterPage } from "../../api/benchmarks.ts";
import {
  benchFiles,
  type ScoreRow,
  scoreRowSchema,
  synopsisRowSchema,
  type WrittenRow,
} from "../../bench/bench-folder.ts";
import type { DuelRow } from "../../bench/duels/duel.ts";
import { HUMAN, type ScoredChapter } from "../../bench/population/novel-scores.ts";
import { placer } from "../../bench/population/place-on-population.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { wordsIn } from "../../bench/words.ts";
import { placedNovels } from "../../bench/writers/placed-novels.ts";
import { type Finding, findingSchema } from "../../core/finding.ts";
import { groupBy } from "../../core/group-by.ts";
import { sha256 } from "../../core/hash.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { judgeInWords } from "../../core/wording.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { checkBook } from "../../prose/checks/check-book.ts";
import { mean, sum } from "../../stats/distribution.ts";
import { countWords } from "../../text/words.ts";
import { type NovelFacts, novelFacts } from "./folder.ts";

/** A writer whose texts are shown. */
export interface ShownWriter {
  readonly writer: string;
  readonly name?: string;
  readonly maker?: string;
  readonly released?: string;
  readonly costPerBook?: number | null;
  readonly written: readonly WrittenRow[];
  /** The chapters in the form in which they are placed. */
  readonly chapters: readonly ScoredChapter[];
  /** The files of the judges' scores and reasons. */
  readonly scores: readonly string[];
}

export interface WorksOptions {
  readonly folder: string;
  readonly population: ReferencePopulation;
  readonly writers: readonly ShownWriter[];
  readonly duels: readonly DuelRow[];
  /** Whether findings may be stored in the folder, so that they need to be computed only once. */
  readonly keepsFindings: boolean;
}

type Key = { readonly novel: string; readonly chapter: number };
const keyOf = ({ novel, chapter }: Key) => `${novel}\n${chapter}`;

interface Placed {
  readonly composite: number;
  readonly level: number;
}

interface OneWriter extends ShownWriter {
  readonly name: string;
  readonly byNovel: ReadonlyMap<string, readonly WrittenRow[]>;
  readonly placed: ReadonlyMap<string, Placed>;
}

/**
 * All texts written for a benchmark, with their scores, findings and duels, for the pages of a site and of the web app.
 */
export class Works {
  /** The novels that at least one writer wrote, in the order of the manifest. */
  readonly novels: readonly NovelFacts[];
  readonly writers: readonly { readonly writer: string; readonly name: string }[];
  readonly #options: WorksOptions;
  readonly #writers: ReadonlyMap<string, OneWriter>;
  readonly #findings: KeptFindings;
  readonly #synopses: ReadonlyMap<string, NovelPage["synopses"]>;
  readonly #opinions = new Map<string, Promise<Opinions>>();
  readonly #summaries = new WeakMap<readonly WrittenRow[], WorkSummary>();

  private constructor(
    options: WorksOptions,
    novels: readonly NovelFacts[],
    synopses: ReadonlyMap<string, NovelPage["synopses"]>,
    findings: KeptFindings,
  ) {
    this.#options = options;
    this.#findings = findings;
    this.#synopses = synopses;
    const place = placer(options.population);
    this.#writers = new Map(
      options.writers.map((one) => {
        const [own] = placedNovels(one.chapters, options.population);
        const placed = new Map(
          own?.novels.map(({ novel, composite }) => [novel, { composite, level: place.percentile(composite) }]),
        );
        const byNovel = groupBy(one.written, ({ novel }) => novel);
        return [one.writer, { ...one, name: one.name ?? judgeInWords(one.writer), byNovel, placed }];
      }),
    );
    const written = new Set(options.writers.flatMap((one) => one.written.map(({ novel }) => novel)));
    const known = novels.filter(({ novel }) => written.delete(novel));
    const unknown = [...written].map((novel) => ({ novel, title: novel, author: null }));
    this.novels = [...known, ...unknown];
    this.writers = [...this.#writers.values()].map(({ writer, name }) => ({ writer, name }));
  }

  static async open(options: WorksOptions): Promise<Works> {
    const novels: NovelFacts[] = [];
    const { folder } = options;
    try {
      for await (const facts of novelFacts(folder)) novels.push(facts);
    } catch {
      // Without a manifest, only a novel's name is known.
    }
    const rows = await readJsonLines(benchFiles(folder).synopses, synopsisRowSchema).catch(() => []);
    const synopses = new Map(
      [...groupBy(rows, ({ novel }) => novel)].map(([novel, own]) => [
        novel,
        own.flatMap(({ chapter, synopsis }) => {
          if (!synopsis) return [];
          const people = synopsis.characters.map(({ name, about }) => `${name}: ${about}`);
          return [{ chapter, lines: [...people, ...synopsis.plot, ...synopsis.scenes] }];
        }),
      ]),
    );
    return new Works(options, novels, synopses, await KeptFindings.in(folder, options.keepsFindings));
  }

  /** Null if this writer did not write this novel. */
  async work(writer: string, novel: string): Promise<Work | null> {
    const own = this.#writers.get(writer);
    const rows = own?.byNovel.get(novel);
    if (!own || !rows) return null;
    const opinions = await this.#opinionsOf(own);
    const found = this.#findings.of(rows);
    return {
      summary: this.#summary(own, novel, rows),
      language: rows[0]!.language,
      found,
      chapters: rows.map(({ chapter, text, cutOff, reason }) => ({
        ...{ chapter, text, reason, isCutOff: cutOff },
        words: text === null ? 0 : countWords(text),
        opinions: opinions.get(keyOf({ novel, chapter })) ?? [],
      })),
    };
  }

  writerPage(writer: string): WriterPage | null {
    const own = this.#writers.get(writer);
    if (!own) return null;
    const works = this.novels.flatMap(({ novel }) => {
      const rows = own.byNovel.get(novel);
      return rows ? [this.#summary(own, novel, rows)] : [];
    });
    const { name, maker = null, released = null, costPerBook = null } = own;
    return {
      ...{ writer, name, maker, released, costPerBook, works },
      meanWords: meanLength(works),
      humanWords: this.humanWords,
      duels: this.#duels(({ left, right }) => left === writer || right === writer),
    };
  }

  novelPage(novel: string): NovelPage | null {
    const facts = this.novels.find((one) => one.novel === novel);
    if (!facts) return null;
    const works = [...this.#writers.values()].flatMap((own) => {
      const rows = own.byNovel.get(novel);
      return rows ? [this.#summary(own, novel, rows)] : [];
    });
    const { population } = this.#options;
    const original = population.novels.find((one) => one.novel === novel);
    const place = original && placer(population);
    return {
      ...{ novel, works, title: facts.title, author: facts.author },
      year: facts.year ?? null,
      genre: facts.genre ?? null,
      meanWords: meanLength(works),
      humanWords: original?.words && original.chapters > 0 ? original.words / original.chapters : null,
      original: original ? { composite: original.composite, level: place!.percentile(original.composite) } : null,
      synopses: this.#synopses.get(novel) ?? [],
      duels: this.#duels((row) => row.novel === novel),
    };
  }

  /** Mean chapter length of the human novels, in words; null where it was not counted. */
  get humanWords(): number | null {
    const lengths = this.#options.population.novels.flatMap(({ words, chapters }) =>
      words === null || chapters === 0 ? [] : [words / chapters],
    );
    return lengths.length === 0 ? null : mean(lengths);
  }

  /** The same for everything the writers wrote. */
  get writtenWords(): number | null {
    const lengths = [...this.#writers.values()].flatMap(({ written }) =>
      written.flatMap(({ text }) => (text === null ? [] : [countWords(text)])),
    );
    return lengths.length === 0 ? null : mean(lengths);
  }

  nameOf(writer: string): string {
    const name = this.#writers.get(writer)?.name;
    return name ?? (writer === HUMAN ? wordsIn(this.#options.population.language).human : writer);
  }

  /** Stores the findings made since the works were opened. */
  async keep(): Promise<void> {
    await this.#findings.keep();
  }

  #summary({ writer, name, placed }: OneWriter, novel: string, rows: readonly WrittenRow[]): WorkSummary {
    const known = this.#summaries.get(rows);
    if (known) return known;
    const texts = rows.flatMap(({ text }) => text ?? []);
    const place = placed.get(novel);
    const summary = {
      ...{ writer, name, novel },
      title: this.novels.find((one) => one.novel === novel)?.title ?? novel,
      chapters: texts.length,
      words: sum(texts.map((text) => countWords(text))),
      composite: place?.composite ?? null,
      level: place?.level ?? null,
      findings: this.#findings.of(rows).length,
    };
    this.#summaries.set(rows, summary);
    return summary;
  }

  #duels(isShown: (row: DuelRow) => boolean): DuelAnswered[] {
    return this.#options.duels
      .filter(isShown)
      .map(({ novel, chapter, left, right, leftFirst, judge, better, reason }) => ({
        ...{ novel, chapter, judge, reason },
        sides: leftFirst ? [this.nameOf(left), this.nameOf(right)] : [this.nameOf(right), this.nameOf(left)],
        better:
          better === "left" || better === "right" ? ((better === "left") === leftFirst ? "first" : "second") : better,
      }));
  }

  #opinionsOf({ writer, scores }: OneWriter): Promise<Opinions> {
    const known = this.#opinions.get(writer) ?? readOpinions(scores);
    this.#opinions.set(writer, known);
    return known;
  }
}

function meanLength(works: readonly WorkSummary[]): number | null {
  const chapters = sum(works.map((work) => work.chapters));
  return chapters === 0 ? null : sum(works.map(({ words }) => words)) / chapters;
}

type Opinion = Work["chapters"][number]["opinions"][number];
type Opinions = ReadonlyMap<string, readonly Opinion[]>;

/**
 * Reads the judges' scores and reasons for a writer's chapters, file by file; of repeats, the mean score and the
 * first reason.
 */
async function readOpinions(files: readonly string[]): Promise<Opinions> {
  const opinions = new Map<string, Opinion[]>();
  for (const file of files) {
    const rows = await readJsonLines(file, scoreRowSchema).catch(() => []);
    const rubric = rows[0]?.rubric;
    const criteria = rubric === undefined ? [] : ((await loadRubric(rubric).catch(() => null))?.criteria ?? []);
    const names = new Map(criteria.map(({ id, name }) => [id, name]));
    for (const [key, repeats] of groupBy(rows, keyOf)) {
      const known = opinions.get(key);
      const opinion = opinionOf(repeats, names);
      if (known) known.push(opinion);
      else opinions.set(key, [opinion]);
    }
  }
  return opinions;
}

function opinionOf(repeats: readonly ScoreRow[], names: ReadonlyMap<string, string>): Opinion {
  const [first] = repeats;
  return {
    judge: first!.judge ?? "",
    scores: Object.entries(first!.scores).map(([id, verdict]) => {
      const given = repeats.flatMap(({ scores }) => (scores[id]?.kind === "scored" ? scores[id].score : []));
      const reason = repeats.map(({ reasons }) => reasons?.[id]).find((text) => text !== undefined);
      return {
        name: names.get(id) ?? id,
        score: given.length === 0 ? null : mean(given),
        reason: reason ?? (verdict.kind === "unscored" ? verdict.reason : null),
      };
    }),
  };
}

/** Computes findings as soon as texts are written, so that making a site does not have to wait for them. */
export async function keepFindings(folder: string, written: readonly WrittenRow[]): Promise<void> {
  const findings = await KeptFindings.in(folder, true);
  for (const rows of groupBy(written, ({ novel }) => novel).values()) {
    findings.of(rows);
    await setImmediate();
  }
  await findings.keep();
}

const FINDINGS_FILE = "findings.jsonl";
const findingsRowSchema = z.object({ texts: z.string(), findings: z.array(findingSchema) });

/** Stores what `fabula check` finds in written novels, by the hash of their texts. */
class KeptFindings {
  readonly #path: string;
  readonly #isKept: boolean;
  readonly #known: Map<string, readonly Finding[]>;
  readonly #hashes = new WeakMap<readonly WrittenRow[], string>();
  readonly #added: string[] = [];

  private constructor(path: string, isKept: boolean, known: Map<string, readonly Finding[]>) {
    this.#path = path;
    this.#isKept = isKept;
    this.#known = known;
  }

  static async in(folder: string, isKept: boolean): Promise<KeptFindings> {
    const path = join(folder, FINDINGS_FILE);
    const rows = isKept ? await readJsonLines(path, findingsRowSchema).catch(() => []) : [];
    return new KeptFindings(path, isKept, new Map(rows.map(({ texts, findings }) => [texts, findings])));
  }

  of(rows: readonly WrittenRow[]): readonly Finding[] {
    const hash = this.#hashes.get(rows) ?? sha256(JSON.stringify(rows.map(({ chapter, text }) => [chapter, text])));
    this.#hashes.set(rows, hash);
    const known = this.#known.get(hash);
    if (known) return known;
    const { findings } = checkBook({
      language: rows[0]!.language,
      chapters: rows.flatMap(({ chapter, text }) =>
        text === null ? [] : [{ index: chapter, title: null, text, words: countWords(text) }],
      ),
    });
    this.#known.set(hash, findings);
    this.#added.push(`${JSON.stringify({ texts: hash, findings })}\n`);
    return findings;
  }

  async keep(): Promise<void> {
    if (this.#isKept && this.#added.length > 0) await appendFile(this.#path, this.#added.splice(0).join(""));
  }
}
