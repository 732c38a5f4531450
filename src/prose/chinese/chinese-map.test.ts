import { describe, expect, it } from "vitest";
import { mapManuscript } from "../map/manuscript-map.ts";

const FILLER = [
  "雨下了一夜，街上没有人。",
  "她把灯挂在门口，等船回来。",
  "老人坐在石阶上补网，手很慢。",
  "孩子们跑过桥去，看涨起来的水。",
];
const plain = (place: number) => `${FILLER[place % 4]}${FILLER[(place + 1) % 4]}`;

function chapter(index: number, extra: string) {
  return { index, title: `第${index}章`, text: [0, 1, 2, 3].map((place) => plain(index + place)).join("\n\n") + extra };
}

describe("the map of a Chinese story", () => {
  const long = `他${"沿着河岸慢慢地走，".repeat(20)}到了渡口。`;
  const map = mapManuscript(
    [
      chapter(1, `\n\n“你来了，”她说。\n\n${long}`),
      chapter(2, `\n\n${"他咬了咬牙，望着远处的山。".repeat(5)}`),
      chapter(3, `\n\n${"船上的人咬了咬牙,没有回头。".repeat(4)}`),
    ],
    { language: "zh" },
  );

  it("counts sentences by characters, and finds those that are far longer", () => {
    expect(map.chinese?.sentenceLength).toBeGreaterThan(8);
    expect(map.chinese?.longSentences.count).toBe(1);
    expect(map.chinese?.chapters).toHaveLength(3);
  });

  it("finds what the narrator repeats, sentences that begin alike and western commas", () => {
    expect(map.chinese?.repeats.map(({ phrase }) => phrase).join(" ")).toContain("咬了咬牙");
    expect(map.chinese?.openings.count).toBe(2);
    expect(map.chinese?.westernMarks.count).toBe(4);
  });

  it("does not blame the writer for tags that only English has", () => {
    expect(map.dialogue).toMatchObject({ untagged: null, tags: [], speakersKnown: null });
    expect(map.dialogue.share).toBeGreaterThan(0);
  });
});
