/** How many colours `--judge-0` and so on there are in `tokens.css`. */
const COLOURS = 8;

export type MarkShape = "circle" | "square" | "triangle" | "diamond";

/** A judge's sign in every view: a colour and a shape, always beside its name. */
export interface JudgeMark {
  readonly colour: number;
  readonly shape: MarkShape;
}

/** Those that ship have a sign of their own in every library; models begin after them, so that few share a colour. */
const EMBEDDED = ["crowd", "editor", "grader", "jury"];
const SHAPES = ["circle", "square", "triangle"] as const;

/**
 * The sign of a judge. `known` are the judges of the library in the order in which they first appeared: a judge keeps its sign
 * when others join, and the first 24 models have signs that differ. A judge that is not among them is placed by its name.
 */
export function markOf(judge: string, known: readonly string[]): JudgeMark {
  const embedded = EMBEDDED.indexOf(judge);
  if (embedded >= 0) return { colour: embedded, shape: "diamond" };
  const models = known.filter((name) => !EMBEDDED.includes(name));
  const place = models.indexOf(judge);
  const at = place >= 0 ? place : hashOf(judge);
  return { colour: (EMBEDDED.length + at) % COLOURS, shape: SHAPES[Math.floor(at / COLOURS) % SHAPES.length]! };
}

function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003;
  return hash;
}
