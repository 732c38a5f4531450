import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAspectMap } from "../../src/jury/aspects.ts";
import { loadPocketJudge } from "../../src/jury/pocket-judge.ts";
import { chineseReasons } from "./chinese-reasons.ts";
import { chineseSentences } from "./chinese-sentences.ts";
import { translatedReason, translatedSentence } from "./translated.ts";

const CHINESE = /[\u4e00-\u9fff]/;

describe("what the server says", () => {
  it("is translated by codes that it has", () => {
    const folder = join(import.meta.dirname, "..", "..", "src");
    const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    const inSource = (code: string) =>
      code.startsWith("E_MODEL_") ? code.slice("E_MODEL_".length).toLowerCase().replaceAll("_", "-") : code;
    expect(Object.keys(chineseSentences).filter((code) => !source.includes(`"${inSource(code)}"`))).toEqual([]);
    for (const sentence of Object.values(chineseSentences)) expect(sentence).toMatch(CHINESE);
  });

  it("stays as it is in English, and where no translation is known", () => {
    expect(translatedSentence("E_BINARY", "en")).toBeNull();
    expect(translatedSentence("E_SOMETHING_NEW", "zh")).toBeNull();
    expect(translatedSentence("constructor", "zh")).toBeNull();
    expect(translatedSentence(null, "zh")).toBeNull();
    expect(translatedSentence("E_BINARY", "zh")).toMatch(CHINESE);
    expect(translatedReason("it refused", "zh")).toBe("it refused");
  });

  it("is translated where the pocket judge gives no score, whatever the reason", async () => {
    const [judge, map] = await Promise.all([loadPocketJudge(), loadAspectMap()]);
    const said = ["It rained.", "雨下了一整天，街上没有人。".repeat(60)].map((text) => judge.examine(text).overall);
    const reasons = [
      ...said.map((verdict) => (verdict.kind === "unscored" ? verdict.reason : "it was scored")),
      ...Object.values(map.unscored),
    ];
    for (const reason of reasons) {
      expect(translatedReason(reason, "zh"), reason).toMatch(CHINESE);
      expect(translatedReason(reason, "zh"), reason).not.toContain("$");
      expect(translatedReason(reason, "en")).toBe(reason);
    }
    expect(translatedReason(reasons[0]!, "zh")).toContain("2");
    expect(reasons.length).toBeLessThanOrEqual(chineseReasons.length);
  });
});
