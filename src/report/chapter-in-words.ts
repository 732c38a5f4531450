/** A title that numbers itself ("Chapter 4: The Scale", "第四回") is not numbered a second time. */
export function chapterInWords(index: number, title: string | null | undefined): string {
  if (!title) return `chapter ${index}`;
  return /^(chapter|book|part|letter|canto|stave|第)/i.test(title) ? title : `chapter ${index}, ${title}`;
}
