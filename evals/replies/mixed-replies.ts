import { type Random, randomInteger, shuffled } from "../../src/core/random.ts";
import { LAYOUTS, type Layout, NAMES } from "./layouts.ts";

const P = "**Plot and Structure:**\nFine.\n";
/** A reply, the score of its plot and of the whole: null where there must be none, undefined where it does not matter. */
export const SINGLE_REPLIES: readonly (readonly [string, number | null | undefined, (number | null | undefined)?])[] = [
  [`${P}**Score:** 85/100 (revised from 80)`, 85],
  [`${P}**Score:** 85\n\n**Overall Score:** 78 (average of 8 aspects: 77.5)`, 85, 78],
  [`${P}**Score:** 85\n\n**Overall Score:** (85 + 80 + 75) / 3 = 80`, 85, undefined],
  [`${P}**Score:** 8.5/10`, 8.5],
  [`${P}**Score:** 85 or 86`, null],
  [`${P}**Score:** 85.333`, 85.333],
  [`${P}**Score:** _85_`, 85],
  [`${P}**Score:** 85⁄100`, 85],
  [`${P}**Rating:** ⭐⭐⭐⭐ 4.2/5`, 4.2],
  [`${P}**Rating:** ⭐️⭐️⭐️⭐️`, 4],
  [`${P}**Rating:** ★★★★½`, 4.5],
  [`${P}**Rating:** ★★★★☆ (4/5)`, 4],
  [`${P}**Rating:** 4 stars`, 4],
  [`${P}**Previous Score:** 80\n**Updated Score:** 85`, 85],
  [`${P}**Previous Score:** 80`, null],
  [`${P}**Score:** 85 (previously 80)`, 85],
  [`${P}**Overall Score:** 3 aspects scored above 80`, undefined, null],
  [`${P}**Score:** 85 for its nerve`, 85],
  [`${P}**Score:** 85 out of a possible 100`, 85],
  [`| Aspect | Weight | Comment |\n|---|---|---|\n| Plot and Structure | 25% | good |`, null],
  [`| Aspect | Weight | Score |\n|---|---|---|\n| Plot and Structure | 25% | 85 |\n| Characters | 25% | 70 |`, 85],
  [`| Aspect | Score | Out of |\n|---|---|---|\n| Plot and Structure | 85 | 100 |`, 85],
  [`${P}**Score:** 85\n\n**Total Score:** 640/800`, 85, null],
  [`情节与结构：\n评价：好。\n评分：85－90\n总分：640/800`, null, null],
  [`**情节与结构（85分）**\n好。\n\n总体评分：８５分`, 85, 85],
  [`一、情节与结构\n评价：第3章很好。\n评分：85/100\n\n结论\n总体评分：80/100`, 85, 80],
  [`情节与结构：★★★★☆\n总评：★★★☆☆`, 4, 3],
  [`**Plot and Structure:** The 3 acts hold. **Score: 85/100**`, 85],
  [`**Plot and Structure** (Score: 85/100): fine`, 85],
  [`### Plot and Structure: Strong but Uneven (82/100)\nFine.`, 82],
  [`### Plot and Structure – 85/100\nFine, 3/5 of it.`, 85],
  [
    `1. **Plot and Structure:**\n   - **Review:** Good.\n   - **Score:** 85\n   - **Guidelines:** Evaluate. Score: 0 to 100.`,
    85,
  ],
  [`1. Plot and Structure: 85/100\n2. Characters: 80/100\nOverall Score: 82/100`, 85, 82],
  [`{"plot": {"previous_score": 80, "updated_score": 85}}`, 85],
  [`{"plot": {"max_score": 100, "score": 85}, "overall": {"score": 70, "max": 100}}`, 85, 70],
  [`{"scores": {"Plot and Structure": "85/100"}, "final_score": 81}`, 85, 81],
  [`{"plot": {"score": 85, "subscores": {"pacing": 10}}, "overall_score": 81}`, 85, 81],
  [`${P}Score: 85\n\nConclusion: it is a book of 400 pages.\nOverall Score: 90`, 85, 90],
  [`${P}Score: 85\n\n**Overall Assessment:** 3 storylines hold.`, 85, null],
  [`${P}Score: 85\n\n**Overall:** A 4 out of 5 experience.`, 85],
  [`${P}Score: around 80-85`, null],
  [`${P}Score: 80~85`, null],
  [`${P}Score: between 80 and 85`, null],
  [`${P}Score: > 80`, null],
  [`${P}Score: less than 50`, null],
  [`${P}Score: 80+`, undefined],
  [`${P}Score: not 85 but 70`, null],
  [`${P}~~Score: 80~~ Score: 85`, undefined],
  [`${P}Score: ~~80~~ 85`, 85],
  [`${P}Score: 1st place`, null],
  [`${P}Score: 2024`, null],
  [`${P}Score: 4.5/5 (90/100)`, 4.5],
  [`${P}Score: 90/100 (4.5/5)`, 90],
  [`${P}- Pacing: 80\n- Twists: 70\n`, null],
  [`${P}Plot Score: 85\nCharacter Score: 70`, 85],
  [`**Plot and Structure:** 4.0\nGood.\n**Characters:** 3.5\nBad.\n**Overall Score:** 3.8`, 4, 3.8],
  [`Plot and Structure:\nGood. (4.0)\n\nCharacters:\nBad (see ch. 4). (3.5)`, 4, null],
  [`Plot and Structure:\nGood, in part (2024).\n\nCharacters:\nBad (1999).`, null, null],
  [`Plot and Structure:\nGood, all 12 (12).\n\nOverall Score: 70`, undefined, 70],
  [
    `### Review:\nPlot and Structure: Good.\nCharacters: Bad.\n### Overall Assessment:\nFine.\n### Score: 4.2`,
    null,
    4.2,
  ],
  [`### Score: 4.2`, null, 4.2],
  [`Score: 4.2\n\nPlot and Structure: good`, null, 4.2],
  [`Overall Score: 78`, null, 78],
  [`The overall score is 78/100.`, null, undefined],
  [`Overall, I would rate this book 4.5 out of 5 stars.`, null, 4.5],
  [`Plot and Structure: 85\nCharacters: 80\n\nOverall Score: 82.5\n\nPlot and Structure: 70`, null, 82.5],
];

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

/**
 * Replies put together part by part: a heading, a critique and a score in any style with a closing in any style. The
 * styles are those in which models answer LongStoryEval's prompts, and the critiques are full of numbers that are no scores.
 */
export function mixReplies(random: Random, count: number, slips: Slips = NO_SLIPS): MadeReply[] {
  return Array.from({ length: count }, () => mixReply(random, slips));
}

/** How often a reply breaks its own style. */
interface Slips {
  /** An aspect is written in another style than the rest. */
  readonly style: number;
  /** An aspect has no score. */
  readonly unscored: number;
  /** An aspect nobody asked for stands among the others, with a score of its own. */
  readonly intruder: number;
  /** An aspect is left out. */
  readonly gap: number;
}

const NO_SLIPS: Slips = { style: 0, unscored: 0, intruder: 0, gap: 0 };
const INTRUDERS = ["Originality", "Marketability", "Cultural Representation", "Cover Design"];

type Pick = <T>(items: readonly T[]) => T;

interface Style<W> {
  readonly name: string;
  readonly write: W;
}

const styles = <W>(written: Readonly<Record<string, W>>): Style<W>[] =>
  Object.entries(written).map(([name, write]) => ({ name, write }));

const HEADINGS = styles<(name: string, index: number) => string>({
  "1. **Name:**": (name, n) => `${n}. **${name}:**`,
  "1. **Name**": (name, n) => `${n}. **${name}**`,
  "1\\. **Name:**": (name, n) => `${n}\\. **${name}:**`,
  "1. Name:": (name, n) => `${n}. ${name}:`,
  "**1. Name:**": (name, n) => `**${n}. ${name}:**`,
  "### 1. Name": (name, n) => `### ${n}. ${name}`,
  "### 1. **Name:**": (name, n) => `### ${n}. **${name}:**`,
  "#### **Name**": (name) => `#### **${name}**`,
  "## Name": (name) => `## ${name}`,
  "**Name**": (name) => `**${name}**`,
  "**Name:**": (name) => `**${name}:**`,
  "***Name***": (name) => `***${name}***`,
  "Name:": (name) => `${name}:`,
  "- **Name:**": (name) => `- **${name}:**`,
  "1) Name": (name, n) => `${n}) ${name}`,
  NAME: (name) => `**${name.toUpperCase()}**`,
  "### Name:": (name) => `### ${name}:`,
});

const SCORES = styles<(score: string, outOf: number) => string>({
  "**Score:** 85": (score) => `**Score:** ${score}`,
  "**Score**: 85": (score) => `**Score**: ${score}`,
  "- **Score:** 85": (score) => `- **Score:** ${score}`,
  "   - **Score:** 85": (score) => `   - **Score:** ${score}`,
  "* **Score:** 85/100": (score, outOf) => `* **Score:** ${score}/${outOf}`,
  "**Score: 85/100**": (score, outOf) => `**Score: ${score}/${outOf}**`,
  "**Score:** **85**": (score) => `**Score:** **${score}**`,
  "*Score: 85*": (score) => `*Score: ${score}*`,
  "Score: 85": (score) => `Score: ${score}`,
  "SCORE: 85": (score) => `SCORE: ${score}`,
  "Score - 85": (score) => `Score - ${score}`,
  "Score = 85": (score) => `Score = ${score}`,
  "- Score: 85 out of 100": (score, outOf) => `- Score: ${score} out of ${outOf}`,
  "**Score:** 85 / 100": (score, outOf) => `**Score:** ${score} / ${outOf}`,
  "**Score (0-100):** 85": (score, outOf) => `**Score (${outOf === 5 ? "1-5" : "0-100"}):** ${score}`,
  "**Score:** 85 (out of 100)": (score, outOf) => `**Score:** ${score} (out of ${outOf})`,
  "**Rating:** 85/100": (score, outOf) => `**Rating:** ${score}/${outOf}`,
  "Score：85": (score) => `Score：${score}`,
  "Score: [85]": (score) => `Score: [${score}]`,
  "**Score:** 85 points": (score) => `**Score:** ${score} points`,
  "**Score:** 85, for its nerve": (score) => `**Score:** ${score}. It earns this by its nerve.`,
  "**Aspect Score:** 85": (score) => `**Aspect Score:** ${score}`,
  "> nothing before": (score) => `\n**Score:**\n${score}`,
});

const CRITIQUES = styles<(say: () => string, pick: Pick) => string>({
  "- **Review:**": (say) => `- **Review:** ${say()}`,
  "   - **Review:**": (say) => `   - **Review:** ${say()}`,
  "**Review:** paragraph": (say) => `**Review:**\n${say()}\n\n${say()}`,
  paragraph: (say) => `${say()} ${say()}`,
  "strengths and weaknesses": (say) => `**Strengths:**\n- ${say()}\n- ${say()}\n\n**Weaknesses:**\n- ${say()}`,
  "strengths and weaknesses inline": (say) => `**Strengths:** ${say()}\n**Weaknesses:** ${say()}`,
  "guidelines repeated": (say) =>
    `- **Guidelines:** Evaluate how pace, twists and conflicts are resolved, from 0 to 100.\n- **Review:** ${say()}`,
  "named points": (say, pick) =>
    `- **${pick(["Pacing", "Twists", "Voice", "Atmosphere", "Relatability"])}:** ${say()}\n- **${pick(["Originality", "Dialogue", "Clarity", "Stakes"])}:** ${say()}`,
  "characters by name": (say) => `- **Thea Fox:** ${say()}\n- **Ray Riggs (antagonist):** ${say()}`,
  "nested points": (say) => `- *Strengths*: ${say()}\n    - ${say()}\n- *Weaknesses*: ${say()}`,
});

const CLOSINGS = styles<(say: () => string, score: string, outOf: number) => string>({
  "**Conclusion:** with items": (say, score) =>
    `**Conclusion:**\n- **Overall Assessment:** ${say()}\n- **Overall Score:** ${score}`,
  "### Conclusion": (say, score) => `### Conclusion\n\n**Overall Assessment:** ${say()}\n\n**Overall Score:** ${score}`,
  "### Conclusion:, out of": (say, score, outOf) =>
    `### Conclusion:\n\n- **Overall Assessment:**\n${say()}\n\n- **Overall Score: ${score}/${outOf}**`,
  "### Overall Score: 85": (say, score) => `### Overall Assessment\n${say()}\n\n### Overall Score: ${score}`,
  "Overall Score: 85": (say, score) => `Conclusion:\n${say()}\nOverall Score: ${score}`,
  "**Overall Score:** **85**": (_say, score) => `---\n\n**Overall Score:** **${score}**`,
  Final: (say, score, outOf) => `**Final Verdict:** ${say()}\n\n**Final Score:** ${score} out of ${outOf}`,
  "numbered conclusion": (say, score) =>
    `9. **Conclusion:**\n   - **Overall Assessment:** ${say()}\n   - **Overall Score:** ${score}`,
  "guidelines repeated": (say, score) =>
    `**Conclusion:**\n- **Overall Assessment:** ${say()}\n- **Overall Score:** ${score}\n- **Guidelines:** Conclude with a summary and a score from 0 to 100.`,
  "overall inline": (say, score, outOf) => `**Overall Assessment:** ${say()} **Overall Score: ${score}/${outOf}**`,
  "Overall Rating": (say, score, outOf) => `## Overall\n${say()}\n\n**Overall Rating:** ${score}/${outOf}`,
  none: () => "",
});

const OPENINGS = [
  "",
  "",
  "### Evaluation Criteria:\n\n",
  "**Evaluation of *Mind the Tide* (2024)**\n\n",
  "Here is my evaluation of the story, on a scale from 0 to 100:\n\n",
  "# Evaluation: The Salt Ledger, Volume 2\n\n---\n\n",
  "Sure! Below is a detailed review. Scores run from 0 (poorest) to 100 (best).\n\n",
  "**Title:** The 13th Bell\n**Genres:** Mystery, Romance\n\n",
];
const ENDINGS = [
  "",
  "",
  "\n\nLet me know if you would like me to go deeper into any of the 8 aspects!",
  "\n\n---\n\n*Note: scores reflect the summary and excerpts only.*",
  "\n\nI hope this helps.",
];

/** Sentences with numbers and labels that are no scores. */
const TRAPS = [
  "The opening holds its nerve and lets the town speak before anyone explains it.",
  "By chapter 12 the two timelines have stopped answering each other (see chapters 14–16).",
  "Set in 1984, it keeps 3 of the 5 letters unread until the last 50 pages.",
  'One line, "Score: 100, said the clerk", is funny once and tired the second time.',
  "Readers who rate suspense highly will find the middle slow; 9 out of 10 will stay.",
  "Compared with the first book (published in 2019), the stakes are lower.",
  "The plot: a girl of 12, a murder, and a house with 40 rooms.",
  "Overall, the shape is sound: 20 short chapters, then a long one.",
  "It scores its best effects by leaving things out, and a rating of danger hangs over every scene.",
  "However, Thea's game design career takes a back seat to the central romance (a pity).",
  "The ending — abrupt, almost careless — leaves the ledger unburnt.",
  "The theme of grief, the characters' silence and the prose all pull one way.",
  "A 5-star opening gives way to a 2-star middle, as one might say, and back.",
  "World-building: thin but sufficient, since the sea does most of the work.",
];

function mixReply(random: Random, slips: Slips): MadeReply {
  const pick: Pick = (items) => items[randomInteger(random, items.length)]!;
  const outOf = pick([100, 100, 5]);
  const draw = () => (outOf === 5 ? 1 + randomInteger(random, 41) / 10 : 40 + randomInteger(random, 121) / 2);
  const written = (score: number) => (outOf === 5 ? score.toFixed(1) : String(score));
  const say = () =>
    shuffled(TRAPS, random)
      .slice(0, 1 + randomInteger(random, 3))
      .join(" ");
  const [heading, critique, score, closing] = [pick(HEADINGS), pick(CRITIQUES), pick(SCORES), pick(CLOSINGS)];
  const scoreFirst = randomInteger(random, 5) === 0;
  const gap = pick(["\n", "\n\n"]);
  const ids = Object.keys(NAMES).filter(() => random() >= slips.gap);
  const scores = new Map<string, number | null>(ids.map((id) => [id, random() < slips.unscored ? null : draw()]));
  const overall = draw();
  const block = (name: string, index: number, given: number | null) => {
    const other = random() < slips.style;
    const [ownHeading, ownCritique, ownScore] = other
      ? [pick(HEADINGS), pick(CRITIQUES), pick(SCORES)]
      : [heading, critique, score];
    const said = ownCritique.write(say, pick);
    const marked = given === null ? [] : [ownScore.write(written(given), outOf)];
    return [ownHeading.write(name, index), ...(scoreFirst ? [...marked, said] : [said, ...marked])].join(gap);
  };
  const aspects = ids.flatMap((id, index) => [
    block(NAMES[id]!, index + 1, scores.get(id)!),
    ...(random() < slips.intruder ? [block(pick(INTRUDERS), index + 2, draw())] : []),
  ]);
  const text = `${pick(OPENINGS)}${aspects.join("\n\n")}\n\n${closing.write(say, written(overall), outOf)}${pick(ENDINGS)}`;
  return {
    layout: [heading.name, critique.name, score.name, closing.name, scoreFirst ? "score first" : "score last"].join(
      " | ",
    ),
    form: "sloppy",
    text,
    aspects: Object.fromEntries(scores),
    overall: closing.name === "none" ? null : overall,
  };
}
