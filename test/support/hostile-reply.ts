import { placeholderValue } from "../../src/models/placeholder-value.ts";
import type { ReplyHandler } from "../../src/testing/index.ts";

/** A judge whose scores are plausible and whose every sentence tries to be markup: what a model writes is shown as text. */
export const hostileReply: ReplyHandler = ({ schema }, random) =>
  JSON.stringify(placeholderValue(schema, random), (key, value: unknown) => {
    if (key === "score" || (key === "overall" && typeof value !== "string")) return 60 + Math.floor(random() * 20);
    return typeof value === "string" && key !== "id" ? `<img src=x onerror="document.title='broken'"> ${value}` : value;
  });
