import { chineseReasons } from "./chinese-reasons.ts";
import { chineseSentences } from "./chinese-sentences.ts";
import type { Language } from "./language.ts";

/** A sentence of the server in the reader's language; null where it is in it already, or was not translated. */
export function translatedSentence(code: string | null, language: Language): string | null {
  if (language === "en" || code === null || !Object.hasOwn(chineseSentences, code)) return null;
  return chineseSentences[code] ?? null;
}

/** Why there is no score, in the reader's language where that is known, and as the judge said it where not. */
export function translatedReason(reason: string, language: Language): string {
  const known = language === "en" ? undefined : chineseReasons.find(([pattern]) => pattern.test(reason));
  return known ? reason.replace(known[0], known[1]) : reason;
}
