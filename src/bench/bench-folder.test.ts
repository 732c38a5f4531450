import { expect, it } from "vitest";
import { benchFiles } from "./bench-folder.ts";

it("writers with Chinese names have files of their own, and no name leads out of the folder", () => {
  const { written, writerScores } = benchFiles("bench");
  expect(written("甲@http://localhost/v1")).not.toBe(written("乙@http://localhost/v1"));
  expect(writerScores("甲", "评委一")).not.toBe(writerScores("甲", "评委二"));
  expect(written("../../甲")).toMatch(/^bench[/\\]written\.[^/\\]*$/);
});
