import { isEmbedded, judgesNamed } from "./embedded-judge.ts";
import type { FlagWord } from "./flag.ts";

/** The words and flags of a command line. */
export interface GivenArguments {
  readonly operands: readonly string[];
  isGiven(flag: string): boolean;
  /** The value of a flag, its default included. */
  value(flag: string): FlagWord;
}

/** When a flag has no effect. */
export type Condition = (given: GivenArguments) => boolean;

export const embedded: Condition = ({ value }) => judgesNamed(value).every(isEmbedded);
export const languageModel: Condition = (given) => !embedded(given);
export const without =
  (flag: string): Condition =>
  ({ isGiven }) =>
    !isGiven(flag);
export const beside =
  (flag: string): Condition =>
  ({ isGiven }) =>
    isGiven(flag);
export const all =
  (...conditions: readonly Condition[]): Condition =>
  (given) =>
    conditions.every((condition) => condition(given));
export const several: Condition = ({ operands }) => operands.length > 1;
export const notWholeBooks: Condition = ({ isGiven }) => isGiven("in") || isGiven("outline");
export const always: Condition = () => true;
