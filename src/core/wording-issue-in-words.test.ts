import { expect, it } from "vitest";
import { z } from "zod";
import { issueInWords } from "./wording.ts";

const schema = z.strictObject({ id: z.string().min(1), count: z.number(), names: z.array(z.string()) });

it.each([
  [{ count: 1, names: [] }, "it is missing"],
  [{ id: "", count: 1, names: [] }, "it is empty"],
  [{ id: "a", count: "one", names: [] }, "it must be a number"],
  [{ id: "a", count: 1, names: "b" }, "it must be a list"],
  [{ id: "a", count: 1, names: [], extra: 1 }, 'there is no field "extra": check the spelling, or remove it'],
])("says what is wrong with %j without the words of a program", (value, words) => {
  expect(schema.safeParse(value).error?.issues.map(issueInWords)).toEqual([words]);
});

it("says of a field of two kinds which they are", () => {
  const either = z.object({ id: z.union([z.string(), z.number()]) });
  const words = (value: unknown) => either.safeParse(value).error?.issues.map(issueInWords);
  expect(words({})).toEqual(["it is missing"]);
  expect(words({ id: [] })).toEqual(["it must be text or a number"]);
});
