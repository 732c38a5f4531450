import type { EvaluationSummary } from "../../../src/api/evaluations.ts";
import { judgeInWords } from "../../../src/api/judges.ts";
import type { Texts } from "../../texts/english.ts";
import type { Language } from "../../texts/language.ts";
import { moment } from "../formats.ts";

const EMBEDDED = ["jury", "crowd", "editor", "grader"];

/** Whether a judge ships with Fabula; such a judge works alone and reads in its own way. */
export function isEmbedded(judge: string): boolean {
  return EMBEDDED.includes(judge);
}

/** An embedded judge in the reader's language; a language model by the name that people are shown. */
export function judgeName(judge: string, texts: Texts): string {
  switch (judge) {
    case "jury":
      return texts.judgeJury;
    case "crowd":
      return texts.judgeCrowd;
    case "editor":
      return texts.judgeEditor;
    case "grader":
      return texts.judgeGrader;
    default:
      return judgeInWords(judge);
  }
}

/** Who is speaking when an embedded judge gives a score; null for any other. */
export function speakerOf(judge: string, texts: Texts): string | null {
  switch (judge) {
    case "jury":
      return texts.speakersJury;
    case "crowd":
      return texts.speakerCrowd;
    case "editor":
      return texts.speakerEditor;
    case "grader":
      return texts.speakerGrader;
    default:
      return null;
  }
}

/** Who read a book, and when. */
export function readingInWords(
  { judge, createdAt }: Pick<EvaluationSummary, "judge" | "createdAt">,
  texts: Texts,
  language: Language,
): string {
  const when = moment(createdAt, language);
  return isEmbedded(judge) ? texts.letterOffline(when) : texts.letterOf(judgeName(judge, texts), when);
}
