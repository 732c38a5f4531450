import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import type { HeadingLanguage } from "./heading-language.ts";
import { italian } from "./italian.ts";
import { others } from "./others.ts";
import { portuguese } from "./portuguese.ts";
import { russian } from "./russian.ts";
import { spanish } from "./spanish.ts";

/** Every language whose headings are known by their words; Chinese and Japanese have a grammar of their own. */
export const HEADING_LANGUAGES: readonly HeadingLanguage[] = [
  ...[english, french, german, spanish, portuguese, italian, russian],
  ...others,
];
