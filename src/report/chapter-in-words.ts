import { parseArabic, parseRoman } from "../text/chapters/numbers/numbers.ts";

/** A title that numbers itself ("Chapter 4: The Scale", "IV. The Scale", "第四回") is not numbered a second time. */
export function chapterInWords(index: number, title: string | null | undefined, language: "en" | "zh" = "en"): string {
  const number = language === "zh" ? `第 ${index} 章` : `chapter ${index}`;
  if (!title) return number;
  if (/^(chapter|book|part|letter|canto|stave|第)/i.test(title)) return title;
  const rest = withoutNumber(title, index);
  if (rest === "") return number;
  return language === "zh" ? `${number}《${rest}》` : `${number}, ${rest}`;
}

/** "The Scale" of "IV. The Scale", where four is what we count too. */
function withoutNumber(title: string, index: number): string {
  const [, numeral = "", rest = ""] = /^([ivxlcdm]+|\d+)(?:$|[.:]\s*)(.*)$/iu.exec(title) ?? [];
  return (parseRoman(numeral) ?? parseArabic(numeral)) === index ? rest : title;
}
