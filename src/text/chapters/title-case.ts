/** Every long word begins with a capital: "The Old Pyncheon Family". */
export function isTitleCase(text: string): boolean {
  const words = text.replace(/[_*]/g, "").split(/\s+/);
  const long = words.filter((word) => word.length > 3);
  const capitals = long.filter((word) => /^\p{Lu}/u.test(word)).length;
  return /^["“‘'«]?\p{Lu}/u.test(words[0] ?? "") && capitals >= long.length * 0.75;
}
