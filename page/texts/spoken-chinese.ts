import { chinese } from "./chinese.ts";
import type { Spoken } from "./spoken.ts";
import { translatedNames, translatedReason, translatedSentence } from "./translated.ts";

/** Loaded when somebody reads in Chinese: Chinese texts compress badly, and most visits do without. */
export const CHINESE: Spoken = {
  texts: chinese,
  sentence: (code) => translatedSentence(code, "zh"),
  reason: (reason) => translatedReason(reason, "zh"),
  names: translatedNames("zh"),
};
