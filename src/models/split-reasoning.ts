export interface SplitReply {
  readonly answer: string;
  readonly reasoning: string | null;
}

const OPENING = /^\s*<(think|thinking|reasoning)>/i;
const ANY_OPENING = /<(?:think|thinking|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|reasoning)>/i;

/**
 * Local reasoning models put their thinking into the reply, in tags; a draft in it is not a verdict. Some chat templates
 * begin inside the tag, so that only its end is seen; a reply that was cut off may have no end.
 */
export function splitReasoning(text: string): SplitReply {
  const opening = OPENING.exec(text);
  const closing = CLOSING.exec(text);
  if (!closing) return opening ? { answer: "", reasoning: text.slice(opening[0].length).trim() } : whole(text);
  // A pair of tags further on is a quotation: a judge that cites a manuscript's "<think>" has not begun to think again.
  if (!opening && ANY_OPENING.test(text.slice(0, closing.index))) return whole(text);
  const start = opening ? opening[0].length : 0;
  return {
    answer: text.slice(closing.index + closing[0].length).trim(),
    reasoning: text.slice(start, closing.index).trim() || null,
  };
}

function whole(text: string): SplitReply {
  return { answer: text, reasoning: null };
}
