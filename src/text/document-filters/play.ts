import type { Book } from "../book.ts";
import { type Finding, paragraphsOf, shareSignal } from "./finding.ts";

/** "HAMLET. To be", "MRS. PAGE: What", "Algernon.  Did you hear". */
const SPEAKER =
  /^_?(?:(?:Mrs?|Dr|Sir|Lady|Lord|St)\.? )?\p{Lu}[\p{Lu}’'-]+(?: \p{Lu}[\p{Lu}’'.-]+){0,3}_?[.:](?:\s|$)|^_?\p{Lu}\p{Ll}{2,}_?[.:] {1,2}\p{Lu}/u;
const STAGE_DIRECTION = /^[[(_].{0,200}[\])_]\.?$|\b(?:Exeunt|Exit|Re-?enter|Enter) \p{Lu}/u;
const ACT_OR_SCENE = /^(?:act|scene|aufzug|auftritt|acte|scène|acto|escena|действие|явление)\b/i;

/**
 * Whether a book is a play: speaker labels, stage directions, acts and scenes.
 *
 * @example
 * ```ts
 * const { answer, signals } = looksLikePlay(await readBook("book.epub"));
 * if (answer === "yes") console.log(signals.flatMap(({ examples }) => examples));
 * ```
 */
export function looksLikePlay(book: Pick<Book, "chapters">): Finding {
  const paragraphs = paragraphsOf(book);
  const titles = book.chapters.flatMap(({ title, part }) => [title ?? "", ...(part?.split(" · ") ?? [])]);
  const speakers = shareSignal("paragraphs that begin with a speaker's name", paragraphs, (text) => SPEAKER.test(text));
  const directions = shareSignal("stage directions among paragraphs", paragraphs, (text) => STAGE_DIRECTION.test(text));
  const acts = shareSignal("acts and scenes among titles", titles.filter(Boolean), (title) => ACT_OR_SCENE.test(title));
  const signals = [speakers, directions, acts];
  if (speakers.value > 0.4 || (speakers.value > 0.15 && (acts.value > 0.3 || directions.value > 0.05))) {
    return { answer: "yes", reason: "it is set as speakers and stage directions", signals };
  }
  if (speakers.value < 0.05 && acts.value < 0.3) return { answer: "no", reason: "its paragraphs are prose", signals };
  return { answer: "unsure", reason: "some of it is set like a play", signals };
}
