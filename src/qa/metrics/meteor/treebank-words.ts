/**
 * Cuts English as NLTK's `word_tokenize` does: sentences first, then the conventions of the Penn Treebank, so that
 * "doesn't" is "does" + "n't", "John's" is "John" + "'s", and a full stop is a word of its own only where a sentence ends.
 */
export function treebankWords(text: string): string[] {
  return sentences(text).flatMap(wordsOfSentence);
}

/** Shortened words after which a full stop ends no sentence. NLTK learns such a list from newspapers; this one is ours. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  (
    "mr mrs ms messrs mme mlle dr st ste prof rev revd hon esq jr sr gen col maj capt lt sgt cpl adm cmdr gov sen rep pres " +
    "supt insp vs etc vol co corp inc ltd bros mt ft ave jan feb aug sept oct nov dec e.g i.e cf viz u.s u.k u.n a.m p.m " +
    "b.c a.d ph.d m.d b.a m.a d.c"
  ).split(" "),
);

const STOP = /\.["'’”)\]]*\s+(?=\S)/g;

/** Only full stops matter here: question and exclamation marks are words of their own wherever they stand. */
function sentences(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  let wordStart = 0;
  for (const stop of text.matchAll(STOP)) {
    const lastWord = text.slice(wordStart, stop.index).split(/\s/).at(-1)!;
    wordStart = stop.index + stop[0].length;
    if (!endsSentence(lastWord)) continue;
    found.push(text.slice(start, wordStart));
    start = wordStart;
  }
  found.push(text.slice(start));
  return found;
}

function endsSentence(lastWord: string): boolean {
  const word = lastWord.replace(/^["'‘“([]+/, "").toLowerCase();
  const initial = /^\p{L}$/u.test(word);
  return word !== "" && !initial && !word.endsWith(".") && !ABBREVIATIONS.has(word);
}

/** In order: each rule sees what the ones before it have set apart. Word and digit are Unicode's, as in Python. */
const SEPARATIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[«“‘„]|`+/g, " $& "],
  [/^"/, "`` "],
  [/([ ([{<])(?:"|'')/g, "$1 `` "],
  [/'(?!re|ve|ll|m|t|s|d|n)([\p{L}\p{N}_])(?![\p{L}\p{N}_])/giu, "' $1"],
  [/([:,])(\P{Nd})/gu, " $1 $2"],
  [/[:,]$/, " $& "],
  [/\.{2,}/g, " $& "],
  [/[;@#$%&?!]/g, " $& "],
  [/([^'])' /g, "$1 ' "],
  [/[*()[\]{}<>]/g, " $& "],
  [/--/g, " -- "],
];

/** These need a space after them, so they run on a text that ends in one. */
const CLITICS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[»”’]/g, " $& "],
  [/''|"/g, " '' "],
  [/([^' ])('[sSmMdD]|') /g, "$1 $2 "],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /g, "$1 $2 "],
  [
    /(?<![\p{L}\p{N}_])(can(?=not)|d(?='ye)|gim(?=me)|gon(?=na)|got(?=ta)|lem(?=me)|more(?='n))(not|'ye|me|na|ta|'n)(?![\p{L}\p{N}_])/giu,
    " $1 $2 ",
  ],
  [/(?<![\p{L}\p{N}_])(wan)(na)(?=\s)/giu, " $1 $2 "],
  [/ ('t)(is|was)(?![\p{L}\p{N}_])/giu, " $1 $2 "],
];

/** Nothing in such a text can be set apart. */
const PLAIN = /^[A-Za-z0-9 ]*$/;
const JOINED = /cannot|gimme|gonna|gotta|lemme|wanna/i;

function wordsOfSentence(sentence: string): string[] {
  const spaced = withFinalStopApart(sentence.trimEnd());
  const plain = spaced.endsWith(" . ") ? spaced.slice(0, -3) : spaced;
  if (PLAIN.test(plain) && !JOINED.test(plain)) return split(spaced);
  let text = spaced;
  for (const [pattern, replacement] of SEPARATIONS) text = text.replace(pattern, replacement);
  text = ` ${text} `;
  for (const [pattern, replacement] of CLITICS) text = text.replace(pattern, replacement);
  return split(text);
}

function split(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** "said." and `said."` lose their stop to a word of its own; "..." does not. */
function withFinalStopApart(sentence: string): string {
  let stop = sentence.length - 1;
  while (stop > 0 && "])}>\"'»”’ ".includes(sentence[stop]!)) stop--;
  if (stop < 1 || sentence[stop] !== "." || sentence[stop - 1] === ".") return sentence;
  return `${sentence.slice(0, stop)} . ${sentence.slice(stop + 1)}`;
}
