// A judge of your own: anything that answers messages can be one. This one always gives the same scores.
import { type ChatModel, evaluateBook, loadRubric, type Rubric, renderReport } from "fabula";

const rubric: Rubric = await loadRubric("long-story");

const model: ChatModel = {
  id: "always-seventy",
  contextTokens: null,
  async complete() {
    const aspects = rubric.criteria
      .filter(({ parent }) => parent === undefined)
      .map(({ name }) => `**${name}**: what it always says. Score: 70/100`);
    return {
      text: `${aspects.join("\n\n")}\n\n**Overall**: 70/100`,
      reasoning: null,
      stop: "stop",
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
      model: "always-seventy",
      latencyMilliseconds: 0,
    };
  },
};

const story = {
  text: "# Chapter 1\n\nIt rained on the harbour, and nobody came. ".concat("The boats waited. ".repeat(60)),
};
const evaluation = await evaluateBook(story, { judge: model, rubric, runs: 1, method: "one-pass", letter: false });
console.log(await renderReport(evaluation, "text"));
