import { countLeading } from "../../core/count-leading.ts";
import { remembered } from "../../core/remembered.ts";
import { countOf } from "../../core/wording.ts";
import { isOneLetterApart } from "../characters/find-characters.ts";
import { TITLES } from "../characters/name-words.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import { ADJOINS, CAPITAL, markedWords, POSSESSIVE } from "../prose-text.ts";
import { SPEECH_VERBS } from "../word-shape.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";
import { isRole, Owners, sentenceRenderer } from "./owner.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** A statement that somebody is dead, or has left for good. */
interface Ending {
  readonly character: number;
  readonly word: number;
  readonly state: "dead" | "gone";
}

const PERSON = "<(?<who>\\d+)>(?!')";
const THEIRS = "<(?<who>\\d+)>'s";
/** A person by name or by pronoun; pronouns are resolved later. */
const WHO = "(?:<(?<who>\\d+)>(?!')|\\b(?<pronoun>s?he))";
const ADVERB =
  "(?:(?:already|now|suddenly|then|at last|long|quite|stone|(?!nearly|hardly|scarcely|barely|only|supposedly|apparently)[a-z]+ly) )*";
const KILLED =
  "(?:killed|murdered|slain|drowned|hanged|buried|executed|beheaded|guillotined|assassinated|lynched|shot dead|shot through the (?:heart|head)|(?:burnt|burned|stabbed|beaten|crushed|strangled|trampled|frozen|starved|clubbed|bled|put|kicked|hacked) to death|(?:lost|swept|washed) (?:at sea|overboard)|laid to rest|(?:put|laid|lowered) in(?:to)? (?:the|his|her) (?:ground|earth|grave))";
const OWN = "(?:his|her)";
/** Up to this many words, none of which is a person's name. */
const within = (most: number) => `(?: (?!<)[^" ]+){0,${most}}`;
/** Patterns for sentences rendered by `sentenceRenderer`. */
const DEATHS = [
  `${WHO} (?:had )?${ADVERB}(?:died|dies)(?! (?:away|out|down|a|to|(?:his|her|the|it|them|itself)|of (?:laughing|shame|boredom|curiosity)))\\b`,
  `${PERSON} (?:had )?${ADVERB}(?:perished|expired|drowned|succumbed)(?! (?:away|out|down|a|to|in|with|for|his|her|the|it|them|itself)\\b)`,
  `${WHO} (?:had )?(?:was|is|lay|fell|dropped|been|were) ${ADVERB}(?:dead(?! (?:in (?:his|her|its) tracks|tired|asleep|drunk|to|against|set|silent|sure|certain|on)\\b)|no more$|in (?:his|her) grave)`,
  `${PERSON} (?:was|is|were|had been|being) ${ADVERB}${KILLED}(?! (?:in|under|beneath) (?:his|her|the|an?) (?!(?:[a-z]+ )?(?:church|churchyard|grave|graveyard|ground|sand|sea|vault|earth|garden|field|village|abbey|family|snow|chapel|yard|cemetery|wood|river|lake)))`,
  `${WHO} (?:was|had been) found${within(8)} (?:dead|drowned|murdered|hanged|strangled|lifeless)\\b`,
  `${PERSON}${within(16)} [;:—] s?he (?:had )?(?:died|been dead|was dead)\\b`,
  `(?:so|thus|there|then|here|and so) (?:died|perished) ${PERSON}`,
  `(?:killed|murdered|slew|drowned|buried) ${PERSON}`,
  `(?:found|left|saw) ${PERSON} ${ADVERB}dead\\b`,
  `(?:shot|struck|stabbed|beat|struck|cut) ${PERSON} (?:dead|to death|through the (?:heart|head))`,
  `(?:put|laid|lowered|lay) ${PERSON} (?:in|into|to|under|beside ${within(4)} in) (?:the |his |her )?(?:ground|earth|grave|rest|churchyard|graveyard)\\b`,
  `(?:sea|river|water|waves?|current|flood|fire|flames|avalanche|fever|plague|cholera|influenza|typhus|consumption|pneumonia|illness|cancer) (?:had )?(?:took|taken|swallowed|claimed|carried off|drowned|finished) ${PERSON}`,
  `took ${PERSON} with it\\b`,
  `(?<!no )(?:death|murder|funeral|burial|corpse|suicide|execution) of ${PERSON}`,
  `(?:after|since|following) ${THEIRS} (?:death|murder|suicide|execution|drowning)\\b`,
  `${THEIRS} (?:dead body|corpse|funeral|burial|grave|tomb|gravestone|headstone|coffin|ashes)\\b`,
  `${THEIRS} body (?:was|had been|lay) (?:never |not )?(?:carried|found|buried|brought|laid|taken|washed|lowered|borne|recovered|lifted)`,
  `${PERSON}${within(25)} (?:his|her|the) body (?:was|had been) (?:never|not) (?:found|recovered)`,
  `${WHO} (?:had )?(?:breathed|drew|drawn|took|taken) ${OWN} last(?: breath)?(?= |$)`,
  `${WHO}(?:${within(8)} and| had)? (?:broke|broken) ${OWN} neck\\b`,
  `${WHO} (?:had )?(?:gave up the ghost|passed away|(?:lost|given|gave|laid down|paid with) ${OWN} (?:own )?life|(?:met|found) ${OWN} (?:death|end)|(?:took|taken) ${OWN} own life|(?:killed|hanged|drowned|shot|poisoned) (?:himself|herself)|(?:bled|starved|froze|frozen|burned|burnt|choked|fell|fallen|drank|leapt|jumped) to (?:${OWN} )?death|went down with (?:the|his|her))`,
  `${WHO} (?:did not|never|had not) (?:live to see|lived to see|survive|survived|wake again|woke again|woke up again|recover consciousness|recovered consciousness)`,
];
const AGAIN =
  "(?:saw|met|heard of|heard from|set eyes on|laid eyes on|spoke to|spoke with|see|meet|hear of|hear from|set foot in)";
const NOBODY = "(?:never|nobody|no one|none of (?:them|us)|not one of (?:them|us)|neither of (?:them|us))(?: ever)?";
const DEPARTURES = [
  `${PERSON} (?:had )?never (?:came|come|went|gone|returned|to return)(?: back)?(?: (?:to|from|home|again) [^"]{0,40})?$`,
  `${PERSON}${within(12)} (?:and|but)(?: (?:he|she))? (?:did not return|did not come back|never (?:came back|returned|come back|went back|came home)|(?:would|was|were) never (?:to )?(?:return|come back))(?: [^" ]+){0,4}$`,
  `${PERSON}${within(14)} never to (?:return|come back|be seen again)\\b`,
  `${NOBODY} ${AGAIN} ${PERSON} again`,
  `${PERSON}${within(14)} (?:was|were) (?:never|not) (?:seen|heard of|heard from|met)${within(6)} again`,
  `${PERSON}${within(14)} (?:was|were|had been) (?:never|not) (?:seen|heard of|heard from) (?:since|afterwards|after that)\\b`,
  `${PERSON}${within(18)} (?:[,;:]|and|but) (?:they |she |he |we )?${NOBODY} ${AGAIN} (?:him|her) again`,
  `${PERSON}${within(14)} (?:saw|met|heard of) (?:him|her) again$`,
  `the last (?:that )?(?:anyone|anybody|they|he|she|we|i|any of them|any of us|the (?:village|town|family|house|crew)|<\\d+>) (?:ever |was to |were to )?(?:saw|heard|see|hear) of ${PERSON}`,
  `${PERSON}${within(18)} the last (?:that )?(?:anyone|anybody|they|he|she|we|i|any of them|any of us|<\\d+>) (?:ever |was to |were to )?(?:saw|heard|see|hear) of (?:him|her)\\b`,
  `${PERSON}${within(10)} (?:gone|went|left|sailed|departed|leaves|stayed|emigrated|moved|returned|shipped)${within(8)} for (?:good|ever)\\b`,
  `${PERSON} (?:had|was|is) gone forever\\b`,
  `left ${PERSON} behind for (?:good|ever)\\b`,
  `${PERSON} (?:was|had been) left behind\\b(?! (?:like|as|in the (?:race|dust|crowd|rush)))`,
];
const EXPRESSIONS: readonly (readonly [Ending["state"], RegExp])[] = [
  ...DEATHS.map((source) => ["dead", new RegExp(source, "dg")] as const),
  ...DEPARTURES.map((source) => ["gone", new RegExp(source, "dg")] as const),
];
const DEADLY = set(
  `died dies perished expired dead killed murdered slain slew drowned hanged buried executed beheaded guillotined death murder
  funeral burial corpse body grave breathed ghost passed live lived survive survived wake woke shot succumbed assassinated lynched
  overboard rest ground earth churchyard graveyard suicide execution drowning tomb gravestone headstone coffin ashes neck life end
  himself herself consciousness breath took taken claimed swallowed carried finished lifeless strangled down rise rose`,
);
const LEAVING = set(
  "never nobody no none neither last left leaving gone went sailed stayed departed emigrated moved shipped returned not",
);
const FOR_GOOD = set(
  "behind again ever good forever back return returned saw see heard hear since afterwards home seen",
);
/** Words of a death that was feared, denied or imagined, or that is somebody else's. */
const NOT_SO = set(
  `if not never would almost thought nearly hoped hope wished wish feared fear believed supposed should might could may had though
  unless until till when before whether like than think says said say told as should wouldn't couldn't didn't wasn't father mother wife
  husband son daughter brother sister nobody no half cousin uncle aunt friend child dream dreamed imagined pretended to
  implied possible hint hinted remembered`,
);
/** Before "killed" and "died" these words deny the statement; before "never came back" some of them are part of it. */
const SUPPOSED = set(
  "if would might could should perhaps thought feared hoped hope swore promised wish wished dream dreamed supposed believed unless until till when though",
);
const PREPOSITIONS = set("for of with by to in on about from at into after and");
/** Words after a death, or a farewell, that show the text takes it into account. */
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
/** How many acts there must be for each mention of the death: a person who is really dead is remembered, not seen. */
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

/** By character: statements in the narration that somebody is dead or has left for good. */
const endingsOf = remembered((bookProse: BookProse): Map<number, Ending[]> => {
  const { prose, sentences, dialogue } = bookProse;
  const signs = prose.vocabulary.map(
    (word) =>
      (DEADLY.has(word) ? DEATH : 0) |
      (LEAVING.has(word) ? LEAVE : 0) |
      (FOR_GOOD.has(word) ? GOOD : 0) |
      (word === "he" || word === "she" ? PRONOUN : 0),
  );
  const found = new Map<number, Ending[]>();
  const seen = new Set<number>();
  const render = sentenceRenderer(bookProse);
  const owners = new Owners(bookProse);
  for (const [index, { firstWord, endWord }] of sentences.entries()) {
    let sign = 0;
    let isNamed = false;
    for (let word = firstWord; word < endWord; word++) {
      sign |= signs[prose.ids[word]!]!;
      isNamed ||= dialogue.cast.beginsAt(word) || (signs[prose.ids[word]!]! & PRONOUN) !== 0;
    }
    if (!isNamed || !(sign & DEATH || (sign & LEAVE && sign & GOOD)) || endWord - firstWord > LONGEST_SENTENCE)
      continue;
    const rendered = render(index);
    for (const [state, expression] of EXPRESSIONS) {
      if (state === "dead" ? !(sign & DEATH) : !(sign & GOOD)) continue;
      if (rendered.text.search(expression) === -1) continue;
      for (const match of rendered.text.matchAll(expression)) {
        const { who, pronoun } = match.indices!.groups!;
        const word = rendered.wordAt((who ?? pronoun)![0]);
        if (seen.has(word) || rendered.isQuoted(word) || !isSo(rendered.text.slice(0, match.index), state)) continue;
        seen.add(word);
        const owner = who ? null : isPlainly(rendered.text.slice(0, match.indices![0]![1])) ? owners.at(word) : null;
        if (!who && (owner === null || owner.or !== undefined)) continue;
        const character = owner?.character ?? Number(match.groups!.who);
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
const PRONOUN = 8;
const LONGEST_SENTENCE = 120;

/**
 * "He died that night": the pronoun is the subject of the sentence, and the sentence does not look back to a distant
 * past.
 */
function isPlainly(statement: string): boolean {
  return /^(?:(?!s?he |who |that |if |when )[a-z,#0-9-]+ ){0,7}s?he (?!had |is )/.test(statement);
}

/** Whether nothing before it in the sentence denies the statement or makes it about somebody else. */
function isSo(before: string, state: Ending["state"]): boolean {
  const words = before.trimEnd().split(" ");
  if (state === "gone") return !words.some((word) => SUPPOSED.has(word));
  if (PREPOSITIONS.has(words.at(-1)!)) return false;
  return !words.slice(-5).some((word) => NOT_SO.has(word));
}

/** Finds a person who is dead, or has left for good, and acts later without a remark. */
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

/** "Had returned", "came back"; but in "returned Paul" after a speech, "returned" means "replied". */
function comesBack(words: readonly string[], word: number): boolean {
  return (words[word] === "returned" || words[word] === "back") && COME.has(words[word - 1] ?? "");
}

const SLICES = 20;
const FEWEST_MENTIONS = 20;
/** Among twenty slices of the book: for a person named often, and for others. */
const FEWEST_SLICES = { often: 3, others: 4 };
const OFTEN = 35;
/** The share of slices, from the first mention to the last, in which the person appears. */
const LEAST_PRESENCE = 0.45;
const LAST_SEEN = 0.5;
const FIRST_SEEN = 0.35;
/** If many leave, the book has parts or is a collection; otherwise only those named most are reported. */
const MOST_VANISHED = 4;
const MOST_TOLD = 2;
/** An important character has at least this share of all mentions up to the last one. */
const LEAST_SHARE = 0.015;

/** Finds an important character whose last appearance is early, without a death. */
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

/** "The Coroner", "Captain": a person with no other name is there for the office, and readers do not wait for them. */
const isOffice = (name: string) => name.startsWith("The ") || TITLES.has(name.toLowerCase());

function countBelow(sorted: readonly number[], limit: number): number {
  return countLeading(sorted, (value) => value < limit);
}

/** A later name in another form or spelling that nobody else has may be the same person's. */
function isNamedLater({ prose, dialogue }: BookProse, name: string, after: number): boolean {
  const part = name.toLowerCase().split(/\s+/).at(-1)!;
  const respelled = markedWords(prose, (word) => (word.length > 3 && isOneLetterApart(word, part) ? 1 : 0));
  let count = 0;
  let other = 0;
  for (let word = after + 1; word < prose.wordCount; word++) {
    if (!(prose.traits[word]! & CAPITAL)) continue;
    if (prose.words[word] === part && dialogue.cast.characterAt(word) < 0) count++;
    else if (respelled[prose.ids[word]!]) other++;
  }
  if (other > 2) for (let word = 0; word < after; word++) if (respelled[prose.ids[word]!]) other = 0;
  return count > 2 || other > 2;
}
