import { markedWords, type ProseText } from "../reading.ts";

/** Where one of a list of phrases stands: words `first` up to `end`. */
export interface PhraseMatch {
  /** Its place in the list. */
  readonly phrase: number;
  readonly first: number;
  readonly end: number;
}

/** The words that may come next, as a tree of all phrases. */
interface Branch {
  readonly next: Map<string, Branch>;
  phrase: number | null;
}

const newBranch = (): Branch => ({ next: new Map(), phrase: null });
const ANY = "*";

/** A search for many phrases at once. In a phrase, "*" stands for one word or none; no phrase runs over a paragraph's end. */
export function phraseFinder(phrases: readonly string[]): (prose: ProseText) => PhraseMatch[] {
  const root = newBranch();
  for (const [index, phrase] of phrases.entries()) {
    let branch = root;
    for (const word of phrase.split(" ")) {
      const next = branch.next.get(word) ?? newBranch();
      branch.next.set(word, next);
      branch = next;
    }
    branch.phrase = index;
  }
  return (prose) => {
    const found: PhraseMatch[] = [];
    const begins = markedWords(prose, (word) => (root.next.has(word) ? 1 : 0));
    for (let word = 0; word < prose.wordCount; word++) {
      if (begins[prose.ids[word]!]) follow(prose, root, word, word, found);
    }
    return found;
  };
}

function follow(prose: ProseText, branch: Branch, first: number, at: number, found: PhraseMatch[]): void {
  if (branch.phrase !== null) found.push({ phrase: branch.phrase, first, end: at });
  const any = branch.next.get(ANY);
  if (any) {
    follow(prose, any, first, at, found);
    follow(prose, any, first, at + 1, found);
  }
  if (at >= prose.wordCount || prose.paragraphOf[at] !== prose.paragraphOf[first]) return;
  const next = branch.next.get(prose.words[at]!);
  if (next) follow(prose, next, first, at + 1, found);
}
