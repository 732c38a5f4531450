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
export const AMPERSANDS: Readonly<Record<string, string>> = {
  ...NAMES,
  plot: "Plot & Structure",
  writing: "Writing & Language",
  world: "Worldbuilding & Setting",
  enjoyment: "Overall Enjoyment & Engagement",
};
export const SHORT: Readonly<Record<string, string>> = {
  plot: "PLOT",
  characters: "CHA",
  writing: "WRI",
  world: "WOR",
  themes: "THE",
  emotion: "EMO",
  enjoyment: "ENJ",
  expectation: "EXP",
};
export const CHINESE: Readonly<Record<string, string>> = {
  plot: "情节与结构",
  characters: "人物塑造",
  writing: "写作与语言",
  world: "世界观与设定",
  themes: "主题",
  emotion: "情感影响",
  enjoyment: "阅读乐趣与投入",
  expectation: "期望满足",
};
