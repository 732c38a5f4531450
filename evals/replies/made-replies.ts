import { type Random, randomInteger, shuffled } from "../../src/core/random.ts";
import { LAYOUTS, type Layout } from "./layouts.ts";

/** A reply made by a layout, with the scores that a careful person would read in it. */
export interface MadeReply {
  readonly layout: string;
  readonly form: Layout["form"];
  readonly text: string;
  readonly aspects: Readonly<Record<string, number | null>>;
  readonly overall: number | null;
}

const SENTENCES = [
  "The opening holds its nerve and lets the town speak before anyone explains it.",
  "By chapter 12 the two timelines have stopped answering each other.",
  "In 1984 the narrative jumps forward, and 3 of the 5 letters go unread.",
  "However, some subplots feel underdeveloped and take a back seat to the romance.",
  'One line, "Score: 100, said the clerk", is funny once and tired the second time.',
  "Readers who rate suspense highly will find the middle slow.",
  "The prose is plain (and sometimes too plain) but never false.",
  "Ines: she is the best thing in the book, and the book knows it.",
  "Overall the shape is sound: 20 short chapters, then a long one.",
  "The ending — abrupt, almost careless — leaves the ledger unburnt.",
  "It scores its best effects by leaving things out.",
  "A rating of danger hangs over every scene at sea.",
];

/** A corpus of replies: every layout with several random contents. The seed is the caller's, so that a failure repeats. */
export function makeReplies(random: Random, perLayout: number): MadeReply[] {
  return LAYOUTS.flatMap((layout) => Array.from({ length: perLayout }, () => makeReply(layout, random)));
}

function makeReply(layout: Layout, random: Random): MadeReply {
  const all = ["plot", "characters", "writing", "world", "themes", "emotion", "enjoyment", "expectation"];
  const ids = layout.partial ? shuffled(all, random).slice(0, 2 + randomInteger(random, 3)) : all;
  const draw = () =>
    layout.scale === 5
      ? 1 + randomInteger(random, 41) / 10
      : randomInteger(random, 4) === 0
        ? 72.5
        : 40 + randomInteger(random, 60);
  const scores = new Map(ids.map((id) => [id, draw()]));
  const overall = draw();
  const critique = () =>
    shuffled(SENTENCES, random)
      .slice(0, 1 + randomInteger(random, 4))
      .join(" ");
  const text = layout.write({ random, ids, score: (id) => scores.get(id)!, overall, critique });
  const expected = ids.map((id) => [id, layout.scoresAspects ? scores.get(id)! : null] as const);
  return {
    layout: layout.name,
    form: layout.form,
    text,
    aspects: Object.fromEntries(expected),
    overall: layout.scoresOverall ? overall : null,
  };
}
