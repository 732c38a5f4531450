const PRAISE =
  /\b(?:liked|(?:I|we) (?:really )?like|lov(?:e|ed|ely)|enjoy(?:ed|able)?|admired?|delight(?:s|ed|ful)?|excellent|superb|brilliant|wonderful|great|good|strong|vivid|gripping|engaging|compelling|moving|believable|memorable|beautiful(?:ly)?)\b/gi;
const BLAME =
  /\b(?:dislik(?:e|ed)|hat(?:e|ed)|bor(?:ed|ing)|drags?|dragged|flat|weak|thin|dull|slow|poor(?:ly)?|bad|clumsy|confus(?:ed|ing)|predictable|shallow|stiff|rushed|disappoint(?:ed|ing)|lacks?|fails?|wooden|clich[eé]d?)\b/gi;
const DENIED =
  /\b(?:not?|never|hardly|(?:did|do|does|was|is|are|were|could|would)n[’']t|less|nothing)(?:\s+\p{L}+){0,2}\s*$/iu;

/**
 * Whether a critique in prose is filed as a strength. Its own words decide where they only praise or only blame ("I liked
 * the plot" is no weakness, whatever the score beside it); where they do both or neither, `scoredWell` does.
 */
export function isPraise(critique: string, scoredWell: boolean): boolean {
  let praise = 0;
  let blame = 0;
  for (const [pattern, worth] of [
    [PRAISE, 1],
    [BLAME, -1],
  ] as const) {
    for (const { index } of critique.matchAll(pattern)) {
      if (DENIED.test(critique.slice(Math.max(0, index - 40), index)) === worth > 0) blame++;
      else praise++;
    }
  }
  return praise > 0 === blame > 0 ? scoredWell : praise > 0;
}
