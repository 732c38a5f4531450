import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-corrections.ts";
import { type Cast, castOf } from "../characters/cast.ts";
import { correctCharacters } from "../characters/corrections.ts";
import { type Character, findCharacters } from "../characters/find-characters.ts";
import { findRoles } from "../characters/find-roles.ts";
import { classifyQuotations, type QuotationKind } from "../quotations/classify-quotation.ts";
import { findQuotedSpans, type QuotedSpan } from "../quotations/find-quotations.ts";
import type { ProseText } from "../reading/prose-text.ts";
import { attributeSpeakers, quotedWords } from "./attribute-speakers.ts";
import { findNarrator, type NarrativePerson, narrativePerson } from "./narrator.ts";
import { findTurns, type Turn } from "./turns.ts";

export interface Dialogue {
  readonly cast: Cast;
  readonly quotations: readonly QuotedSpan[];
  readonly turns: readonly Turn[];
  /** By quotation: whether it is speech at all. */
  readonly kinds: readonly QuotationKind[];
  /** By quotation: the speaker's place in the cast, or null. */
  readonly speakers: readonly (number | null)[];
  readonly person: NarrativePerson;
  /** In a first-person story, the narrator's place in the cast. */
  readonly narrator: number | null;
  /** By word: 1 inside quotation marks. */
  readonly quoted: Uint8Array;
}

/** What is spoken, by whom, and who is in the story at all. */
export function readDialogue(prose: ProseText, corrections: CharacterCorrections = NO_CORRECTIONS): Dialogue {
  const quotations = findQuotedSpans(prose.text, prose.paragraphs);
  const quoted = quotedWords(prose, quotations);
  const isQuoted = (word: number) => quoted[word] === 1;
  const found = findCharacters(prose, isQuoted);
  const person = narrativePerson(prose, quoted);
  const firstTurns = findTurns(prose, castOf(prose, found), quotations);
  const people = correctCharacters([...found, ...findRoles(prose, firstTurns, found)], corrections);
  const { characters, narrator } = withNarrator(prose, people, quotations, isQuoted, person);
  const cast = castOf(prose, characters);
  const turns = findTurns(prose, cast, quotations);
  const speakers = attributeSpeakers(prose, cast, quotations, turns, narrator);
  const thoughts = new Set(
    turns.flatMap(({ quotations, tags }) => quotations.filter((_, index) => tags[index]?.isThought)),
  );
  const kinds = classifyQuotations(prose, quotations, (quotation) => thoughts.has(quotation));
  return { cast, quotations, kinds, turns, speakers, person, narrator, quoted };
}

function withNarrator(
  prose: ProseText,
  found: readonly Character[],
  quotations: readonly QuotedSpan[],
  isQuoted: (word: number) => boolean,
  person: NarrativePerson,
): { characters: readonly Character[]; narrator: number | null } {
  if (person === "third") return { characters: found, narrator: null };
  const turns = findTurns(prose, castOf(prose, found), quotations);
  const addressed = new Array<number>(found.length).fill(0);
  const tagged = new Array<number>(found.length).fill(0);
  for (const turn of turns) {
    for (const character of turn.addressed) addressed[character]!++;
    for (const tag of turn.tags) if (tag?.subject.kind === "name") tagged[tag.subject.character]!++;
  }
  const narrator = findNarrator(found, isQuoted, addressed, tagged);
  if (narrator !== null) return { characters: found, narrator };
  const unnamed: Character = { name: "Narrator", aliases: ["Narrator", "I"], gender: null, mentions: [] };
  return { characters: [...found, unnamed], narrator: found.length };
}
