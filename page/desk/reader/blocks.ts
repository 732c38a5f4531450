/** A piece of a chapter that is laid out as one: a paragraph, or part of one that is too long to be drawn at once. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

const longestBlock = 4000;

/** Splits a chapter at blank lines, and what is longer than a screen or two at the end of a line, a sentence, or anywhere. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const separator = /\n[ \t]*\n\s*/g;
  let start = 0;
  for (let match = separator.exec(text); match; match = separator.exec(text)) {
    addBlock(blocks, text, start, match.index);
    start = match.index + match[0].length;
  }
  addBlock(blocks, text, start, text.length);
  return blocks;
}

function addBlock(blocks: Block[], text: string, start: number, end: number): void {
  let from = start;
  while (end - from > longestBlock) {
    const cut = cutBefore(text, from, from + longestBlock);
    blocks.push({ start: from, end: cut });
    from = cut;
  }
  if (text.slice(from, end).trim() !== "") blocks.push({ start: from, end });
}

function cutBefore(text: string, from: number, limit: number): number {
  const piece = text.slice(from, limit);
  const line = piece.lastIndexOf("\n");
  if (line > longestBlock / 2) return from + line + 1;
  const sentence = Math.max(...[". ", "。", "! ", "? ", "！", "？"].map((end) => piece.lastIndexOf(end)));
  if (sentence > longestBlock / 2) return from + sentence + 1;
  // Never between the halves of a character beyond the basic plane.
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}

/** The block that holds a position, or the one before it when the position falls between two. */
export function blockAt(blocks: readonly Block[], position: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (blocks[middle]!.start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
