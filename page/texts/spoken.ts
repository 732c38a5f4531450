import { english, type Texts } from "./english.ts";

/** In plain English, reasons for a change that the editors' own list names in its jargon: the words of the edit letter. */
export const englishWhys: Readonly<Record<string, string>> = {
  "Awkward Word Choice and Phrasing": "Awkward words or phrasing",
  Cliche: "Cliché",
  "Lack of Specificity and Detail": "Vague: more detail would help",
  "Poor Sentence Structure": "Sentence structure",
  "Purple Prose": "Purple prose",
  "Unnecessary/Redundant Exposition": "Tells what the reader already has",
  "Tense Inconsistency": "Tense",
};

const asGiven = (_id: string, name: string): string => name;

/** Everything that is said in one language: our own texts, and what the server gives in English. */
export interface Spoken {
  readonly texts: Texts;
  /** A sentence of the server by its code; null where it is said as it came. */
  readonly sentence: (code: string | null) => string | null;
  readonly reason: (reason: string) => string;
  readonly names: {
    readonly aspect: (id: string, name: string) => string;
    readonly figure: (id: string, name: string) => string;
    readonly definition: (id: string, definition: string) => string;
    readonly method: (id: string, name?: string) => string;
    readonly explanation: (id: string, explanation: string) => string;
    readonly why: (why: string) => string;
  };
}

export const ENGLISH: Spoken = {
  texts: english,
  sentence: () => null,
  reason: (reason) => reason,
  names: {
    aspect: asGiven,
    figure: asGiven,
    definition: asGiven,
    method: (id, name = id) => name,
    explanation: asGiven,
    why: (why) => (Object.hasOwn(englishWhys, why) ? (englishWhys[why] ?? why) : why),
  },
};
