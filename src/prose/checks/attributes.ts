import { groupBy } from "../../core/group-by.ts";
import type { Gender } from "../characters/name-words.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import { FUNCTION_WORDS } from "../word-shape.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";
import { NUMBERS, ORDINALS, type Owner, Owners, type Rendered, sentenceRenderer } from "./owner.ts";

const list = (text: string) => text.split(/\s+/);
const set = (text: string): ReadonlySet<string> => new Set(list(text));

/** A statement of the narration about somebody or something, with its place. */
interface Fact {
  /** What has the property: a person by cast number, or a noun. */
  readonly owner: string;
  readonly name: string;
  readonly property: Property;
  /** For a side: the part of the body; for kinship: the other person. */
  readonly part: string;
  readonly value: string;
  readonly number: number;
  readonly word: number;
  /** Another person who may be meant, if a pronoun is ambiguous. */
  readonly or?: string;
}

type Property = "eyes" | "hair" | "age" | "side" | "number" | "duration" | "kin" | "born";

const EYE_COLOURS: ReadonlyMap<string, string> = new Map(
  list("blue brown grey green black hazel violet amber")
    .map((colour) => [colour, colour] as const)
    .concat([
      ["gray", "grey"] as const,
      ...list("azure sapphire cobalt turquoise bluest bluer").map((colour) => [colour, "blue"] as const),
      ...list("emerald jade greenest greener").map((colour) => [colour, "green"] as const),
      ...list("chocolate chestnut brownest").map((colour) => [colour, "brown"] as const),
      ["greyest", "grey"] as const,
      ["blackest", "black"] as const,
    ]),
);
const HAIR_COLOURS: ReadonlyMap<string, string> = new Map([
  ...list("black dark raven jet ebony blackest").map((colour) => [colour, "dark"] as const),
  ...list("brown chestnut").map((colour) => [colour, "brown"] as const),
  ...list("fair blond blonde golden flaxen yellow platinum straw-coloured straw-colored blondest fairest").map(
    (colour) => [colour, "fair"] as const,
  ),
  ...list("red ginger carroty reddest").map((colour) => [colour, "red"] as const),
  ...list("auburn copper coppery").map((colour) => [colour, "auburn"] as const),
  ["sandy", "sandy"],
]);
/** Colours that may all be used for the same pair of eyes. */
const ALIKE = new Set(
  [
    "blue grey",
    "green grey",
    "black brown",
    "blue violet",
    "brown hazel",
    "green hazel",
    "grey hazel",
    "amber brown",
    "amber hazel",
    "blue green",
    "black grey",
    "brown dark",
    "brown fair",
    "amber green",
    "grey violet",
    "black violet",
    "auburn red",
    "auburn brown",
    "auburn fair",
    "auburn sandy",
    "fair sandy",
    "red sandy",
    "brown sandy",
  ].map((pair) => pair.split(" ").toSorted().join(" ")),
);

/** Permanent marks: a scar that changes sides is a mistake, but an aching hand need not be the same hand. */
const MARKS = set(
  `scar scars scarred wound wounded wounds injured injury hurt burn burned burnt lame limp limped limping limps lost missing blind
  blinded tattoo tattooed birthmark mole gash gashed bullet shot broken broke fractured maimed crippled withered amputated wooden
  stump sabre-cut bandaged bandage stabbed crushed shattered mutilated stitches sprained sling splint paralysed paralyzed artificial
  severed dislocated disfigured deformed branded brand pierced slashed grazed seam weal welt wart gone hook claw plaster stitched
  sewn useless numb`,
);
const PARTS: ReadonlyMap<string, string> = new Map([
  ...list("hand palm wrist").map((word) => [word, "hand"] as const),
  ...list(
    "arm shoulder elbow leg knee foot ankle thigh eye ear cheek temple eyebrow brow forearm hip calf jaw lung heel thumb breast collarbone shin eyelid nostril",
  ).map((word) => [word, word] as const),
]);
/** Things of which a story may well state two numbers. */
const MEASURES = set(
  `years months weeks days hours minutes seconds nights mornings times miles yards feet inches paces degrees pounds shillings
  pence francs dollars cents guineas crowns livres louis rubles roubles sous thousands hundreds millions tons leagues fathoms knots
  others men women people persons children boys girls pages chapters lines verses words chapters per percent ones centuries acres
  metres meters kilometres kilometers centimetres centimeters centimes pistoles ducats sovereigns talents sestertii cubits hands
  winters summers springs odd paragraphs questions evenings afternoons sundays moments generations sorts kinds parts articles
  volumes moons species bushels gallons ounces grains points votes marks euros kilos stones hands lengths rounds innings runs`,
);
const NO_COUNT = new Set([15, 25]);
const KIN: ReadonlyMap<string, Gender | null> = new Map<string, Gender | null>([
  ...list("brother uncle nephew son father grandfather grandson stepfather godfather").map(
    (noun) => [noun, "male"] as const,
  ),
  ...list("sister aunt niece daughter mother grandmother granddaughter stepmother godmother").map(
    (noun) => [noun, "female"] as const,
  ),
  ["wife", "female"],
  ["husband", "male"],
  ["cousin", null],
]);
const KIN_NOUN = `(?<value>${[...KIN.keys()].join("|")})`;
/** Words for people of a given age, and the gender they imply. */
const PERSONS: ReadonlyMap<string, Gender | null> = new Map<string, Gender | null>([
  ...list("man boy lad gentleman widower bachelor").map((noun) => [noun, "male"] as const),
  ...list("woman girl lady widow").map((noun) => [noun, "female"] as const),
  ...list("youth fellow person soldier").map((noun) => [noun, null] as const),
]);
const PERSON_NOUN = `(?<noun>${[...PERSONS.keys()].join("|")})`;

// Parts of patterns, for sentences rendered by `sentenceRenderer`.

const WHO = "(?<who><\\d+>|\\bs?he)";
const WHOSE = "(?<who><\\d+>'s|\\bhis|\\bher)";
const NAME = "(?:<\\d+>|\\^\\S+)";
/** Words that may precede a noun they describe, without those that begin another phrase or name an owner. */
const DESCRIBING =
  "(?:(?!(?:the|an?|of|his|her|my|their|its|with|in|on|at|to|that|who|had|was|were)\\b|\\S+'s )[a-z][a-z'-]* |, )";
const SAID = "(?:was|were|is|are|had been|had always been|looked|seemed|shone|gleamed|became|turned)";
/** What may follow a colour or an age at the end of a statement. */
const STATED =
  '(?= (?:[,;:.)(—"]|and|but|in|like|that|or|with|as|under|beneath|beside|by|from|now|then|at|to|though|for|so|if|who|this|on|last|today|although|behind|again)(?: |$)|$)';
const ADVERB =
  "(?:only|just|about|nearly|barely|not|yet|already|almost|hardly|scarcely|now|still|over|past|then|perhaps|exactly|some|at|most|least|quite|well|around|going|on|rising|close|near|nearing|upon|to|turned|fully|all|of|getting|for|rather|little|more|than|short|under|off)";
/** Words before the subject that move an age to the past or to a condition, so that it is not the current age. */
const OTHER_TIME =
  "(?<!\\b(?:when|since|until|till|before|if|though|although|as|while|because|after|once|would|had|than|whether|for|that)(?: ,)? )";
const AGE = "#(?<value>\\d{1,2})";
const OLD = "(?: years? (?:old|of age))?";
/** Verbs for what somebody did at an age that may be long past. */
const ONCE_DID =
  "(?! (?:had (?:[a-z]+ly )?(?:[a-z]+ed|been|gone|seen|known|taken|lost|left|met|run|written)|went|came|left|married|ran|joined|entered|began|became|took|got|lost|met|found|made|wrote|moved|started|gave|inherited|sailed|fell|won|bought|sold|settled|published|returned|received)\\b)";
/** "A party of twelve" has no age. */
const PEOPLE_OF =
  "(?!(?:party|family|group|crew|number|score|list|total|force|band|company|distance|class|household|set|train|matter|question|member|one|part|out|height|depth|sort|kind|body|congregation|audience|team|row|line)\\b)";

interface Pattern {
  readonly property: Property;
  readonly expression: RegExp;
}

const pattern = (property: Property, source: string): Pattern => ({ property, expression: new RegExp(source, "dg") });

function colourPatterns(property: "eyes" | "hair", noun: string, colours: Iterable<string>): Pattern[] {
  const value = `(?:[a-z]+-)?(?<value>${[...colours].join("|")})`;
  const described = `(?:${DESCRIBING}){0,4}?${value} (?:${DESCRIBING}){0,3}?${noun}\\b`;
  const saidOf = `(?:(?!(?:on|upon|fixed|full|turned|the|his|her|not|no|never)\\b)[a-z,][a-z'-]* ){0,5}?${value}${STATED}`;
  return [
    `${WHOSE} ${described}`,
    `(?<who><\\d+>|\\bs?he)(?: ,)?(?: who)? (?:had|has|with) (?:the |an? |#2 |pair of |such |very |most ){0,3}${described}`,
    `(?<who><\\d+>|\\bs?he) (?!saw|met|noticed|loved|liked|preferred|remembered|recognised|encountered)[a-z]+ (?:#[12] |a pair of |both )${described}`,
    `(?<who><\\d+>|\\bs?he) (?:had|has|with)(?: (?!<)[a-z,'-]+){1,8}? and (?:the |an? |#2 |pair of |such |very ){0,3}${described}`,
    ...(property === "hair"
      ? [
          `(?<who><\\d+>|\\bs?he) (?:(?!<)[a-z]+ ){1,4}?(?:strand|strands|lock|locks|wisp|wisps|curl|curls|tendril|braid|mane|mop|shock|thatch|crop|handful) of (?:his |her |very )?${described}`,
        ]
      : []),
    `(?<who><\\d+>|\\bs?he) (?:had|has) (?:his|her) (?:mother|father|grandmother|grandfather)'s ${described}`,
    `(?<who><\\d+>|\\bs?he) (?:had|has|with)(?: (?!<)[a-z,'-]+){0,8}? ${noun} (?:like|as) (?:#2 |an? |the )?(?:[a-z-]+ ){0,2}?${value}\\b`,
    `${WHOSE} (?:${DESCRIBING}){0,2}?${noun} ${SAID} (?:the |an? )(?:[a-z-]+ ){0,2}?${value} of\\b`,
    `${WHOSE} (?:${DESCRIBING}){0,2}?${noun} (?:(?!<)[a-z-]+ ){1,5}, an? (?:[a-z-]+ ){0,3}?${value}${STATED}`,
    `(?<who><\\d+>|\\bs?he) (?:was|is) an? (?:[a-z,'-]+ ){0,6}?with ${described}`,
    `(?<who><\\d+>|\\bs?he) (?:(?!<)[a-z'-]+ ){1,5}?(?:through|from|out of|from behind) (?:an? |#2 |pair of |very |such ){0,3}${described}`,
    `(?<who><\\d+>|\\bs?he) [a-z]+(?: up| down| out| back| on| away| round| around)? with (?:an? |#2 |pair of |very |such ){0,3}${described}`,
    `of (?<who><\\d+>) (?:was|were|is) (?:the |an? |#2 |pair of |such |very ){0,3}${described}`,
    `${WHOSE} (?:${DESCRIBING}){0,2}?${noun}(?: ,)?(?: which| that)? ${SAID} ${saidOf}`,
    `${WHOSE} (?:${DESCRIBING}){0,2}?${noun}(?: [a-z,:;]+){0,4}? (?:they|it) ${SAID} ${saidOf}`,
    `${WHOSE} (?:${DESCRIBING}){0,2}?${noun} [,—(] (?:[a-z'-]+ (?:and |, )?){0,2}?${value}${STATED}`,
    `${noun} of (?<who><\\d+>) ${SAID} ${saidOf}`,
    `${value} (?:${DESCRIBING}){0,2}?${noun} of (?<who><\\d+>|his|hers)(?:'s)?(?= |$)`,
    `${value} of ${WHOSE} (?:${DESCRIBING}){0,2}?${noun}\\b`,
    `(?<who><\\d+>|\\bs?he)(?:(?! <)(?: [a-z,'-]+)){0,6} ${noun} of (?:an? |the )?(?:[a-z-]+ (?:, )?){0,3}?${value}\\b`,
    ...(property === "eyes" ? ["eyed"] : ["haired"]).flatMap((ending) => [
      `${value}-${ending} (?:[a-z-]+ ){0,2}(?<who><\\d+>)(?!')`,
      `(?<who><\\d+>|\\bs?he) (?:was|is|,)(?: [a-z,-]+){0,3}? ${value}-${ending}\\b`,
    ]),
  ].map((source) => pattern(property, source));
}

const PATTERNS: Readonly<Record<"eyes" | "hair" | "age" | "duration" | "kin" | "born", readonly Pattern[]>> = {
  eyes: colourPatterns("eyes", "eyes?", EYE_COLOURS.keys()),
  hair: colourPatterns("hair", "hair", HAIR_COLOURS.keys()),
  age: [
    `${OTHER_TIME}${WHO}(?: ,)?(?: who)?(?: had| has| is| was)?(?: ${ADVERB})*? (?:was|is|turned|been|reached|attained|become)(?: ${ADVERB})*? (?:the age of )?${AGE}(?: years? (?:old|of age)\\b|${STATED})`,
    `(?<who><\\d+>) (?:, |was |is )?(?:now )?aged? ${AGE}\\b`,
    `(?<who><\\d+>) [,(] ${AGE}${OLD}(?= [,)]| (?:and|but) [a-z]+ ,)`,
    `^(?:and |but |now )?at (?:the age of )?(?:${ADVERB} )?${AGE}${OLD}(?: ,)? ${WHO}${ONCE_DID}`,
    `(?:,|and|but|—|;|:) at (?:the age of )?${AGE}${OLD}(?: ,)? ${WHO} (?:was|is|still|could|had no|had never)\\b`,
    `(?<who><\\d+>) [,(—] (?!at )(?:${ADVERB} )+${AGE}${OLD}(?: (?:that|this|last|next) [a-z]+)?(?= [,)—])`,
    `(?<who><\\d+>)'s (?:${ADVERB} )*${AGE}${STATED}`,
    `${OTHER_TIME}${WHO}(?: ,)?(?: who)? (?:would|will) (?:soon |just )?be ${AGE}${OLD} (?:in|next|on|come|that|this)\\b`,
    `${WHO}(?: ,)?(?: who)? (?:had )?died at (?:the age of )?${AGE}\\b`,
    `${OTHER_TIME}${WHO} (?:was|is) (?:an?|the) year (?:past|over|under|short of) ${AGE}${STATED}`,
    `${OTHER_TIME}${WHO} (?:was|is) an? (?:[a-z,-]+ ){0,4}?${PERSON_NOUN} (?:getting on for|nearing|near|close on|about|past|over|just over|well over) ${AGE}${STATED}`,
    `${WHO} had ${AGE} years (?:behind|on|upon|under|to) (?:him|her|his)\\b`,
    `(?<who><\\d+>) , an? (?:[a-z]+ )?#(?<value>\\d{1,2})yo\\b`,
    `^(?:${ADVERB} )*${AGE}${OLD} , ${WHO}`,
    `^(?:though|although|while|since|as) s?he (?:was|is)(?: ${ADVERB})*? ${AGE}${OLD} , (?<who><\\d+>)(?!')`,
    `${WHO} had (?:seen|lived|counted|weathered) (?:${ADVERB} )?${AGE} (?:years|summers|winters|springs)\\b`,
    `${WHO}(?: ,)?(?: who)? (?:was|is)(?: ${ADVERB})*? in (?:his|her) #(?<year>\\d{1,2})th year\\b`,
    `^in all ${WHOSE} ${AGE} years\\b`,
    `${WHO} , (?:now )?at (?:the age of )?${AGE} ,`,
    `${OTHER_TIME}${WHO}(?: ,)?(?: who)? (?:was|is) (?:${ADVERB} |still )?an? (?:[a-z,-]+ ){0,4}?(?:${PERSON_NOUN}|${PEOPLE_OF}[a-z]+|\\^[a-z]+) of (?:${ADVERB} )*${AGE}(?: years| summers| or |${STATED})`,
    `(?<who><\\d+>) , an? (?:[a-z-]+ ){0,3}?${PERSON_NOUN} of (?:${ADVERB} )*${AGE}(?: years| summers| or |${STATED})`,
    `${WHOSE} ${AGE} years(?! (?:ago|of (?!age|life)|in|at|as|with|on|since|later|before|among|there|here|after|earlier))`,
    `#(?<value>\\d{1,2})yo (?:[a-z]+ )?(?<who><\\d+>)(?!')`,
    `${OTHER_TIME}${WHO} (?:was|is) an? (?:[a-z]+ )?#(?<value>\\d{1,2})yo\\b`,
    `${WHOSE} age (?:was|is|,|being) ${AGE}${STATED}`,
    `${WHOSE} #(?<value>\\d{1,2})th birthday`,
  ].map((source) => pattern("age", source)),
  duration: [pattern("duration", `${WHO}(?: had| has)? spent ${AGE} years`)],
  kin: [
    `${WHOSE} (?:[a-z]+ )?${KIN_NOUN} (?<other>${NAME})(?!'|\\S)`,
    `${WHOSE} (?:[a-z]+ )?${KIN_NOUN} , (?<other>${NAME})(?= [,;)]|$)`,
    `(?<other>${NAME}) (?:was|is) ${WHOSE} (?:[a-z]+ )?${KIN_NOUN}${STATED}`,
    `(?<other>${NAME}) (?:was|is) (?:an?|the) (?:[a-z]+ )?${KIN_NOUN} of (?<who><\\d+>)(?:'s)?(?= |$)`,
    `(?<other>${NAME}) , ${WHOSE} (?:[a-z]+ )?${KIN_NOUN}(?= [,;)]|$)`,
    `(?<other>${NAME}) , the ${KIN_NOUN} of (?<who><\\d+>)(?!')`,
    `${WHO} had an? (?:[a-z]+ )?${KIN_NOUN} (?:named|called) (?<other>${NAME})(?!'|\\S)`,
  ].map((source) => pattern("kin", source)),
  born: [
    `${WHO}(?: [,(])?(?: who)?(?: had| was| is)*(?: been)? born (?:[a-z^,]+ ){0,5}?#(?<value>1\\d{3}|20\\d\\d)(?= |$)`,
    `^born (?:[a-z^,]+ ){0,5}?#(?<value>1\\d{3}|20\\d\\d)(?: ,)? ${WHO}`,
  ].map((source) => pattern("born", source)),
};

/** An introductory phrase whose pronoun refers to the person named next. */
const FRONTED =
  /^(?:for|in|at|with|despite|though|although|while|after|before|by|on|like|as|from) (?:(?!<)[^,]){3,60}, <(?<who>\d+)>(?!')/;

const SIDE = new RegExp(
  `(?:(?<who><\\d+>'s|\\bhis|\\bher) (?:[a-z]+ )?|(?<the>the|an?) (?:[a-z]+ )?)(?<value>left|right) (?<part>${[...PARTS.keys()].join("|")})\\b`,
  "dg",
);
const FACE =
  /(?<value>left|right) side of (?<who><\d+>'s|\bhis|\bher) (?<part>face|head|neck|body|mouth|jaw|chin|chest|forehead|brow|nose|throat|back|skull)\b/dg;
const HANDED = new RegExp(`${WHO} (?:was|is|,)(?: [a-z]+)? (?<value>left|right)-handed`, "dg");
const COUNTED =
  /(?<!(?:hundred|thousand|hundred and|thousand and|million) )#(?<value>\d{2,3}) (?<first>[a-z][a-z-]+)(?: (?<second>[a-z][a-z-]+))?/dg;

/** Finds one person or thing with two eye colours, ages, sides, kinships or numbers. */
export const attributeConflicts: Check = (bookProse) => {
  const facts = new FactReader(bookProse).read();
  const keyOf = ({ property, part }: Fact, owner: string) => `${owner} ${property} ${part}`;
  const groups = groupBy(facts, (fact) => keyOf(fact, fact.owner));
  const open = groupBy(
    facts.filter(({ or }) => or !== undefined),
    (fact) => keyOf(fact, fact.or!),
  );
  const shown = new Set<Fact>();
  const found = [...groups].flatMap(([key, group]): Suspicion[] => {
    const pair = conflictIn(bookProse, group) ?? openConflict(bookProse, group, open.get(key) ?? []);
    if (!pair || pair.some((fact) => shown.has(fact))) return [];
    for (const fact of pair) shown.add(fact);
    return [suspicion(bookProse, pair)];
  });
  return found;
};

/** A statement by an ambiguous pronoun conflicts with the only other statement about this person. */
function openConflict(bookProse: BookProse, own: readonly Fact[], open: readonly Fact[]): [Fact, Fact] | null {
  const { name, property } = own[0]!;
  if (open.length === 0 || (property !== "eyes" && property !== "side")) return null;
  const all = [...own, ...open.map((fact) => ({ ...fact, name }))];
  return conflictIn(
    bookProse,
    all.toSorted((left, right) => left.word - right.word),
  );
}

const YOUNGEST = 5;
const SMALL_WORDS = new Set(FUNCTION_WORDS);

class FactReader {
  readonly #bookProse: BookProse;
  readonly #owners: Owners;
  readonly #facts: Fact[] = [];
  #sentence!: Rendered;

  constructor(bookProse: BookProse) {
    this.#bookProse = bookProse;
    this.#owners = new Owners(bookProse);
  }

  read(): Fact[] {
    const { prose, sentences } = this.#bookProse;
    const triggers = prose.vocabulary.map(triggerOf);
    const digits = sentencesWithDigits(this.#bookProse);
    const render = sentenceRenderer(this.#bookProse);
    for (const [index, { firstWord, endWord }] of sentences.entries()) {
      let found = digits.has(index) ? NUMBER : 0;
      for (let word = firstWord; word < endWord; word++) {
        const trigger = triggers[prose.ids[word]!]!;
        if (trigger !== 0 && (trigger !== SIDED || isSide(prose.words[word + 1]))) found |= trigger;
      }
      if ((found & ~COLOUR) === 0 || endWord - firstWord > LONGEST_SENTENCE) continue;
      this.#sentence = render(index);
      if (found & EYES && found & COLOUR) this.#match(PATTERNS.eyes);
      if (found & HAIR && found & COLOUR) this.#match(PATTERNS.hair);
      if (found & NUMBER) {
        this.#match(PATTERNS.age);
        this.#match(PATTERNS.duration);
        this.#counted();
      }
      if (found & RELATIVE) this.#match(PATTERNS.kin);
      if (found & BORN) this.#match(PATTERNS.born);
      if (found & SIDED) this.#sides();
    }
    return this.#facts;
  }

  #match(patterns: readonly Pattern[]): void {
    const seen = new Set<number>();
    for (const { property, expression } of patterns) {
      if (this.#sentence.text.search(expression) === -1) continue;
      for (const match of this.#sentence.text.matchAll(expression)) {
        const { value, year, other, noun } = match.groups!;
        const word = this.#sentence.wordAt((match.indices!.groups!.value ?? match.indices!.groups!.year!)[0]);
        if (seen.has(word) || this.#sentence.isQuoted(word)) continue;
        const owner = this.#owner(match);
        if (!owner || !this.#canBe(owner.character, PERSONS.get(noun ?? ""))) continue;
        seen.add(word);
        // A person in the thirtieth year is twenty-nine.
        this.#add(owner, property, value ?? String(Number(year) - 1), word, other);
      }
    }
  }

  /** If Madame Odintsov is the only one of her name, "Odintsov, a man of forty-six" is still somebody else. */
  #canBe(character: number, said: Gender | null = null): boolean {
    const { gender } = this.#bookProse.dialogue.cast.characters[character]!;
    return said === null || gender === null || said === gender;
  }

  #owner({ groups, indices }: RegExpMatchArray): Owner | null {
    const who = groups!.who!;
    const offset = indices!.groups!.who![0];
    const at = this.#sentence.wordAt(offset);
    if (this.#sentence.isQuoted(at)) return null;
    if (who.startsWith("<")) return { character: Number(who.match(/\d+/)![0]), isNamed: true };
    // "For all his forty years, John blushed."
    const fronted = this.#sentence.text.match(FRONTED);
    const next = fronted && offset < fronted[0].lastIndexOf(",") ? Number(fronted.groups!.who) : null;
    if (next !== null && this.#owners.mayMean(at, next)) return { character: next, isNamed: true };
    return this.#owners.at(at);
  }

  #add(owner: Owner, property: Property, value: string, word: number, other?: string): void {
    const { cast, narrator } = this.#bookProse.dialogue;
    if (owner.character === narrator) return;
    const { name } = cast.characters[owner.character]!;
    const or = owner.or === undefined ? {} : { or: String(owner.or) };
    const fact = { owner: String(owner.character), name, property, part: "", number: 0, word, ...or };
    switch (property) {
      case "eyes":
        this.#facts.push({ ...fact, value: EYE_COLOURS.get(value)! });
        break;
      case "hair":
        this.#facts.push({ ...fact, value: HAIR_COLOURS.get(value)! });
        break;
      case "age":
        if (Number(value) >= YOUNGEST)
          this.#facts.push({ ...fact, value: this.#numberAsSaid(word, value), number: Number(value) });
        break;
      case "kin": {
        const character = other!.startsWith("<") ? Number(other!.slice(1, -1)) : null;
        if (character === owner.character || (character !== null && !this.#canBe(character, KIN.get(value)))) break;
        const relative = character === null ? capitalised(other!.slice(1)) : cast.characters[character]!.name;
        this.#facts.push({ ...fact, part: relative, value });
        break;
      }
      default:
        this.#facts.push({ ...fact, value: this.#numberAsSaid(word, value), number: Number(value) });
    }
  }

  /** Writes the number in words if the book does. */
  #numberAsSaid(word: number, digits: string): string {
    const said = this.#bookProse.prose.words[word]!;
    return NUMBERS.get(said) === Number(digits) ? said : digits;
  }

  /** "The scar on his left cheek": a mark, a side, a part of the body. */
  #sides(): void {
    const { text } = this.#sentence;
    for (const match of text.matchAll(HANDED)) this.#side(match, "handed");
    const tokens = text.split(" ");
    if (!tokens.some((token) => MARKS.has(token))) return;
    for (const match of text.matchAll(FACE)) this.#side(match, match.groups!.part!);
    for (const match of text.matchAll(SIDE)) {
      const near = text.slice(Math.max(0, match.index - 90), match.index + match[0].length + 70).split(" ");
      if (near.some((token) => MARKS.has(token))) this.#side(match, PARTS.get(match.groups!.part!)!);
    }
  }

  #side(match: RegExpExecArray, part: string): void {
    const { value, who } = match.groups!;
    const word = this.#sentence.wordAt(match.indices!.groups!.value![0]);
    if (this.#sentence.isQuoted(word)) return;
    const owner = who === undefined ? this.#subject(match.index) : this.#owner(match);
    if (owner === null || owner.character === this.#bookProse.dialogue.narrator) return;
    const { name } = this.#bookProse.dialogue.cast.characters[owner.character]!;
    const or = owner.or === undefined ? {} : { or: String(owner.or) };
    this.#facts.push({
      owner: String(owner.character),
      name,
      property: "side",
      part,
      value: value!,
      number: 0,
      word,
      ...or,
    });
  }

  /** The first person a sentence names; "Mary's brother" is nobody with a name. */
  #subject(before: number): Owner | null {
    const match = this.#sentence.text.slice(0, before).match(/(?:^| )(?<who><\d+>(?:'s)?|s?he|i|we|they)(?= )/d);
    return match && /^(?:<\d+>|s?he)$/.test(match.groups!.who!) ? this.#owner(match) : null;
  }

  /** "Forty-three names": a number above twelve that is not round, and the thing it counts. */
  #counted(): void {
    for (const match of this.#sentence.text.matchAll(COUNTED)) {
      const { value, first, second } = match.groups!;
      const number = Number(value);
      if (number < 13 || number % 10 === 0 || NO_COUNT.has(number)) continue;
      const isDescribing = !SMALL_WORDS.has(first!) || first === "such" || first === "other" || first === "same";
      const noun = isPlural(first!)
        ? first!
        : second && isDescribing && !isMeasure(first!) && isPlural(second)
          ? second
          : null;
      if (noun === null || MEASURES.has(noun)) continue;
      const word = this.#sentence.wordAt(match.indices!.groups!.value![0]);
      const fact = {
        owner: `noun ${noun}`,
        name: noun,
        property: "number",
        part: "",
        value: this.#numberAsSaid(word, value!),
        number,
        word,
      } as const;
      this.#facts.push(fact);
    }
  }
}

const capitalised = (word: string) => word[0]!.toUpperCase() + word.slice(1);
const isPlural = (word: string) => word.length > 3 && /[^s']s$/.test(word) && !SMALL_WORDS.has(word);
const isMeasure = (word: string) => MEASURES.has(word) || MEASURES.has(`${word}s`);
const isSide = (next: string | undefined) => next !== undefined && (PARTS.has(next) || next === "side");

/** A longer sentence names too many people to assign a property. */
const LONGEST_SENTENCE = 300;

const EYES = 1;
const HAIR = 2;
const NUMBER = 4;
const SIDED = 8;
const RELATIVE = 16;
const BORN = 32;
const COLOUR = 64;

function triggerOf(word: string): number {
  const colour = word.split("-").some((part) => EYE_COLOURS.has(part) || HAIR_COLOURS.has(part)) ? COLOUR : 0;
  return colour | factIn(word);
}

/** Which kind of statement the word may belong to. */
function factIn(word: string): number {
  if (word === "eyes" || word === "eye" || word.endsWith("-eyed")) return EYES;
  if (word === "hair" || word.endsWith("-haired")) return HAIR;
  if (word === "left-handed" || word === "right-handed") return SIDED | NUMBER;
  if (word === "left" || word === "right") return SIDED;
  if (word === "born") return BORN;
  if (word === "spent") return NUMBER;
  if (KIN.has(word)) return RELATIVE;
  return (NUMBERS.get(word.replace(/-year.*$/, "")) ?? 0) >= YOUNGEST || (ORDINALS.get(word) ?? 0) >= YOUNGEST
    ? NUMBER
    : 0;
}

function sentencesWithDigits({ prose, sentences }: BookProse): Set<number> {
  const found = new Set<number>();
  let at = 0;
  for (const { index } of prose.text.matchAll(/\d+/g)) {
    while (at + 1 < sentences.length && sentences[at]!.end <= index) at++;
    found.add(at);
  }
  return found;
}

/** The first two facts about one owner that cannot both be true. */
function conflictIn(bookProse: BookProse, facts: readonly Fact[]): [Fact, Fact] | null {
  const { property } = facts[0]!;
  const values = new Set(facts.map(({ value, number }) => number || value));
  if (values.size < 2) return null;
  if ((property === "number" || property === "kin") && values.size > 2) return null;
  return property === "eyes" || property === "hair"
    ? colourConflict(facts)
    : firstPair(facts, (one, other) =>
        property === "age" ? agesDisagree(bookProse, one, other) : disagree(one, other),
      );
}

function firstPair(facts: readonly Fact[], disagrees: (one: Fact, other: Fact) => boolean): [Fact, Fact] | null {
  for (const [index, other] of facts.slice(0, MOST_COMPARED).entries()) {
    const one = facts.slice(0, index).find((earlier) => disagrees(earlier, other));
    if (one) return [one, other];
  }
  return null;
}

const MOST_COMPARED = 60;

/** The two most frequent colours that are incompatible; the more frequent one is assumed to be right. */
function colourConflict(facts: readonly Fact[]): [Fact, Fact] | null {
  const byColour = [...groupBy(facts, ({ value }) => value).values()].toSorted(
    (left, right) => right.length - left.length,
  );
  // With more than three colours, the statements are about several people, or the light changes.
  if (byColour.length > 3) return null;
  const [usual, ...others] = byColour as [Fact[], ...Fact[][]];
  const other = others.find(([fact]) => !ALIKE.has([usual[0]!.value, fact!.value].toSorted().join(" ")));
  return other ? [usual[0]!, other[0]!] : null;
}

/** A story may span a year or two without a conflict. */
const YEARS_TOLD = 3;
const MOST_YEARS_TOLD = 25;
/** Within this many words a story hardly spans three years. */
const SOON = 10_000;
/** An age much lower than this belongs to a memory, or to somebody else. */
const MOST_YEARS_BACK = 20;
const CHILD = 12;
const GROWN_UP = 18;

function agesDisagree(bookProse: BookProse, one: Fact, other: Fact): boolean {
  const grown = other.number - one.number;
  if (grown < 0) return -grown < MOST_YEARS_BACK && !(other.number <= CHILD && one.number >= GROWN_UP);
  if (grown < YEARS_TOLD || grown > MOST_YEARS_TOLD) return false;
  if (grown < YEARS_TOLD + 2 && other.word - one.word >= SOON) return false;
  return !yearsPass(bookProse, one.word, other.word);
}

/** "Two years passed": how much time passes between two places, according to the narration. */
function yearsPass({ prose: { words }, dialogue }: BookProse, from: number, to: number): boolean {
  for (let word = from; word < to; word++) {
    if (dialogue.quoted[word] || !YEARS.has(words[word]!)) continue;
    if (NEXT.has(words[word - 1]!)) return true;
    for (let after = word + 1; after < word + 4; after++) if (PASSED.has(words[after]!)) return true;
  }
  return false;
}

const YEARS = set("years year winters summers springs");
const NEXT = set("next following succeeding intervening");
const PASSED = set("passed later went gone rolled elapsed flew slipped after afterwards by since");

const disagree = (one: Fact, other: Fact) =>
  (one.number || one.value) !== (other.number || other.value) && Math.abs(one.word - other.word) > FEWEST_BETWEEN;

const FEWEST_BETWEEN = 60;

function suspicion(bookProse: BookProse, [one, other]: [Fact, Fact]): Suspicion {
  const [first, second] = one.word < other.word ? [one, other] : [other, one];
  const chapterOf = (fact: Fact) => bookProse.chapters[chapterOfWord(bookProse, fact.word)]!.index;
  const [here, there] = [chapterOf(first), chapterOf(second)];
  const where =
    bookProse.chapters.length === 1
      ? ""
      : here === there
        ? `, both in chapter ${here}`
        : ` (chapters ${here} and ${there})`;
  return {
    kind: "attribute-conflict",
    detail: first.property,
    title: titleOf(first),
    claim: `${claimOf(first, second)}${where}.`,
    severity: first.property === "age" || first.property === "hair" ? "should" : "must",
    places: [first, second].map(({ word }) =>
      sentenceAround(bookProse, spanOfWords(bookProse.prose, word, word + 1), 500),
    ),
    advice: "Decide which is right and change the other, or let the text say why it changed.",
  };
}

function titleOf({ name, property, part }: Fact): string {
  switch (property) {
    case "number":
      return `How many ${name}?`;
    case "duration":
      return `How many years did ${name} spend?`;
    case "side":
      return part === "handed" ? `Which hand does ${name} use?` : `${name}: left or right ${part}?`;
    case "kin":
      return `How are ${name} and ${part} related?`;
    case "born":
      return `When was ${name} born?`;
    case "age":
      return `Two ages for ${name}`;
    case "eyes":
    case "hair":
      return `Two colours of ${property} for ${name}`;
    default:
      return property satisfies never;
  }
}

function claimOf(first: Fact, second: Fact): string {
  const { name, property, part, value } = first;
  switch (property) {
    case "number":
      return `“${value} ${name}” and “${second.value} ${name}”`;
    case "duration":
      return `${name} spent ${value} years according to one passage, ${second.value} according to another`;
    case "side":
      return part === "handed"
        ? `${name} is ${value}-handed and then ${second.value}-handed`
        : `${name} has a mark on the ${value} ${part} and then on the ${second.value} ${part}`;
    case "kin":
      return `${part} is called the ${value} of ${name} and then the ${second.value}`;
    case "born":
      return `${name} was born in ${value} and then in ${second.value}`;
    case "age":
      return `${name} is ${value} and then ${second.value}`;
    case "eyes":
    case "hair":
      return `${name} has ${value} ${property} and then ${second.value} ${property}`;
    default:
      return property satisfies never;
  }
}
