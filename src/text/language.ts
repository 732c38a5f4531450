import { createRequire } from "node:module";

/**
 * The ISO 639-1 code of the language a text is in, or null if it cannot be determined. It is judged by passages spread over its
 * length, so that a preface, a motto or a page of Latin does not decide.
 *
 * @example
 * ```ts
 * detectLanguage("It was the best of times, it was the worst of times, it was the age of wisdom."); // "en"
 * detectLanguage("Oh!"); // null: too short to tell
 * ```
 */
export function detectLanguage(text: string): string | null {
  const sample = sampleOf(text);
  if (sample.length < MINIMUM_LETTERS) return null;
  if (isPlainlyEnglish(sample)) return "en";
  const [best] = franc().francAll(sample, { minLength: MINIMUM_LETTERS });
  const language = (best && ISO_639_1[best[0]]) ?? null;
  if (language === "ja" && !isJapanese(sample)) return "zh";
  return language !== null && WITHOUT_YERU.has(language) && /[ыэ]/i.test(sample) ? "ru" : language;
}

/** Loaded with the first text that is not plainly English: its tables of all languages take time to read. */
function franc(): typeof import("franc-min") {
  return createRequire(import.meta.url)("franc-min");
}

/** Cyrillic languages that have neither ы nor э; short texts in Russian may be mistaken for them. */
const WITHOUT_YERU = new Set(["sr", "bg", "uk"]);

/** Most books are English, and these words show it a hundred times faster than a comparison with eighty languages. */
const ENGLISH_WORDS = /\b(?:the|and|of|to|was|that|his|her|with|had|for|said)\b/g;
const LONG_SAMPLE = 1000;
/** Of a hundred characters of English three or four begin such a word; in other languages hardly any does. */
const LEAST_ENGLISH = 0.025;

function isPlainlyEnglish(sample: string): boolean {
  return sample.length >= LONG_SAMPLE && (sample.match(ENGLISH_WORDS)?.length ?? 0) > sample.length * LEAST_ENGLISH;
}

/** About half of Japanese prose is kana; a few in a Chinese file, due to an encoding error, do not make it Japanese. */
const LEAST_KANA = 0.1;

function isJapanese(sample: string): boolean {
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  return count(/[\u3040-\u30ff]/g) >= LEAST_KANA * count(/\p{Script=Han}/gu);
}

/** With fewer letters than this, any answer is a guess. */
const MINIMUM_LETTERS = 24;
/** franc reads the first 2,048 characters, so the passages together are about that long. */
const PASSAGES = 8;
const PASSAGE_LENGTH = 256;

function sampleOf(text: string): string {
  if (text.length <= PASSAGES * PASSAGE_LENGTH) return text.trim();
  const step = (text.length - PASSAGE_LENGTH) / (PASSAGES - 1);
  const passages: string[] = [];
  for (let passage = 0; passage < PASSAGES; passage++) {
    const start = Math.floor(passage * step);
    passages.push(text.slice(start, start + PASSAGE_LENGTH));
  }
  return passages.join(" ");
}

/** The languages of `franc-min` that have a two-letter code; a dialect or macrolanguage goes by the language it is written in. */
const ISO_639_1: Readonly<Record<string, string>> = {
  ...{ cmn: "zh", spa: "es", eng: "en", rus: "ru", arb: "ar", ben: "bn", hin: "hi", por: "pt", ind: "id", jpn: "ja" },
  ...{ fra: "fr", deu: "de", jav: "jv", kor: "ko", tel: "te", vie: "vi", mar: "mr", ita: "it", tam: "ta", tur: "tr" },
  ...{ urd: "ur", guj: "gu", pol: "pl", ukr: "uk", kan: "kn", mal: "ml", pes: "fa", hau: "ha", mya: "my", swh: "sw" },
  ...{ sun: "su", ron: "ro", pan: "pa", amh: "am", yor: "yo", nld: "nl", hun: "hu", sin: "si", tgl: "tl", zlm: "ms" },
  ...{ ces: "cs", ell: "el", swe: "sv", fin: "fi", dan: "da", nob: "no", nno: "no", bul: "bg", srp: "sr", hrv: "hr" },
  ...{ bos: "bs", slk: "sk", cat: "ca", heb: "he", tha: "th", khm: "km", npi: "ne", ibo: "ig", zul: "zu", som: "so" },
  ...{ uzn: "uz", azj: "az", kaz: "kk", bel: "be", lit: "lt", lav: "lv", est: "et", slv: "sl", kmr: "ku", mlg: "mg" },
  ...{ plt: "mg", nya: "ny", kin: "rw", run: "rn", sna: "sn", lin: "ln", xho: "xh", afr: "af", gax: "om", tir: "ti" },
  ...{ aka: "ak", ewe: "ee", wol: "wo", ful: "ff", fuv: "ff", bam: "bm", que: "qu", quy: "qu", hat: "ht", uig: "ug" },
  ...{ hye: "hy", kat: "ka", epo: "eo", lat: "la", isl: "is", gle: "ga", cym: "cy", eus: "eu", glg: "gl", sqi: "sq" },
};
