import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepChild, takeChild } from "./run-task.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("ends a process that had nothing to do for as long as it was to be kept", () => {
  const child = takeChild("reading");
  keepChild(child, 120_000);
  vi.advanceTimersByTime(119_000);
  // Taken once more, its time begins again.
  expect(takeChild("reading")).toBe(child);
  keepChild(child, 120_000);
  vi.advanceTimersByTime(119_000);
  expect(child.isFit).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(child.isFit).toBe(false);
});
