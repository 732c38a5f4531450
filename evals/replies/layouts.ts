import type { Random } from "../../src/core/random.ts";

/** How models name the aspects in their replies. */
export const NAMES: Readonly<Record<string, string>> = {
  plot: "Plot and Structure",
  characters: "Characters",
  writing: "Writing and Language",
  world: "World-Building and Setting",
  themes: "Themes",
  emotion: "Emotional Impact",
  enjoyment: "Enjoyment and Engagement",
  expectation: "Expectation Fulfillment",
};
const AMPERSANDS: Readonly<Record<string, string>> = {
  ...NAMES,
  plot: "Plot & Structure",
  writing: "Writing & Language",
  world: "Worldbuilding & Setting",
  enjoyment: "Overall Enjoyment & Engagement",
};
const SHORT: Readonly<Record<string, string>> = {
  plot: "PLOT",
  characters: "CHA",
  writing: "WRI",
  world: "WOR",
  themes: "THE",
  emotion: "EMO",
  enjoyment: "ENJ",
  expectation: "EXP",
};
const CHINESE: Readonly<Record<string, string>> = {
  plot: "情节与结构",
  characters: "人物塑造",
  writing: "写作与语言",
  world: "世界观与设定",
  themes: "主题",
  emotion: "情感影响",
  enjoyment: "阅读乐趣与投入",
  expectation: "期望满足",
};

/** What a made reply says, whatever it looks like. */
interface Content {
  readonly random: Random;
  /** Aspect ids in the order of the reply. */
  readonly ids: readonly string[];
  score(id: string): number;
  readonly overall: number;
  critique(): string;
}

/** One way in which a model sets out its reply. */
export interface Layout {
  readonly name: string;
  readonly form: "well-formed" | "sloppy";
  readonly scale: 5 | 100;
  readonly scoresAspects: boolean;
  readonly scoresOverall: boolean;
  /** Judges a few aspects only, as training samples and partial requests do. */
  readonly partial?: boolean;
  write(content: Content): string;
}

const hundred = { scale: 100, scoresAspects: true, scoresOverall: true } as const;
const five = { scale: 5, scoresAspects: true, scoresOverall: true } as const;

function each({ ids }: Content, write: (id: string, index: number) => string, join = "\n\n"): string {
  return ids.map((id, index) => write(id, index + 1)).join(join);
}

function json(c: Content): Record<string, unknown> {
  return {
    aspects: Object.fromEntries(
      c.ids.map((id) => [id, { strengths: [c.critique()], weaknesses: [], score: c.score(id) }]),
    ),
    assessment: c.critique(),
    overall: c.overall,
  };
}

export const LAYOUTS: readonly Layout[] = [
  {
    name: "numbered criteria with bold review and score",
    form: "well-formed",
    ...hundred,
    write: (c) =>
      `### Evaluation Criteria:\n\n${each(c, (id, n) => `${n}. **${NAMES[id]}:**\n   - **Review:** ${c.critique()}\n   - **Score:** ${c.score(id)}`)}\n\n**Conclusion:**\n- **Overall Assessment:** ${c.critique()}\n- **Overall Score:** ${c.overall}`,
  },
  {
    name: "headings with strengths and weaknesses",
    form: "well-formed",
    ...hundred,
    write: (c) =>
      `${each(c, (id, n) => `### ${n}. ${AMPERSANDS[id]}\n\n**Strengths:**\n- ${c.critique()}\n- ${c.critique()}\n\n**Weaknesses:**\n- ${c.critique()}\n\n**Score:** ${c.score(id)}/100`)}\n\n### Conclusion\n\n**Overall Assessment:** ${c.critique()}\n\n**Overall Score:** ${c.overall}/100`,
  },
  {
    name: "review, overall assessment and one score",
    form: "well-formed",
    scale: 5,
    scoresAspects: false,
    scoresOverall: true,
    partial: true,
    write: (c) =>
      `### Review:\n${each(c, (id) => `${NAMES[id]}: ${c.critique()}`, "\n")}\n\n### Overall Assessment:\n${c.critique()}\n\n### Score: ${c.overall.toFixed(1)}`,
  },
  {
    name: "review with names on lines of their own and one score below",
    form: "well-formed",
    scale: 5,
    scoresAspects: false,
    scoresOverall: true,
    partial: true,
    write: (c) =>
      `### Review:\n${each(c, (id) => `- ${NAMES[id]}:\n- ${c.critique()}\n- ${c.critique()}`, "\n")}\n### Overall Assessment:\n${c.critique()}\n### Score:\n${c.overall.toFixed(1)}`,
  },
  {
    name: "critiques that end with the score in brackets",
    form: "well-formed",
    ...five,
    scoresOverall: false,
    write: (c) => each(c, (id) => `${NAMES[id]}:\n${c.critique()} (${c.score(id).toFixed(1)})`),
  },
  {
    name: "characters listed as items, score in brackets after the last",
    form: "well-formed",
    ...five,
    scoresOverall: false,
    write: (c) =>
      each(
        c,
        (id) =>
          `**${NAMES[id]}:**\n- Thea Fox: ${c.critique()}\n- Ray Riggs: ${c.critique()} (${c.score(id).toFixed(1)})`,
      ),
  },
  {
    name: "names with abbreviations, inline score",
    form: "well-formed",
    ...five,
    write: (c) =>
      `${each(c, (id) => `**${NAMES[id]} (${SHORT[id]}):** ${c.critique()} Score: ${c.score(id)}`)}\n\n**Overall Assessment:** ${c.critique()}\n\n**Overall Score:** ${c.overall}`,
  },
  { name: "schema reply", form: "well-formed", ...hundred, write: (c) => JSON.stringify(json(c)) },
  {
    name: "JSON in a fence",
    form: "well-formed",
    ...hundred,
    write: (c) => `\`\`\`json\n${JSON.stringify(json(c), null, 2)}\n\`\`\``,
  },
  {
    name: "JSON by display names",
    form: "well-formed",
    ...hundred,
    write: (c) =>
      JSON.stringify({
        ...Object.fromEntries(c.ids.map((id) => [NAMES[id]!, { Review: c.critique(), Score: c.score(id) }])),
        Conclusion: { "Overall Assessment": c.critique(), "Overall Score": c.overall },
      }),
  },
  {
    name: "Chinese with full-width punctuation",
    form: "well-formed",
    ...hundred,
    write: (c) =>
      `${each(c, (id, n) => `${n}. **${CHINESE[id]}：**\n- **评价：** 开篇沉着，第12章之后两条线索不再呼应。\n- **评分：** ${c.score(id)}`)}\n\n**结论：**\n- **总体评价：** 结构稳妥，共20章。\n- **总体评分：** ${c.overall}`,
  },
  {
    name: "no bold, out of five",
    form: "sloppy",
    ...five,
    write: (c) =>
      `${each(c, (id, n) => `${n}. ${NAMES[id]}\nReview: ${c.critique()}\nScore: ${c.score(id)}/5`)}\n\nConclusion\nOverall Assessment: ${c.critique()}\nOverall Score: ${c.overall}/5`,
  },
  {
    name: "score in the heading",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `## ${AMPERSANDS[id]} (${c.score(id)}/100)\n${c.critique()}`)}\n\n## Overall: ${c.overall}/100\n${c.critique()}`,
  },
  {
    name: "score after the name",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `${NAMES[id]}: ${c.score(id)} - ${c.critique()}`)}\n\nOverall: ${c.overall}. ${c.critique()}`,
  },
  {
    name: "table",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `| Aspect | Score | Comment |\n|---|---|---|\n${each(c, (id) => `| ${NAMES[id]} | ${c.score(id)} | ${c.critique().replaceAll("|", "")} |`, "\n")}\n| **Overall** | **${c.overall}** | ${c.critique()} |`,
  },
  {
    name: "scores on one line after the review",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `**${NAMES[id]}**\n${c.critique()}`)}\n\nScores: ${each(c, (id) => `${NAMES[id]}: ${c.score(id)}`, ", ")}\nOverall: ${c.overall}`,
  },
  {
    name: "JSON in prose with slips",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `Here is my evaluation of the story:\n\n${JSON.stringify(json(c), null, 2).replace(/\n\}$/, ",\n}")}\n\nI hope this helps!`,
  },
  {
    name: "JSON list with scores as text",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      JSON.stringify({
        evaluations: c.ids.map((id) => ({ aspect: AMPERSANDS[id], review: c.critique(), score: `${c.score(id)}/100` })),
        overall_score: `${c.overall}`,
      }),
  },
  {
    name: "Chinese out of five, points in words",
    form: "sloppy",
    ...five,
    write: (c) =>
      `${each(c, (id) => `【${CHINESE[id]}】\n人物鲜明，但结尾仓促。\n得分：${c.score(id)}分（满分5分）`)}\n\n综合评分：${c.overall}／5`,
  },
  {
    name: "Chinese inline",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `${CHINESE[id]}：${c.score(id)}分。开篇沉着，结尾仓促。`, "\n")}\n总分：${c.overall}分`,
  },
  {
    name: "score alone below its label",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `**${NAMES[id]}**\n\n${c.critique()}\n\n**Score**\n\n${c.score(id)}`)}\n\n**Overall Score**\n\n${c.overall}`,
  },
  {
    name: "thinking aloud, then the answer",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `<think>\nPlot and Structure: maybe Score: 10? Overall Score: 20\n</think>\n${each(c, (id) => `- ${NAMES[id]}: ${c.critique()}\n  - Score: ${c.score(id)} out of 100`)}\n\nFinal Verdict: ${c.critique()}\nFinal Score: ${c.overall} out of 100`,
  },
  {
    name: "prompt repeated before the answer",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `Assign a score for each aspect on a continuous scale from 0 to 100.\n1. Plot and Structure:\n- Review:\n- Score: X\n- Guidelines: Evaluate pace and twists.\nConclusion:\n- Overall Score: X\n\n${each(c, (id, n) => `${n}. ${NAMES[id]}:\n- Review: ${c.critique()}\n- Score (0-100): ${c.score(id)}`)}\n\nConclusion:\n- Overall Assessment: ${c.critique()}\n- Overall Score (0-100): ${c.overall}`,
  },
  {
    name: "HTML paragraphs",
    form: "sloppy",
    ...five,
    scoresOverall: false,
    write: (c) => each(c, (id) => `<p><b>${NAMES[id]}:</b></p><p>${c.critique()} (${c.score(id)}/5)</p>`, ""),
  },
  {
    name: "tags",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `<${id}>\n${c.critique()}\n<score>${c.score(id)}</score>\n</${id}>`.replace(`<${id}>`, `**${NAMES[id]}**`).replace(`</${id}>`, ""))}\n<overall_score>${c.overall}</overall_score>`,
  },
  {
    name: "scores as percentages in bold",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `#### ${AMPERSANDS[id]}\n* ${c.critique()}\n* **Rating: ${c.score(id)}%**`)}\n\n#### Overall Rating: ${c.overall}%`,
  },
  {
    name: "bold label with its score inside",
    form: "well-formed",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `#### ${NAMES[id]}\n**Review:** ${c.critique()}\n\n**Score: ${c.score(id)}**`)}\n\n#### Conclusion\n**Overall Assessment:** ${c.critique()}\n\n**Overall Score: ${c.overall}**`,
  },
  {
    name: "numbered bold names, score in a note",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id, n) => `**${n}. ${NAMES[id]} (Score: ${c.score(id)})**\n${c.critique()}\n- ${c.critique()}`)}\n\n**Conclusion (Overall Score: ${c.overall})**\n${c.critique()}`,
  },
  {
    name: "names dashed to scores",
    form: "sloppy",
    ...five,
    write: (c) =>
      `${each(c, (id) => `- **${NAMES[id]}** – ${c.score(id)}/5\n  ${c.critique()}`)}\n\n**Overall** – ${c.overall}/5`,
  },
  {
    name: "aspect scores named in full",
    form: "sloppy",
    ...hundred,
    write: (c) =>
      `${each(c, (id) => `${NAMES[id]}\n${c.critique()}\n${NAMES[id]} Score: ${c.score(id)}`)}\n\nOverall Assessment\n${c.critique()}\nOverall Score: ${c.overall}`,
  },
  {
    name: "a review that runs on after its score",
    form: "sloppy",
    scale: 5,
    scoresAspects: false,
    scoresOverall: true,
    partial: true,
    write: (c) =>
      `${each(c, (id) => `${NAMES[id]}:\n${c.critique()}`)}\n\nOverall Assessment:\n${c.critique()}\n\nScore: ${c.overall.toFixed(1)}\n\nOverall Assessment:\n${c.critique()}\n\nScore: ${c.overall.toFixed(1)}`,
  },
  {
    name: "one score after the critiques, no closing heading",
    form: "sloppy",
    scale: 5,
    scoresAspects: false,
    scoresOverall: true,
    partial: true,
    write: (c) => `${each(c, (id) => `**${NAMES[id]}**: ${c.critique()}`)}\n\nRating: ${c.overall.toFixed(1)} stars`,
  },
  {
    name: "scores said in sentences",
    form: "sloppy",
    ...five,
    scoresOverall: false,
    write: (c) => each(c, (id) => `**${NAMES[id]}**\n${c.critique()} I would give it ${c.score(id)} out of 5.`),
  },
  {
    name: "parts below the aspect, one score at the end",
    form: "well-formed",
    ...hundred,
    write: (c) =>
      `${each(c, (id, n) => `${n}. **${NAMES[id]}**\n   - **Ending:** ${c.critique()}\n   - **Setting:** ${c.critique()}\n   - **Score:** ${c.score(id)}`)}\n\n**Overall Score:** ${c.overall}`,
  },
];
