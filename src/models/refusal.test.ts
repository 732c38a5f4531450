import { describe, expect, it } from "vitest";
import { isRefusal } from "./refusal.ts";

const OFFER = " I'd be glad to help with a different chapter, one that keeps the tension between the two sisters.";

describe("a refusal in words", () => {
  it.each([
    "I can't help with that.",
    "I can’t assist with this request.",
    "I'm sorry, but I can't help with that.",
    "Sorry, I can't do that.",
    "I'm sorry, I cannot continue this story.",
    "I'm unable to write this chapter because it depicts violence against a child.",
    "I am not able to fulfill this request.",
    "I won't write this scene.",
    "I apologize, but I cannot generate explicit content of this kind.",
    `I must respectfully decline to write this chapter.${OFFER.repeat(3)}`,
    "Thank you for the detailed synopsis. However, I'm not comfortable writing this scene, which involves a minor.",
    "As an AI language model, I cannot take part in that.",
    "Unfortunately, this request goes against our content policy.",
    "The request was rejected because it was considered high risk.",
    "**I'm sorry, but I can't assist with that request.**",
    "抱歉，我无法协助完成这个请求。",
    "抱歉，我无法协助…",
    "很抱歉，我不能提供相关内容。",
    "对不起，我没办法继续写下去。",
    "我无法为您创作包含此类内容的章节。",
    "你好，这个问题我暂时无法回答，让我们换个话题再聊聊吧。",
    "作为一个人工智能语言模型，我不能撰写含有暴力的情节。如果您愿意，我可以换一个方向：写两姐妹的和解。",
    "该内容违反了相关规定，请修改后再试。",
    "抱歉，我無法協助撰寫這個章節。",
    "非常抱歉，由于梗概涉及未成年人，我不便撰写这一章。您可以调整人物年龄，我会很乐意继续。",
  ])("%s", (text) => expect(isRefusal(text)).toBe(true));

  it.each([
    "",
    "“I can't help you,” she said, and shut the door.",
    "「抱歉，我无法协助你。」他说完便转身走进雨里。",
    "I can't help thinking of the harbour. It was raining on the day we left, and my brother would not speak.",
    "I cannot write to my brother. The post goes on Tuesdays, and on Tuesdays the ferry does not run in winter.".repeat(
      3,
    ),
    "The rain had stopped before anyone thought to close the windows. I could not answer him; nobody could.",
    "他说他无法原谅。雨停了，码头上的人都走了，只剩下看灯塔的老人，抱着一本旧账，一页一页地翻。",
    "我不能再等下去了。天亮之前，船就要开走，而父亲的信还压在箱底，没有人读过，也没有人敢问起。".repeat(3),
    "Sorry was the first word he learnt. He said it to the dog, to the stairs, to the man who came for the rent.",
    "The answer is on the second page: she is his sister.",
    "She told him: I cannot marry you.",
    "I can't be there before dark.",
    "我不能嫁给你。",
    '{"scores": {"plot": 4}}',
    `I'm sorry, but I can't help with that.\n\n${"The harbour waited while rain fell over the old roofs. ".repeat(60)}`,
  ])("is not %s", (text) => expect(isRefusal(text)).toBe(false));
});
