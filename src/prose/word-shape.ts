import { hashOf } from "./hashing.ts";

/** The class of a character for the scanner. Letters beyond Latin count as foreign, because the jurors read English. */
const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
const SPACE = 4;
export const NEWLINE = 5;
export const PUNCTUATION = 6;
/** Emphasis and other Markdown marks are layout, so they are skipped. */
export const MARKUP = 7;
export const FOREIGN = 8;

const TABLE_SIZE = 0x2100;

const CHARACTERS = String.fromCharCode(...new Uint16Array(TABLE_SIZE).keys());
const kinds = new Uint8Array(TABLE_SIZE);
const lowerCase = Uint16Array.from(kinds.keys());

// One search over all characters for each class, because programs that only import the library wait for this; later
// classes override earlier ones.
mark(/\p{L}/gu, FOREIGN);
mark(/(?=\p{L})\p{Script=Latin}/gu, LOWER);
for (const { index, 0: character } of CHARACTERS.matchAll(/\p{Changes_When_Lowercased}/gu)) {
  lowerCase[index] = character.toLowerCase().charCodeAt(0);
  if (kinds[index] === LOWER) kinds[index] = UPPER;
}
mark(/[.,;:?!"“”„«»()‐‑–—―…'‘’-]/g, PUNCTUATION);
mark(/[*_#`>~]/g, MARKUP);
mark(/\s/g, SPACE);
mark(/\n/g, NEWLINE);
mark(/[0-9]/g, DIGIT);

function mark(pattern: RegExp, kind: number): void {
  for (const { index } of CHARACTERS.matchAll(pattern)) kinds[index] = kind;
}

export function characterKind(code: number): number {
  if (code < TABLE_SIZE) return kinds[code]!;
  // Han, kana, Hangul and everything with higher code points, which the jurors cannot read.
  return code === 0x3000 || code === 0xfeff ? SPACE : code >= 0x2e80 ? FOREIGN : OTHER;
}

export function lowerCaseOf(code: number): number {
  return code < TABLE_SIZE ? lowerCase[code]! : code;
}

const LETTER_A = 97;

/** Endings that show a word's grammatical role, longer ones first. */
const ENDINGS = [
  "ing",
  "ed",
  "ly",
  "ness",
  "tion",
  "ment",
  "ity",
  "ence",
  "ance",
  "ous",
  "ful",
  "less",
  "able",
  "al",
  "er",
  "est",
  "y",
  "s",
];

/** Endings of nouns for a quality or an act rather than a thing. */
export const ABSTRACT_ENDINGS = ["ness", "tion", "ment", "ity", "ence", "ance"] as const;

interface Ending {
  readonly codes: Uint16Array;
  readonly hash: number;
}

/** By their last letter, so that most words need no comparison and others only a few. */
const endingsByLetter: readonly (readonly Ending[])[] = Array.from({ length: 26 }, (_, letter) =>
  ENDINGS.filter((ending) => ending.charCodeAt(ending.length - 1) === LETTER_A + letter).map((ending) => ({
    codes: Uint16Array.from(ending, (character) => character.charCodeAt(0)),
    hash: endingHash(ending),
  })),
);
const PLAIN = hashOf("-");

export function endingHash(ending: string): number {
  return hashOf(`-${ending}`);
}

/** A content word reduced to its ending, so that shapes apply to other subjects. */
export function shapeOf(text: string, start: number, end: number): number {
  const endings = endingsByLetter[lowerCaseOf(text.charCodeAt(end - 1)) - LETTER_A];
  if (endings === undefined) return PLAIN;
  for (const { codes, hash } of endings) {
    if (end - start > codes.length + 2 && endsWith(text, end, codes)) return hash;
  }
  return PLAIN;
}

function endsWith(text: string, end: number, codes: Uint16Array): boolean {
  const from = end - codes.length;
  for (let i = 0; i < codes.length; i++) if (lowerCaseOf(text.charCodeAt(from + i)) !== codes[i]) return false;
  return true;
}

/** Verbs of speaking, as they occur in narration: "said Emma", "Emma says". */
const SPEAKING = `said says say asked asks ask answered answers replied replies reply cried cries exclaimed exclaims returned
continued continues added adds observed remarked remarks repeated repeats rejoined responded responds whispered whispers
murmured murmurs muttered mutters shouted shouts called calls demanded demands inquired enquired declared announced explained
explains began interrupted interposed suggested suggests protested admitted agreed agrees insisted retorted screamed yelled
growled groaned sighed sobbed laughed gasped faltered stammered ejaculated pursued resumed proceeded concluded confessed
urged pleaded begged commanded ordered ventured assented affirmed acknowledged commented noted echoed hissed snapped barked
roared bawled bellowed mumbled grunted snorted chuckled giggled wailed moaned shrieked squeaked squealed piped drawled
queried questioned persisted objected corrected informed told tells told promised assured argued asserted maintained stated
mused reflected hinted volunteered offered put broke went thundered stormed burst sneered scoffed grumbled complained
lamented soothed coaxed breathed panted spluttered stuttered rasped croaked lisped quoted recited reported reminded warned
advised counselled apologised apologized greeted chimed intervened interjected countered conceded allowed owned rapped
quavered sang hummed read counted finished ended replied thought-aloud prompted pronounced opined gulped spat swore vowed
joked teased mocked taunted threatened cautioned challenged encouraged invited implored entreated beseeched besought
hesitated nodded smiled grinned`;

export const SPEECH_VERBS: ReadonlySet<string> = new Set(SPEAKING.split(/\s+/));

/** Those that are tags only after a quotation's comma, and mean something else in other places. */
export const WEAK_SPEECH_VERBS: ReadonlySet<string> = new Set(
  "put broke went offered owned allowed read counted finished ended opened told tells nodded smiled grinned noted sang hummed laughed".split(
    " ",
  ),
);

const THINKING = "thought thinks think wondered reflected mused considered pondered reasoned fancied imagined decided";
export const THOUGHT_VERBS: ReadonlySet<string> = new Set(THINKING.split(" "));

/**
 * Function words. They are kept in the shape of a sentence, in which every other word is reduced to its ending; their
 * share also distinguishes English from other languages.
 */
export const FUNCTION_WORDS: readonly string[] = `
a an the this that these those
i you he she it we they me him her us them my your his its our their mine yours hers ours theirs
myself yourself himself herself itself themselves who whom whose which what where when why how
and or but nor so yet for if because as until while though than
of at by with about against between into through during before after above below to from up down in out on off over
under back away around across toward towards behind beyond beneath without within upon among along onto
again then once here there all any both each few more most other some such no not only own same too very just now
still even never always almost perhaps maybe like one two
something nothing someone everything anything
is am are was were be been being have has had having do does did doing
can will would could might must shall may should
don't didn't wasn't couldn't wouldn't isn't won't can't hadn't i'm it's that's he'd she'd they'd i'd you're there's
`
  .trim()
  .split(/\s+/);
