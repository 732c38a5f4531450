/** The model family in a model's name: `openai:gpt-4o` and `gpt-5-mini` are one family, `claude-…` another. */
export function modelFamily(name: string): string | null {
  const base = name.toLowerCase().replace(/^[a-z]+:/, "");
  const match = FAMILIES.find(([, pattern]) => pattern.test(base));
  return match?.[0] ?? null;
}

const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ["gpt", /\b(gpt|chatgpt|o[134](-|$))/],
  ["claude", /claude/],
  ["gemini", /gemini|gemma/],
  ["llama", /llama/],
  ["qwen", /qwen|qwq/],
  ["deepseek", /deepseek/],
  ["mistral", /mistral|mixtral|ministral/],
  ["glm", /glm/],
  ["grok", /grok/],
  ["kimi", /kimi|moonshot/],
  ["command", /command-/],
];
