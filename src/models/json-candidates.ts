const RESTARTS = 64;
/** No verdict is nested deeper; what is, is an attack or noise. */
const DEEPEST = 100;

export interface JsonCandidates {
  /** Every outermost balanced `{…}` or `[…]`, in the order written. */
  readonly found: readonly string[];
  /** Something was opened and never closed: the reply broke off inside it. */
  readonly unfinished: boolean;
}

/**
 * The pieces of a reply that could be JSON, ignoring the prose or fences around them. A piece that was never closed is
 * no candidate: closing it by guesswork would turn a cut-off 85 into an 8.
 */
export function jsonCandidates(text: string): JsonCandidates {
  const found: string[] = [];
  let unfinished = false;
  let from = 0;
  for (let restart = 0; restart < RESTARTS; restart++) {
    const scan = scanBalanced(text, from);
    found.push(...scan.found);
    if (scan.unclosed === null) return { found, unfinished };
    unfinished = true;
    from = scan.unclosed + 1;
  }
  return { found, unfinished };
}

/** One pass. Quotation marks count only inside a bracket, so that speech in the prose around it does not confuse the scan. */
function scanBalanced(text: string, from: number): { found: string[]; unclosed: number | null } {
  const found: string[] = [];
  const open: { at: number; closes: string }[] = [];
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === "{" || character === "[") {
      open.push({ at, closes: character === "{" ? "}" : "]" });
      if (open.length > DEEPEST) return { found, unclosed: open[0]!.at };
    } else if (open.length === 0) continue;
    else if (character === '"') inString = true;
    else if (character === "}" || character === "]") {
      const innermost = open.pop()!;
      if (innermost.closes !== character) return { found, unclosed: (open[0] ?? innermost).at };
      if (open.length === 0) found.push(text.slice(innermost.at, at + 1));
    }
  }
  return { found, unclosed: open[0]?.at ?? null };
}
