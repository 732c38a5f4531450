import type { CharacterCorrections } from "../../text/corrections/character-corrections.ts";
import type { Character } from "./find-characters.ts";

/**
 * The characters as the writer wants them: split first, then merge, rename and drop, so that a name can be taken from one
 * person and given to another. A correction for a name that the text no longer has changes nothing.
 */
export function correctCharacters(
  characters: readonly Character[],
  { merge, split, rename, drop }: CharacterCorrections,
): Character[] {
  let result = [...characters];
  for (const { name, aliases, as } of split) {
    const from = find(result, name);
    if (from) result = replace(result, [from], divide(from, aliases, as));
  }
  for (const names of merge) {
    const people = [...new Set(names.flatMap((name) => find(result, name) ?? []))];
    if (people.length > 1) result = replace(result, people, [united(people)]);
  }
  for (const { from, to } of rename) {
    const person = find(result, from);
    if (person)
      result = replace(result, [person], [{ ...person, name: to, aliases: [...new Set([...person.aliases, to])] }]);
  }
  for (const name of drop) {
    const person = find(result, name);
    if (person) result = replace(result, [person], []);
  }
  return result.sort((left, right) => right.mentions.length - left.mentions.length);
}

function find(characters: readonly Character[], name: string): Character | undefined {
  return characters.find((each) => each.name === name) ?? characters.find(({ aliases }) => aliases.includes(name));
}

function replace(characters: readonly Character[], old: readonly Character[], now: readonly Character[]): Character[] {
  return [...characters.filter((character) => !old.includes(character)), ...now];
}

/** An alias as mentions are keyed: in lower case, without stops and without "the". */
function keyOf(alias: string): string {
  return alias.toLowerCase().replaceAll(".", "").replaceAll("’", "'").replace(/^the /, "");
}

function divide(character: Character, aliases: readonly string[], as: string): Character[] {
  const keys = new Set(aliases.map(keyOf));
  const taken = character.mentions.filter(({ key }) => keys.has(key));
  if (taken.length === 0) return [character];
  const left = character.aliases.filter((alias) => !keys.has(keyOf(alias)));
  const name = keys.has(keyOf(character.name)) ? (left[0] ?? character.name) : character.name;
  const rest = { ...character, name, aliases: left, mentions: character.mentions.filter(({ key }) => !keys.has(key)) };
  return [
    ...(rest.mentions.length > 0 ? [rest] : []),
    { ...character, name: as, aliases: [...new Set([as, ...aliases])], mentions: taken },
  ];
}

function united(people: readonly Character[]): Character {
  const [first] = people;
  return {
    name: first!.name,
    aliases: [...new Set(people.flatMap(({ aliases }) => aliases))],
    gender: people.map(({ gender }) => gender).find((gender) => gender !== null) ?? null,
    mentions: people.flatMap(({ mentions }) => mentions).sort((left, right) => left.first - right.first),
  };
}
