// A judge of your own: anything that answers messages can be one. This one gives every aspect the same score.
// A judge is asked for JSON in the shape of `request.schema`: a score for each aspect of the rubric, with its reasons.
import { type ChatModel, evaluateBook, loadRubric, type Rubric, renderReport } from "fabula";

const rubric: Rubric = await loadRubric("long-story");

const model: ChatModel = {
  id: "always-seventy",
  contextTokens: null,
  async complete(request) {
    console.error(`asked with ${request.messages.length} messages for the ${request.purpose}`);
    const strengths = [{ point: "It says what it always says.", quotes: [] }];
    const aspects = rubric.criteria
      .filter(({ parent }) => parent === undefined)
      .map(({ id }) => [id, { strengths, weaknesses: [], score: 70 }] as const);
    return {
      text: JSON.stringify({ aspects: Object.fromEntries(aspects), assessment: "As always.", overall: 70 }),
      reasoning: null,
      stop: "stop",
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
      model: "always-seventy",
      latencyMilliseconds: 0,
    };
  },
};

const story = "node_modules/fabula/assets/examples/the-inspector-of-weights.md";
const evaluation = await evaluateBook(story, { judge: model, rubric, runs: 1, method: "one-pass", letter: false });
console.log(await renderReport(evaluation, "text"));
