import type { Flags } from "./flag.ts";

/** What the commands that have a model stand in for a reader share. */
export const READER_FLAGS = {
  as: { type: "string", value: "PROFILE", help: "the reader: a profile's name, or a profile in a .json file" },
  "stars-only": { type: "boolean", help: "show the earlier scores without the words of the reviews" },
  temperature: { type: "number", default: 0.8, minimum: 0, maximum: 2, value: "T", help: "the model's temperature" },
} as const satisfies Flags;

/** How many earlier reviews of the reader the model is shown. */
export const historyFlag = (usual: number) =>
  ({
    type: "number",
    default: usual,
    integer: true,
    minimum: 0,
    maximum: 100,
    value: "N",
    help: "how many earlier reviews a model is shown, from 0",
  }) as const satisfies Flags[string];

/** On which scale the ratings of a file of pairs are. */
export const RATINGS_SCALE_FLAG = {
  type: "number",
  integer: true,
  minimum: 2,
  maximum: 100,
  value: "N",
  help: "with --in: the highest rating on the file's scale, for averages too [5 stars; higher ratings are refused]",
} as const satisfies Flags[string];
