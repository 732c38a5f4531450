/** Sentences about a file that reports repeat word for word. */
export function undecodableWarning(undecodable: number, encoding: string): string[] {
  if (undecodable === 0) return [];
  const bytes = undecodable === 1 ? "1 byte does" : `${undecodable.toLocaleString("en-GB")} bytes do`;
  return [`${bytes} not decode as ${encoding} and became the replacement character.`];
}
