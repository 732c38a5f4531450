/** One thing that was counted in a text, with passages that show it. */
export interface Signal {
  readonly name: string;
  readonly value: number;
  readonly examples: readonly string[];
}

/** What a cheap local look at a text says: a clear yes or no, or that somebody must read it. It always shows what it saw. */
export interface Finding {
  readonly answer: "yes" | "no" | "unsure";
  readonly reason: string;
  readonly signals: readonly Signal[];
}

const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 120;

/** Counts what matches among some passages and keeps the first few as examples; `value` is their share. */
export function shareSignal(name: string, passages: readonly string[], matches: (passage: string) => boolean): Signal {
  const examples: string[] = [];
  let count = 0;
  for (const passage of passages) {
    if (!matches(passage)) continue;
    count++;
    if (examples.length < MOST_EXAMPLES) examples.push(passage.slice(0, LONGEST_EXAMPLE));
  }
  return { name, value: passages.length === 0 ? 0 : count / passages.length, examples };
}

/** How often a pattern occurs in a thousand words, with the first few occurrences. */
export function rateSignal(name: string, text: string, words: number, pattern: RegExp): Signal {
  const found = text.match(pattern) ?? [];
  const examples = [...new Set(found)].slice(0, MOST_EXAMPLES);
  return { name, value: words === 0 ? 0 : (1000 * found.length) / words, examples };
}

export function paragraphsOf(book: { readonly chapters: readonly { readonly text: string }[] }): string[] {
  return book.chapters.flatMap(({ text }) => text.split("\n\n"));
}
