/** A text whose words are parted by NULs was written by a faulty program; what it lost cannot be known. */
export function nulWarning(nuls: number | undefined): string[] {
  if (!nuls) return [];
  return [
    `The file holds ${nuls.toLocaleString("en-GB")} NUL bytes between its words, read as line ends: check the text.`,
  ];
}

/** Sentences about a file that reports repeat word for word. */
export function undecodableWarning(undecodable: number, encoding: string): string[] {
  if (undecodable === 0) return [];
  const bytes = undecodable === 1 ? "1 byte does" : `${undecodable.toLocaleString("en-GB")} bytes do`;
  return [`${bytes} not decode as ${encoding} and became the replacement character.`];
}
