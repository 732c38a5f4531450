import type { Book } from "../book.ts";
import { type Finding, paragraphsOf, shareSignal } from "./finding.ts";

const TITLE = String.raw`(?:(?:Mrs?|Dr|Sir|Lady|Lord|Miss|St|The)\.? )?`;
/** What is done while speaking, between name and speech: "(picking up the plate)". */
const MANNER = String.raw`(?: ?[[(_][^\n]{0,80}[\])_])?`;
/** "HAMLET. To be", "MRS. PAGE: What", or the name alone on the line above the speech. */
const IN_CAPITALS = new RegExp(
  String.raw`^_?(?!CHAPTER|BOOK|PART|VOLUME)${TITLE}\p{Lu}[\p{Lu}’'-]+(?: \p{Lu}[\p{Lu}’'.-]+){0,3}_?${MANNER}(?:[.:](?:\s|$)|\n)`,
  "u",
);
/** "Algernon. Did you hear", "_Algernon_. Did you hear", "Lady Bracknell (rising). Good afternoon". */
const IN_LOWER_CASE = new RegExp(
  String.raw`^_?${TITLE}\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}{2,})?_?${MANNER}[.:]_?\s{1,2}[\p{Lu}[(_“"]`,
  "u",
);
const STAGE_DIRECTION = /^[[(_].{0,200}[\])_]\.?$|\b(?:Exeunt|Exit|Re-?enter|Enter) \p{Lu}/u;
const ACT_OR_SCENE = /^(?:act|scene|aufzug|auftritt|acte|scène|acto|escena|действие|явление)\b/i;

const FEWEST_PARAGRAPHS = 20;

function isSpeech(paragraph: string): boolean {
  return IN_CAPITALS.test(paragraph) || IN_LOWER_CASE.test(paragraph);
}

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
  const speakers = shareSignal("paragraphs that begin with a speaker's name", paragraphs, isSpeech);
  const directions = shareSignal("stage directions among paragraphs", paragraphs, (text) => STAGE_DIRECTION.test(text));
  const acts = shareSignal("acts and scenes among titles", titles.filter(Boolean), (title) => ACT_OR_SCENE.test(title));
  const signals = [speakers, directions, acts];
  if (paragraphs.length < FEWEST_PARAGRAPHS) return { answer: "unsure", reason: "it is too short to tell", signals };
  if (speakers.value > 0.4 || (speakers.value > 0.15 && (acts.value > 0.3 || directions.value > 0.05))) {
    return { answer: "yes", reason: "it is set as speakers and stage directions", signals };
  }
  if (speakers.value < 0.05 && acts.value < 0.3) return { answer: "no", reason: "its paragraphs are prose", signals };
  return { answer: "unsure", reason: "some of it is set like a play", signals };
}
