import { countOf } from "../../core/wording/count-of.ts";
import { type Reading, spanOfWords } from "../map/reading.ts";
import { ADJOINS, OPENS, POSSESSIVE } from "../reading/prose-text.ts";
import { SPEECH_VERBS } from "../speakers/speech-verbs.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";
import { isRole } from "./owner.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const DIED = set("died perished dies");
const KILLED = set("killed murdered slain drowned hanged buried executed beheaded guillotined");
const KILLING = set("killed murdered slew drowned buried");
const STATES = set("was is lay fell dropped been were being");
/** A death that was feared, denied or imagined, or is somebody else's. */
const NOT_SO = set(
  `if not never would almost thought nearly hoped hope wished wish feared fear believed supposed should might could may had though
  unless until till when before whether like than think says said say told as should wouldn't couldn't didn't wasn't father mother wife
  husband son daughter brother sister nobody no half cousin uncle aunt friend child dream dreamed imagined pretended to
  implied possible hint hinted`,
);
const FINDING = set("found left saw find finds leave see");
const PREPOSITIONS = set("for of with by to in on about from at into after the and");
/** Dead tired, died away, buried in the papers: nobody is dead. */
const FIGURE =
  /^(?:had )?died (?:away|out|down|a|of (?:laughing|shame|boredom|curiosity))\b|\bdead (?:in (?:the|his|her|its) (?:eyes?|face|tracks)|tired|asleep|drunk|to|against|set|silent|sure|certain|on)\b|\bburied (?:in|under|beneath) (?:his|her|the|a|an) (?!(?:\w+ )?(?:church|grave|ground|sand|sea|vault|earth|garden|field|village|abbey|family|snow|chapel|yard|cemetery))/;
/** What shows after a death that the text knows of it. */
const ALIVE = set("alive ghost resurrection survived recovered");

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
function actsOf({ prose, dialogue }: Reading): Act[][] {
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
}

/** Where the narration says that somebody is dead. */
function deathsOf({ prose, dialogue }: Reading, character: number): number[] {
  const { words, traits } = prose;
  const { mentions } = dialogue.cast.characters[character]!;
  return mentions.flatMap(({ first, last }) => {
    if (dialogue.quoted[first]) return [];
    const after = (offset: number) => (traits[last + offset]! & ADJOINS ? (words[last + offset] ?? "") : "");
    const before = (offset: number) => words[first - offset] ?? "";
    const isPossessive = Boolean(traits[last]! & POSSESSIVE);
    // Only the words of the same sentence say that it was feared or denied.
    const isSo = (from: number) => {
      for (let word = from - 1; word >= Math.max(0, from - 5) && !(traits[word + 1]! & OPENS); word--)
        if (NOT_SO.has(words[word]!)) return false;
      return true;
    };
    if (isPossessive) return [];
    const [one, two, three] = [after(1), after(2), after(3)];
    const dies =
      DIED.has(one) ||
      (one === "had" && DIED.has(two)) ||
      (STATES.has(one) && (two === "dead" || KILLED.has(two))) ||
      (one === "had" && two === "been" && KILLED.has(three)) ||
      (one === "dead" && FINDING.has(before(1)));
    const isKilled = KILLING.has(before(1)) && Boolean(traits[first]! & ADJOINS);
    const ofDeath = before(1) === "of" && (before(2) === "death" || before(2) === "murder") && before(3) !== "no";
    const isSubject = !PREPOSITIONS.has(before(1)) || Boolean(traits[first]! & OPENS);
    const said = words.slice(last + 1, last + 9).join(" ");
    if (FIGURE.test(said)) return [];
    if (dies && isSubject && isSo(first)) return [first];
    return (isKilled || ofDeath) && isSo(first - (ofDeath ? 2 : 1)) ? [first] : [];
  });
}

/** Somebody dead who acts later, without a remark. */
export const deadWhoAct: Check = (reading) => {
  const { prose, dialogue, chapters } = reading;
  const acts = actsOf(reading);
  return dialogue.cast.characters.flatMap(({ name, mentions }, character): Suspicion[] => {
    if (isRole(reading, character) || character === dialogue.narrator || acts[character]!.length < FEWEST_ACTS)
      return [];
    const deaths = deathsOf(reading, character);
    const [death] = deaths;
    if (death === undefined) return [];
    const later = acts[character]!.filter(({ word }) => word > death + FEWEST_WORDS_LATER);
    const before = acts[character]!.filter(({ word }) => word < death).length;
    if (later.length < FEWEST_ACTS || later.length < ACTS_FOR_A_DEATH * deaths.length || before < 1) return [];
    const isRemarked = mentions.some(({ first, last }) => {
      if (first <= death || first > later[2]!.word) return false;
      for (let word = Math.max(0, first - 6); word <= Math.min(prose.wordCount - 1, last + 6); word++)
        if (ALIVE.has(prose.words[word]!)) return true;
      return false;
    });
    if (isRemarked) return [];
    const chapterOf = (word: number) => chapters[chapterOfWord(reading, word)]!.index;
    const place = (word: number) => sentenceAround(reading, spanOfWords(prose, word, word + 1), 400);
    return [
      {
        kind: "state-conflict",
        detail: "dead",
        title: `${name}: dead, and acts again?`,
        claim: `The narration of chapter ${chapterOf(death)} says that ${name} is dead; after that ${name} acts ${countOf(later.length, "time")}, first in chapter ${chapterOf(later[0]!.word)}.`,
        severity: "must",
        places: [death, ...later.slice(0, 3).map(({ word }) => word)].map(place),
        advice:
          "If the story goes back in time, or the death was a mistake, let the reader know; otherwise take out one of the two.",
      },
    ];
  });
};

const SLICES = 20;
const FEWEST_MENTIONS = 20;
/** Of twenty: for somebody who is named often, and for others. */
const FEWEST_SLICES = { often: 3, others: 4 };
const OFTEN = 35;
/** Of the slices from the first mention to the last, those with the person in them. */
const LEAST_PRESENCE = 0.45;
const LAST_SEEN = 0.52;
const FIRST_SEEN = 0.35;
/** Where several go at once, the book has parts, or is a collection. */
const MOST_VANISHED = 2;
/** Whoever matters has at least this share of all mentions up to the last. */
const LEAST_SHARE = 0.015;

/** Somebody important whose last appearance comes early, without a death. */
export const vanishedCharacters: Check = (reading) => {
  const found = lastSeenEarly(reading);
  return found.length > MOST_VANISHED ? [] : found;
};

function lastSeenEarly(reading: Reading): Suspicion[] {
  const { prose, dialogue, chapters } = reading;
  const size = prose.wordCount / SLICES;
  const everyMention = dialogue.cast.characters
    .flatMap(({ mentions }) => mentions.map(({ first }) => first))
    .toSorted((left, right) => left - right);
  const acts = actsOf(reading);
  return dialogue.cast.characters.flatMap(({ name, mentions }, character): Suspicion[] => {
    if (isRole(reading, character) || character === dialogue.narrator || mentions.length < FEWEST_MENTIONS) return [];
    const sliceOf = ({ first }: { readonly first: number }) => Math.floor(first / size);
    const slices = new Set(mentions.map(sliceOf));
    const [from, to] = [Math.min(...slices), Math.max(...slices)];
    const fewest = mentions.length < OFTEN ? FEWEST_SLICES.others : FEWEST_SLICES.often;
    if (slices.size < fewest || slices.size < LEAST_PRESENCE * (to - from + 1)) return [];
    const last = mentions.at(-1)!;
    if (last.first > LAST_SEEN * prose.wordCount || mentions[0]!.first > FIRST_SEEN * prose.wordCount) return [];
    const until = countBelow(everyMention, last.first + 1);
    if (mentions.length < LEAST_SHARE * until || acts[character]!.length < FEWEST_ACTS) return [];
    if (deathsOf(reading, character).length > 0 || isNamedLater(reading, name, last.last)) return [];
    const chapter = chapters[chapterOfWord(reading, last.first)]!;
    const places = mentions
      .slice(-2)
      .map(({ first, last: end }) => sentenceAround(reading, spanOfWords(prose, first, end + 1), 400));
    return [
      {
        kind: "vanished-character",
        title: `${name} is not seen again`,
        claim: `${name} is named ${countOf(mentions.length, "time")} up to chapter ${chapter.index}, ${Math.round((100 * last.first) / prose.wordCount)}% into the book, and never again.`,
        severity: "should",
        places,
        advice: "Let the reader know what becomes of this person, or give the part to somebody who stays.",
      },
    ];
  });
}

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

/** The name that comes later in another form, or the family's, may be the same person. */
function isNamedLater({ prose }: Reading, name: string, after: number): boolean {
  const part = name.toLowerCase().split(/\s+/).at(-1)!;
  let count = 0;
  for (let word = after + 1; word < prose.wordCount; word++)
    if (prose.words[word] === part && prose.traits[word]! & 1) count++;
  return count > 2;
}
