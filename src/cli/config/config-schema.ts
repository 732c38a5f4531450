import { z } from "zod";
import { ownJudgeSchema } from "../../models/own-judge.ts";

/** What `fabula.config.yaml` may hold: defaults for a folder and everything in it, or for a user. A flag or a variable of the environment wins. */
export const configSchema = z.strictObject({
  judge: z.string().min(1).optional().describe("who judges when no --judge is given, such as jury or openai:gpt-4.1"),
  store: z
    .string()
    .min(1)
    .optional()
    .describe("where calls are kept: a file, from this file's folder, or a postgres:// address on this machine"),
  rubric: z.string().min(1).optional().describe("the aspects a language model judges: a name, or a file"),
  prices: z.string().min(1).optional().describe("a price table of your own: a YAML file"),
  judges: z
    .record(
      z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, "must be one word of letters, digits, dots and hyphens"),
      ownJudgeSchema,
    )
    .optional()
    .describe("judges under short names of your own; in your own settings alone, not in a folder's"),
  limits: z
    .strictObject({
      maxCost: z.number().nonnegative().optional().describe("US dollars for a whole run"),
      concurrency: z.number().int().positive().max(1000).optional().describe("calls at a time"),
      requestsPerMinute: z.number().positive().optional(),
      tokensPerMinute: z.number().positive().optional(),
    })
    .optional()
    .describe("limits of every run that asks models"),
});

export type Config = z.infer<typeof configSchema>;
