import { describe, expect, it } from "vitest";
import { PrefixCache } from "./prefix-cache.ts";

const request = (content: string) => ({ messages: [{ role: "user" as const, content }] });

describe("a foreseen prefix cache", () => {
  const story = "the river kept its own counsel ".repeat(1000);

  it("knows the beginning that two requests share", () => {
    const cache = new PrefixCache();
    expect(cache.admit(request(`${story}one`))).toBe(0);
    expect(cache.admit(request(`${story}two`))).toBeGreaterThan(0.97);
    expect(cache.admit(request(`another ${story}`))).toBe(0);
  });

  it("ignores beginnings too short for any provider", () => {
    const cache = new PrefixCache();
    cache.admit(request("the river kept its own counsel ".repeat(60)));
    expect(cache.admit(request("the river kept its own counsel ".repeat(60)))).toBe(0);
  });
});
