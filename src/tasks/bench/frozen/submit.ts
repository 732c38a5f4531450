import { z } from "zod";
import { benchFiles, type WrittenRow } from "../../../bench/bench-folder.ts";
import { readFrozen, type WriterCard } from "../../../bench/frozen.ts";
import { sha256 } from "../../../core/hash.ts";
import { numberedRows, writeJsonLines } from "../../../core/json-lines.ts";
import { detectLanguage } from "../../../text/language.ts";
import { countWords } from "../../../text/words.ts";
import { writeCards, writerCards, writtenRows } from "./files.ts";

/** A submission: one chapter per line, written by any program. */
const submittedSchema = z.looseObject({
  novel: z.string(),
  chapter: z.number().int().positive(),
  text: z.string().nullable(),
  synopsisHash: z.string().optional(),
  cutOff: z.boolean().optional(),
  reason: z.string().nullable().optional(),
  refused: z.boolean().optional(),
  inputTokens: z.number().int().nonnegative().optional(),
  outputTokens: z.number().int().nonnegative().optional(),
});

export interface SubmitOptions {
  readonly folder: string;
  readonly file: string;
  readonly card: WriterCard;
  /** Accept a submission with missing chapters. */
  readonly partial: boolean;
  /** Only check it. */
  readonly checkOnly: boolean;
}

export interface SubmitResult {
  readonly folder: string;
  readonly version: number;
  readonly writer: string;
  readonly chapters: number;
  readonly asked: number;
  readonly missing: readonly string[];
  /** Why it was not, or would not be, accepted; empty if nothing is wrong. */
  readonly problems: readonly string[];
  /** Notes that the board will show to readers. */
  readonly notes: readonly string[];
  readonly taken: boolean;
}

const MOST_NAMED = 5;
/**
 * A text is off length when it is shorter than half or longer than twice the requested length, as everywhere on the
 * board.
 */
const OFF_LENGTH = 2;

/** Checks a submission against a frozen benchmark, and accepts it if nothing is wrong. */
export async function submitToFrozen(options: SubmitOptions): Promise<SubmitResult> {
  const { folder, card } = options;
  const frozen = await readFrozen(folder);
  const asked = new Map(
    frozen.novels.flatMap(({ novel, chapters }) =>
      chapters.map((chapter) => [keyOf(novel, chapter.chapter), { novel, ...chapter }] as const),
    ),
  );
  const others = await writtenRows(folder);
  const known = new Map(
    others.flatMap(({ writer, text }) => (text === null || writer === card.writer ? [] : [[sha256(text), writer]])),
  );
  const problems: string[] = [];
  const rows = new Map<string, WrittenRow>();
  const texts = new Map<string, string>();
  let offLength = 0;
  let foreign = 0;
  for await (const { number, row } of numberedRows(options.file, submittedSchema)) {
    const key = keyOf(row.novel, row.chapter);
    const place = `line ${number} (${inWords(key)})`;
    const wanted = asked.get(key);
    if (!wanted) {
      problems.push(`${place} is not in version ${frozen.version} of the benchmark`);
      continue;
    }
    if (rows.has(key)) problems.push(`${place} is there twice`);
    if (row.synopsisHash !== undefined && row.synopsisHash !== wanted.synopsis)
      problems.push(`${place} was written from another synopsis (${row.synopsisHash}, not ${wanted.synopsis})`);
    const text = row.text?.trim() ? row.text : null;
    if (text !== null) {
      const hash = sha256(text);
      if (hash === wanted.sha256) problems.push(`${place} is the human original`);
      const copied = known.get(hash);
      if (copied !== undefined) problems.push(`${place} is what ${copied} wrote, word for word`);
      const twin = texts.get(hash);
      if (twin !== undefined) problems.push(`${place} has the same text as ${inWords(twin)}`);
      texts.set(hash, key);
      const words = countWords(text);
      if (words * OFF_LENGTH < frozen.writing.words || words > frozen.writing.words * OFF_LENGTH) offLength++;
      const language = detectLanguage(text);
      if (frozen.language !== null && language !== null && language !== frozen.language) foreign++;
    }
    rows.set(key, {
      novel: row.novel,
      writer: card.writer,
      chapter: row.chapter,
      language: frozen.language,
      text,
      cutOff: row.cutOff ?? false,
      reason: text === null ? (row.reason ?? "the submission has no text") : null,
      ...(row.refused !== undefined && { refused: row.refused }),
      model: card.model,
      settings: "submitted",
      synopsisHash: wanted.synopsis,
      ...(row.inputTokens !== undefined && { inputTokens: row.inputTokens }),
      ...(row.outputTokens !== undefined && { outputTokens: row.outputTokens }),
    });
  }
  const written = [...rows.values()].filter(({ text }) => text !== null);
  const missing = [...asked.keys()].filter((key) => !rows.get(key)?.text).map(inWords);
  if (written.length === 0) problems.push("it has no text");
  else if (missing.length > 0 && !options.partial)
    problems.push(
      `${missing.length} of ${asked.size} chapters are missing (${listed(missing)}): complete it, or give --partial`,
    );
  if (2 * foreign > written.length)
    problems.push(`${foreign} of ${written.length} texts are not in the benchmark's language (${frozen.language})`);
  const before = others.filter(({ writer }) => writer === card.writer);
  if (before.some(({ novel, chapter, text }) => text !== null && rows.get(keyOf(novel, chapter))?.text !== text))
    problems.push(
      `${card.writer} is on the board with other texts: submit under a name of its own, such as with a date`,
    );
  const notes =
    offLength === 0
      ? []
      : [
          `${offLength} of ${written.length} texts are shorter than half or longer than twice the ${frozen.writing.words} words asked for`,
        ];
  const taken = problems.length === 0 && !options.checkOnly;
  if (taken) {
    await writeJsonLines(benchFiles(folder).written(card.writer), rows.values());
    const cards = await writerCards(folder);
    await writeCards(folder, [...cards.filter(({ writer }) => writer !== card.writer), card]);
  }
  return {
    folder,
    version: frozen.version,
    writer: card.writer,
    chapters: written.length,
    asked: asked.size,
    missing,
    problems,
    notes,
    taken,
  };
}

function keyOf(novel: string, chapter: number): string {
  return `${novel}\n${chapter}`;
}

function inWords(key: string): string {
  return key.replace("\n", ", chapter ");
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_NAMED).join("; ");
  return items.length > MOST_NAMED ? `${shown}; …` : shown;
}
