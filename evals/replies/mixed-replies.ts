import { type Random, randomInteger, shuffled } from "../../src/core/random.ts";
import { NAMES } from "./layout-names.ts";
import type { MadeReply } from "./made-replies.ts";

/**
 * Replies put together part by part: a heading, a critique and a score of any manner with a closing of any manner. The
 * manners are those in which models answer LongStoryEval's prompts, and the critiques are full of numbers that are no scores.
 */
export function mixReplies(random: Random, count: number, slips: Slips = NO_SLIPS): MadeReply[] {
  return Array.from({ length: count }, () => mixReply(random, slips));
}

/** How often a reply breaks its own manner. */
export interface Slips {
  /** An aspect is written in another manner than the rest. */
  readonly manner: number;
  /** An aspect has no score. */
  readonly unscored: number;
  /** An aspect nobody asked for stands among the others, with a score of its own. */
  readonly intruder: number;
  /** An aspect is left out. */
  readonly gap: number;
}

const NO_SLIPS: Slips = { manner: 0, unscored: 0, intruder: 0, gap: 0 };
const INTRUDERS = ["Originality", "Marketability", "Cultural Representation", "Cover Design"];

type Pick = <T>(items: readonly T[]) => T;

interface Manner<W> {
  readonly name: string;
  readonly write: W;
}

const manners = <W>(written: Readonly<Record<string, W>>): Manner<W>[] =>
  Object.entries(written).map(([name, write]) => ({ name, write }));

const HEADINGS = manners<(name: string, index: number) => string>({
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

const SCORES = manners<(score: string, outOf: number) => string>({
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

const CRITIQUES = manners<(say: () => string, pick: Pick) => string>({
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

const CLOSINGS = manners<(say: () => string, score: string, outOf: number) => string>({
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
    const other = random() < slips.manner;
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
