/** One way of marking speech. `pattern` has an opening in group 1 or a closing in group 2; where both look alike, neither. */
export interface QuotationMarks {
  readonly id: "curly" | "straight" | "single-curly" | "single-straight" | "guillemets" | "corner";
  readonly open: string;
  readonly close: string;
}

const STYLES: readonly QuotationMarks[] = [
  { id: "curly", open: "“", close: "”" },
  { id: "straight", open: '"', close: '"' },
  { id: "single-curly", open: "‘", close: "’" },
  { id: "single-straight", open: "'", close: "'" },
  { id: "guillemets", open: "«", close: "»" },
  { id: "corner", open: "「", close: "」" },
];

/** How often each kind of mark closes a speech: after a stop or a comma, so that apostrophes do not count. */
export function countQuotationMarks(text: string): Map<QuotationMarks, number> {
  return new Map(STYLES.map((style) => [style, occurrences(text, closing(style.close))]));
}

/**
 * The marks this text sets speech in: those that close most often. Where a text has both, single marks inside double ones
 * are quotations within speech, and double inside single ones too, so the commoner kind is the outer one.
 */
export function mainQuotationMarks(text: string): QuotationMarks | null {
  let best: QuotationMarks | null = null;
  let most = 0;
  for (const [style, count] of countQuotationMarks(text)) {
    if (count > most) {
      best = style;
      most = count;
    }
  }
  return best;
}

function closing(mark: string): RegExp {
  return new RegExp(`[.,!?…—。，！？-]${mark}(?=[\\s\\p{P}]|$|\\p{Script=Han})`, "gu");
}

function occurrences(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count++;
  return count;
}
