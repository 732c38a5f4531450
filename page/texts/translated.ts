import {
  chineseAspects,
  chineseDefinitions,
  chineseExplanations,
  chineseFigures,
  chineseMethods,
  chineseWhys,
} from "./chinese-names.ts";
import { chineseReasons } from "./chinese-reasons.ts";
import { chineseSentences } from "./chinese-sentences.ts";
import { englishWhys } from "./english-names.ts";
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

/** Names in the reader's language where they are known, and as the server gives them where not. */
export function translatedNames(language: Language) {
  const named = (names: Readonly<Record<string, string>>, id: string, name: string): string =>
    language === "zh" && Object.hasOwn(names, id) ? (names[id] ?? name) : name;
  return {
    aspect: (id: string, name: string) => named(chineseAspects, id, name),
    figure: (id: string, name: string) => named(chineseFigures, id, name),
    definition: (id: string, definition: string) => named(chineseDefinitions, id, definition),
    method: (id: string, name = id) => named(chineseMethods, id, name),
    explanation: (id: string, explanation: string) => named(chineseExplanations, id, explanation),
    why: (why: string) => named(chineseWhys, why, Object.hasOwn(englishWhys, why) ? (englishWhys[why] ?? why) : why),
  };
}
