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
