import type { z } from "zod";

/** What kinds of values are called outside a program. */
const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of named fields",
  record: "a group of named fields",
};

/** What is wrong with a field, for the person who wrote the file: zod's own sentences are about the types of a program. */
export function issueInWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? "it is missing"
        : `it must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "unrecognized_keys": {
      const names = issue.keys.map((key) => `"${key}"`).join(" and ");
      return `there is no field ${names}: check the spelling, or remove it`;
    }
    case "too_small":
      return issue.minimum === 1 && (issue.origin === "string" || issue.origin === "array")
        ? "it is empty"
        : issue.message;
    default:
      return issue.message;
  }
}
