import { english } from "./english.ts";
import type { HeadingLanguage } from "./heading-language.ts";

/** Every language whose headings are known by their words; Chinese and Japanese have a grammar of their own. */
export const HEADING_LANGUAGES: readonly HeadingLanguage[] = [english];
