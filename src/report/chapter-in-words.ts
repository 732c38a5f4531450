/** A title that numbers itself ("Chapter 4: The Scale", "第四回") is not numbered a second time. */
export function chapterInWords(index: number, title: string | null | undefined, language: "en" | "zh" = "en"): string {
  const number = language === "zh" ? `第 ${index} 章` : `chapter ${index}`;
  if (!title) return number;
  if (/^(chapter|book|part|letter|canto|stave|第)/i.test(title)) return title;
  return language === "zh" ? `${number}《${title}》` : `${number}, ${title}`;
}
