import type { BookEvaluation } from "../../judge/evaluation.ts";
import { correctedStory, withCast } from "../../judge/letter/corrected-story.ts";
import type { Story } from "../../judge/letter/parts.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { letterFindings } from "../../letter/findings.ts";
import { readWriterSays, type WriterSays } from "../library/book-files.ts";
import { correctionsIn } from "../library/stored-books.ts";
import type { Services } from "../services.ts";

export interface CurrentLetter {
  /** With what changed since in its letter. */
  readonly evaluation: BookEvaluation;
  readonly said: WriterSays;
  /** The story as it was read, by the people as the writer corrected them; null where no model has read it. */
  readonly story: Story | null;
  /** When the book was counted again after a model read it; null where it was not. */
  readonly countedAt: string | null;
}

/**
 * The letter of a reading as it stands now. What a model found stays until it reads again; what needs no model follows the writer's
 * corrections at once: what is counted comes from the newest reading offline, and the story is told with what the writer said of it.
 */
export async function currentLetter(
  id: string,
  { books, evaluations }: Pick<Services, "books" | "evaluations">,
): Promise<CurrentLetter> {
  const evaluation = await evaluations.evaluation(id);
  const { bookId } = evaluations.summary(id);
  const folder = books.folderOf(bookId);
  const said = await readWriterSays(folder);
  const { letter } = evaluation;
  if (!letter?.close) return { evaluation, said, story: null, countedAt: null };
  // Ids follow the time.
  const again = evaluations.list(bookId).find((each) => each.id > id && isOfTheJury(each.judge));
  const counted = again && (await evaluations.evaluation(again.id)).letter?.findings;
  const read = letter.findings.filter(({ origin }) => origin === "read");
  const findings = counted ? letterFindings(read, counted) : letter.findings;
  const story = withCast(letter.close.story, await correctionsIn(folder));
  const close = { ...letter.close, story: correctedStory(story, said.facts) };
  return {
    evaluation: { ...evaluation, letter: { ...letter, findings: [...findings], close } },
    said,
    story,
    countedAt: again && counted ? again.createdAt : null,
  };
}
