/** How one language names the pieces of a book. All words in lower case; a new language is one file like its neighbours. */
export interface HeadingLanguage {
  /** ISO 639-1. */
  readonly language: string;
  /** Words before or after a number that name a chapter: "chapter", "stave". */
  readonly chapter: readonly string[];
  /** Words that name what holds chapters: "book", "part". */
  readonly division: readonly string[];
  /** Headings without a number that belong to the story. */
  readonly named: readonly string[];
  /** Headings of what stands around the story and is cut. */
  readonly paratext: readonly string[];
  /** Numbers and ordinals written out, 1 to at least 20, and the tens. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** Pairs several spellings with one number: `spelled(["one", "first"], ["two", "second"])`. */
export function spelled(...forms: readonly (readonly string[])[]): Record<string, number> {
  return Object.fromEntries(forms.flatMap((words, index) => words.map((word) => [word, index + 1])));
}
