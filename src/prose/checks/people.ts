import { remembered } from "../../core/remembered.ts";
import { countOf } from "../../core/wording.ts";
import { TITLES } from "../characters/name-words.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import { ADJOINS, CAPITAL, POSSESSIVE } from "../prose-text.ts";
import { SPEECH_VERBS } from "../speakers/speech-verbs.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";
import { isRole, sentenceRenderer } from "./owner.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** The narration says that somebody is dead, or has gone for good. */
interface Ending {
  readonly character: number;
  readonly word: number;
  readonly state: "dead" | "gone";
}

const PERSON = "<(?<who>\\d+)>(?!')";
const THEIRS = "<(?<who>\\d+)>'s";
const ADVERB = "(?:(?:already|now|suddenly|then|at last|long|quite|stone|[a-z]+ly) )*";
const KILLED =
  "(?:killed|murdered|slain|drowned|hanged|buried|executed|beheaded|guillotined|shot dead|burnt to death|burned to death)";
/** Patterns over sentences as `sentenceRenderer` writes them. */
const DEATHS = [
  `${PERSON} (?:had )?${ADVERB}(?:died|dies|perished|expired)(?! (?:away|out|down|a|of (?:laughing|shame|boredom|curiosity)))\\b`,
  `${PERSON} (?:had )?(?:was|is|lay|fell|dropped|been|were) ${ADVERB}(?:dead(?! (?:in (?:his|her|its) tracks|tired|asleep|drunk|to|against|set|silent|sure|certain|on)\\b)|no more$|in (?:his|her) grave)`,
  `${PERSON} (?:was|is|were|had been|being) ${ADVERB}${KILLED}(?! (?:in|under|beneath) (?:his|her|the|an?) (?!(?:[a-z]+ )?(?:church|churchyard|grave|graveyard|ground|sand|sea|vault|earth|garden|field|village|abbey|family|snow|chapel|yard|cemetery|wood|river|lake)))`,
  `(?:killed|murdered|slew|drowned|buried) ${PERSON}`,
  `(?:found|left|saw) ${PERSON} ${ADVERB}dead\\b`,
  `(?<!no )(?:death|murder|funeral|burial|corpse) of ${PERSON}`,
  `${THEIRS} (?:dead body|corpse|funeral|burial)\\b`,
  `${THEIRS} body (?:was|had been|lay) (?:carried|found|buried|brought|laid|taken|washed|lowered|borne|recovered|lifted)`,
  `${PERSON} (?:had )?(?:breathed (?:his|her) last|gave up the ghost|passed away)`,
  `${PERSON} (?:did not|never|had not) (?:live to see|lived to see|survive|survived|wake again|woke again)`,
];
const DEPARTURES = [
  `${PERSON} (?:had )?never (?:came|come|went|gone|returned|to return)(?: back)?(?: (?:to|from|home|again) [^"]{0,40})?$`,
  `${PERSON}(?: (?!<)[^" ]+){1,12} (?:and|but) (?:did not return|never (?:came back|returned|come back|went back))(?: [^" ]+){0,4}$`,
  `(?:never|nobody ever|no one ever|nobody|no one) (?:saw|met|heard of|set eyes on) ${PERSON} again`,
  `${PERSON}(?: (?!<)[^" ]+){0,14} (?:was|were) never (?:seen|heard of|met) again`,
  `${PERSON}(?: (?!<)[^" ]+){0,14} (?:saw|met|heard of) (?:him|her) again$`,
  `the last (?:that )?(?:anyone|anybody|they|he|she|we|i|any of them|the village|<\\d+>) (?:ever )?saw of ${PERSON}`,
  `${PERSON}(?: (?!<)[^" ]+){0,10} (?:gone|went|left|sailed|departed|leaves|stayed|emigrated)(?: (?!<)[^" ]+){0,8} for (?:good|ever)\\b`,
  `${PERSON} (?:had|was|is) gone forever\\b`,
  `left ${PERSON} behind for (?:good|ever)\\b`,
  `${PERSON} (?:was|had been) left behind\\b`,
];
const EXPRESSIONS: readonly (readonly [Ending["state"], RegExp])[] = [
  ...DEATHS.map((source) => ["dead", new RegExp(source, "dg")] as const),
  ...DEPARTURES.map((source) => ["gone", new RegExp(source, "dg")] as const),
];
const DEADLY = set(
  `died dies perished expired dead killed murdered slain slew drowned hanged buried executed beheaded guillotined death murder
  funeral burial corpse body grave breathed ghost passed live lived survive survived wake woke shot`,
);
const LEAVING = set("never nobody no none last left leaving gone went sailed stayed departed emigrated not");
const FOR_GOOD = set("behind again ever good forever back return returned saw");
/** A death that was feared, denied or imagined, or is somebody else's. */
const NOT_SO = set(
  `if not never would almost thought nearly hoped hope wished wish feared fear believed supposed should might could may had though
  unless until till when before whether like than think says said say told as should wouldn't couldn't didn't wasn't father mother wife
  husband son daughter brother sister nobody no half cousin uncle aunt friend child dream dreamed imagined pretended to
  implied possible hint hinted`,
);
/** Before "killed" and "died" the same words deny it; before "never came back" some of them are part of it. */
const SUPPOSED = set(
  "if would might could should perhaps thought feared hoped hope swore promised wish wished dream dreamed supposed believed unless until till when though",
);
const PREPOSITIONS = set("for of with by to in on about from at into after and");
/** What shows after a death, or a farewell, that the text knows of it. */
const ALIVE = set("alive ghost resurrection survived recovered");
const RETURNED = set("reappeared reappearance alive");
const COME = set("come came coming comes had has");

const ADVERBS = set("never always still now then also just only even ever suddenly slowly");
const PAST = set(
  `went came said took saw knew thought felt made got gave stood sat began told left heard found kept ran held brought fell rose
  spoke drew caught threw broke wrote met led shook struck sent bent sprang flung drank ate rode drove hung laid is was looked`,
);

const FEWEST_WORDS_LATER = 550;
const FEWEST_ACTS = 3;
/** Acts for each time the death is spoken of: who is really dead is remembered, not seen. */
const ACTS_FOR_A_DEATH = 3;

interface Act {
  readonly word: number;
}

/** By character: what each does and says in the narration, in order. */
const actsOf = remembered(({ prose, dialogue }: BookProse): Act[][] => {
  const acts: Act[][] = dialogue.cast.characters.map(() => []);
  const { words, traits, wordCount } = prose;
  for (const [character, { mentions }] of dialogue.cast.characters.entries()) {
    for (const { first, last } of mentions) {
      if (dialogue.quoted[first] || traits[last]! & POSSESSIVE) continue;
      let verb = last + 1;
      while (verb < wordCount && ADVERBS.has(words[verb]!)) verb++;
      const isBefore =
        first > 0 &&
        Boolean(traits[first]! & ADJOINS) &&
        SPEECH_VERBS.has(words[first - 1]!) &&
        !dialogue.quoted[first - 1];
      const isAfter =
        verb < wordCount &&
        Boolean(traits[verb]! & ADJOINS) &&
        (PAST.has(words[verb]!) || /^\p{L}{2,}ed$/u.test(words[verb]!));
      if (isBefore || isAfter) acts[character]!.push({ word: first });
    }
  }
  return acts;
});

/** By character: where the narration says that somebody is dead or gone for good. */
const endingsOf = remembered((bookProse: BookProse): Map<number, Ending[]> => {
  const { prose, sentences, dialogue } = bookProse;
  const signs = prose.vocabulary.map(
    (word) => (DEADLY.has(word) ? DEATH : 0) | (LEAVING.has(word) ? LEAVE : 0) | (FOR_GOOD.has(word) ? GOOD : 0),
  );
  const found = new Map<number, Ending[]>();
  const seen = new Set<number>();
  const render = sentenceRenderer(bookProse);
  for (const [index, { firstWord, endWord }] of sentences.entries()) {
    let sign = 0;
    let isNamed = false;
    for (let word = firstWord; word < endWord; word++) {
      sign |= signs[prose.ids[word]!]!;
      isNamed ||= dialogue.cast.beginsAt(word);
    }
    if (!isNamed || !(sign & DEATH || (sign & LEAVE && sign & GOOD)) || endWord - firstWord > LONGEST_SENTENCE)
      continue;
    const rendered = render(index);
    for (const [state, expression] of EXPRESSIONS) {
      if (state === "dead" ? !(sign & DEATH) : !(sign & GOOD)) continue;
      if (rendered.text.search(expression) === -1) continue;
      for (const match of rendered.text.matchAll(expression)) {
        const word = rendered.wordAt(match.indices!.groups!.who![0]);
        if (seen.has(word) || rendered.isQuoted(word) || !isSo(rendered.text.slice(0, match.index), state)) continue;
        seen.add(word);
        const character = Number(match.groups!.who);
        const own = found.get(character) ?? [];
        own.push({ character, word, state });
        found.set(character, own);
      }
    }
  }
  return found;
});

const DEATH = 1;
const LEAVE = 2;
const GOOD = 4;
const LONGEST_SENTENCE = 120;

/** What stands before it in the sentence neither denies it nor makes it somebody else's. */
function isSo(before: string, state: Ending["state"]): boolean {
  const words = before.trimEnd().split(" ");
  if (state === "gone") return !words.some((word) => SUPPOSED.has(word));
  if (PREPOSITIONS.has(words.at(-1)!)) return false;
  return !words.slice(-5).some((word) => NOT_SO.has(word));
}

/** Somebody dead, or gone for good, who acts later without a remark. */
export const stateConflicts: Check = (bookProse) => {
  const { prose, dialogue, chapters } = bookProse;
  const acts = actsOf(bookProse);
  return [...endingsOf(bookProse)].flatMap(([character, endings]): Suspicion[] => {
    const { name, mentions } = dialogue.cast.characters[character]!;
    if (isRole(bookProse, character) || character === dialogue.narrator || acts[character]!.length < FEWEST_ACTS)
      return [];
    const state = endings.some((ending) => ending.state === "dead") ? "dead" : "gone";
    const own = endings.filter((ending) => ending.state === state).toSorted((left, right) => left.word - right.word);
    const [{ word: end }] = own as [Ending];
    const later = acts[character]!.filter(({ word }) => word > end + FEWEST_WORDS_LATER);
    const before = acts[character]!.filter(({ word }) => word < end).length;
    if (later.length < FEWEST_ACTS || later.length < ACTS_FOR_A_DEATH * own.length || before < 1) return [];
    const remarks = state === "dead" ? ALIVE : RETURNED;
    const isRemarked = mentions.some(({ first, last }) => {
      if (first <= end || first > later[2]!.word) return false;
      for (let word = Math.max(0, first - 6); word <= Math.min(prose.wordCount - 1, last + 6); word++)
        if (remarks.has(prose.words[word]!) || (state === "gone" && comesBack(prose.words, word))) return true;
      return false;
    });
    if (isRemarked) return [];
    const chapterOf = (word: number) => chapters[chapterOfWord(bookProse, word)]!.index;
    const place = (word: number) => sentenceAround(bookProse, spanOfWords(prose, word, word + 1), 400);
    const said = state === "dead" ? "is dead" : "has gone for good or was left behind";
    return [
      {
        kind: "state-conflict",
        detail: state,
        title: `${name}: ${state}, and acts again?`,
        claim: `The narration of chapter ${chapterOf(end)} says that ${name} ${said}; after that ${name} acts ${countOf(later.length, "time")}, first in chapter ${chapterOf(later[0]!.word)}.`,
        severity: "must",
        places: [end, ...later.slice(0, 3).map(({ word }) => word)].map(place),
        advice:
          state === "dead"
            ? "If the story goes back in time, or the death was a mistake, let the reader know; otherwise take out one of the two."
            : "If this person comes back, let the reader see it; otherwise give what is done later to somebody else.",
      },
    ];
  });
};

/** "Had returned", "came back": what is only said ("returned Paul") is no return. */
function comesBack(words: readonly string[], word: number): boolean {
  return (words[word] === "returned" || words[word] === "back") && COME.has(words[word - 1] ?? "");
}

const SLICES = 20;
const FEWEST_MENTIONS = 20;
/** Of twenty: for somebody who is named often, and for others. */
const FEWEST_SLICES = { often: 3, others: 4 };
const OFTEN = 35;
/** Of the slices from the first mention to the last, those with the person in them. */
const LEAST_PRESENCE = 0.45;
const LAST_SEEN = 0.5;
const FIRST_SEEN = 0.35;
/** Where many go, the book has parts, or is a collection; of a few, those who were named most are told of. */
const MOST_VANISHED = 4;
const MOST_TOLD = 2;
/** Whoever matters has at least this share of all mentions up to the last. */
const LEAST_SHARE = 0.015;

/** Somebody important whose last appearance comes early, without a death. */
export const vanishedCharacters: Check = (bookProse) => {
  const found = lastSeenEarly(bookProse);
  if (found.length > MOST_VANISHED) return [];
  return found
    .toSorted((left, right) => right.mentions - left.mentions)
    .slice(0, MOST_TOLD)
    .map(({ suspicion }) => suspicion);
};

function lastSeenEarly(bookProse: BookProse): { readonly suspicion: Suspicion; readonly mentions: number }[] {
  const { prose, dialogue, chapters } = bookProse;
  const size = prose.wordCount / SLICES;
  const everyMention = dialogue.cast.characters
    .flatMap(({ mentions }) => mentions.map(({ first }) => first))
    .toSorted((left, right) => left - right);
  const acts = actsOf(bookProse);
  const endings = endingsOf(bookProse);
  return dialogue.cast.characters.flatMap(({ name, mentions }, character) => {
    if (isOffice(name) || character === dialogue.narrator || mentions.length < FEWEST_MENTIONS) return [];
    const sliceOf = ({ first }: { readonly first: number }) => Math.floor(first / size);
    const slices = new Set(mentions.map(sliceOf));
    const [from, to] = [Math.min(...slices), Math.max(...slices)];
    const fewest = mentions.length < OFTEN ? FEWEST_SLICES.others : FEWEST_SLICES.often;
    if (slices.size < fewest || slices.size < LEAST_PRESENCE * (to - from + 1)) return [];
    const last = mentions.at(-1)!;
    if (last.first > LAST_SEEN * prose.wordCount || mentions[0]!.first > FIRST_SEEN * prose.wordCount) return [];
    const until = countBelow(everyMention, last.first + 1);
    if (mentions.length < LEAST_SHARE * until || acts[character]!.length < FEWEST_ACTS) return [];
    if (endings.has(character) || isNamedLater(bookProse, name, last.last)) return [];
    const chapter = chapters[chapterOfWord(bookProse, last.first)]!;
    const places = mentions
      .slice(-2)
      .map(({ first, last: end }) => sentenceAround(bookProse, spanOfWords(prose, first, end + 1), 400));
    const suspicion: Suspicion = {
      kind: "vanished-character",
      title: `${name} is not seen again`,
      claim: `${name} is named ${countOf(mentions.length, "time")} up to chapter ${chapter.index}, ${Math.round((100 * last.first) / prose.wordCount)}% into the book, and never again.`,
      severity: "should",
      places,
      advice: "Let the reader know what becomes of this person, or give the part to somebody who stays.",
    };
    return [{ suspicion, mentions: mentions.length }];
  });
}

/** "The Coroner", "Captain": whoever has no other name is there for the office, and nobody waits for him. */
const isOffice = (name: string) => name.startsWith("The ") || TITLES.has(name.toLowerCase());

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The name that comes later in another form, and is nobody else's, may be the same person's. */
function isNamedLater({ prose, dialogue }: BookProse, name: string, after: number): boolean {
  const part = name.toLowerCase().split(/\s+/).at(-1)!;
  let count = 0;
  for (let word = after + 1; word < prose.wordCount; word++)
    if (prose.words[word] === part && prose.traits[word]! & CAPITAL && dialogue.cast.characterAt(word) < 0) count++;
  return count > 2;
}
