import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { correctedStory, withCast } from "../../judge/letter/corrected-story.ts";
import type { Story } from "../../judge/letter/parts.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { letterFindings } from "../../letter/findings.ts";
import { CHARACTERS_FILE } from "../../tasks/books/open-book.ts";
import { readWriterSays, type WriterSays } from "../library/book-files.ts";
import { type StoredSummary, shownFindings } from "../library/evaluation-files.ts";
import { correctionsIn } from "../library/stored-books.ts";
import type { Services } from "../services.ts";

export interface CurrentLetter {
  /** The evaluation, with a letter that follows later changes. */
  readonly evaluation: BookEvaluation;
  readonly said: WriterSays;
  /** The story as a model read it, with the writer's corrections to the characters; null if no model has read it. */
  readonly story: Story | null;
  /** When the book was counted again after the writer corrected the characters of the model's reading; null if it was not. */
  readonly countedAt: string | null;
}

type Library = Pick<Services, "books" | "evaluations">;

/**
 * The letter of a reading in its current state. What a model found stays until it reads again. What needs no model follows the
 * writer's corrections at once: counted findings come from the newest reading offline, and the story includes the writer's facts.
 */
export async function currentLetter(id: string, { books, evaluations }: Library): Promise<CurrentLetter> {
  const evaluation = await evaluations.evaluation(id);
  const reading = evaluations.summary(id);
  const { bookId } = reading;
  const folder = books.folderOf(bookId);
  const said = await readWriterSays(folder);
  const { letter } = evaluation;
  if (!letter?.close) return { evaluation, said, story: null, countedAt: null };
  const again = countedAfter(reading, evaluations);
  const counted = again && (await evaluations.evaluation(again.id)).letter?.findings;
  const read = letter.findings.filter(({ origin }) => origin === "read");
  const findings = counted ? letterFindings(read, counted) : letter.findings;
  const story = withCast(letter.close.story, await correctionsIn(folder));
  const close = { ...letter.close, story: correctedStory(story, said.facts) };
  return {
    evaluation: { ...evaluation, letter: { ...letter, findings: [...findings], close } },
    said,
    story,
    countedAt: again && counted && (await isCastCorrected(folder, reading, again)) ? again.createdAt : null,
  };
}

/** The findings that the letter of a reading shows now, by id. */
export async function currentFindings(reading: StoredSummary, services: Library): Promise<readonly string[]> {
  const { evaluations } = services;
  if (reading.method !== "close" || !countedAfter(reading, evaluations)) return evaluations.findings(reading.id);
  return shownFindings((await currentLetter(reading.id, services)).evaluation);
}

/** The newest reading offline, if it is newer than this one. */
function countedAfter({ id, bookId }: StoredSummary, evaluations: Library["evaluations"]): StoredSummary | undefined {
  // Ids follow the time.
  return evaluations.list(bookId).find((each) => each.id > id && isOfTheJury(each.judge));
}

/** Whether the writer last corrected the cast between the two readings. */
async function isCastCorrected(folder: string, before: StoredSummary, after: StoredSummary): Promise<boolean> {
  const corrected = await stat(join(folder, CHARACTERS_FILE)).catch(() => null);
  if (!corrected) return false;
  const { mtimeMs } = corrected;
  return Date.parse(before.createdAt) < mtimeMs && mtimeMs <= Date.parse(after.createdAt);
}
