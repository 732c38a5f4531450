import { english } from "./english.ts";
import { french, german, italian, portuguese, russian, spanish } from "./european.ts";
import type { HeadingLanguage } from "./heading-language.ts";
import { others } from "./others.ts";

/** Every language whose headings are known by their words; Chinese and Japanese have a grammar of their own. */
export const HEADING_LANGUAGES: readonly HeadingLanguage[] = [
  ...[english, french, german, spanish, portuguese, italian, russian],
  ...others,
];
