import { sumBy } from "../../stats/distribution.ts";
import { countWords } from "../../text/words.ts";
import { readProse } from "../prose-text.ts";
import { type Dialogue, type NarrativePerson, readDialogue } from "../speakers/read-dialogue.ts";

/**
 * The part of the map that can be checked against human annotations; offsets count from the start of the given text.
 */
export interface TextMap {
  readonly person: NarrativePerson;
  readonly dialogue: {
    /** The share of words in quotation marks that are spoken or thought. */
    readonly share: number;
    readonly quotes: readonly { readonly start: number; readonly end: number; readonly speaker: string | null }[];
  };
  readonly characters: readonly {
    readonly name: string;
    readonly aliases: readonly string[];
    readonly mentions: number;
  }[];
}

export function mapText(text: string): TextMap {
  const dialogue = readDialogue(readProse(text));
  const quotes = spokenQuotations(dialogue).map((index) => {
    const { start, end } = dialogue.quotations[index]!;
    const speaker = dialogue.speakers[index] ?? null;
    return { start, end, speaker: speaker === null ? null : dialogue.cast.characters[speaker]!.name };
  });
  const words = countWords(text);
  const spoken = sumBy(quotes, ({ start, end }) => countWords(text, start, end));
  return {
    person: dialogue.person,
    dialogue: { share: words === 0 ? 0 : spoken / words, quotes },
    characters: dialogue.cast.characters.map(({ name, aliases, mentions }) => ({
      name,
      aliases,
      mentions: mentions.length,
    })),
  };
}

/** Indices of the quotations that are said or thought; letters, summaries and quoted words are left out. */
export function spokenQuotations({ kinds }: Dialogue): number[] {
  return kinds.flatMap((kind, index) => (kind === "speech" || kind === "thought" ? [index] : []));
}
