import { z } from "zod";
import { contentHash } from "../core/hash.ts";
import { ownJudgeId } from "./judge-name.ts";

export { ownJudgeId, resolveShortName } from "./judge-name.ts";

/** A judge under the user's own name. Two settings of one model are two judges. */
export const ownJudgeSchema = z.strictObject({
  judge: z
    .string()
    .min(1)
    .describe('what is asked, as after --judge: openai:MODEL, MODEL@http://host/v1, command:"PROGRAM …"'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^#\n,+]+$/, "must not hold # , or +")
    .optional()
    .describe("how people are shown it; the short name unless given"),
  price: z
    .strictObject({
      input: z.number().nonnegative(),
      cached: z.number().nonnegative().optional(),
      output: z.number().nonnegative(),
    })
    .optional()
    .describe("US dollars per million tokens"),
  context: z.number().int().positive().optional().describe("tokens that fit into a request and its reply"),
  headers: z.record(z.string(), z.string()).optional().describe("sent with every request"),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("fields of the provider's own request, such as reasoning_effort"),
  timeout: z.number().positive().max(86_400).optional().describe("seconds that one reply of a command may take"),
});

/** Names with another meaning for `--judge`, which users' own judges may not have. */
const TAKEN = ["jury", "crowd", "editor", "grader", "embedded", "local", "paste", "assistant"];

/** Judges by their short names. A short name must not hide one of Fabula's judges or be confusable with another. */
export const ownJudgesSchema = z
  .record(
    z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, "must be one word of letters, digits, dots and hyphens"),
    ownJudgeSchema,
  )
  .superRefine((judges, context) => {
    const shown = new Map<string, string>();
    for (const [short, own] of Object.entries(judges)) {
      const say = (message: string) => context.addIssue({ code: "custom", path: [short], message });
      if (TAKEN.includes(short)) say(`"${short}" is a judge of Fabula's own: give yours another name`);
      const other = shown.get(ownJudgeId(short, own));
      if (other !== undefined)
        say(`it is the same judge as "${other}" with the same \`name\`: two settings of one model need two names`);
      shown.set(ownJudgeId(short, own), short);
      const isAsked = !/^(?:command|paste|assistant|llama)(?::|$)/.test(own.judge);
      if (!isAsked && (own.headers ?? own.options) !== undefined)
        say("`headers` and `options` are sent to a server, and this judge has none: leave them out");
    }
  });

export type OwnJudge = z.infer<typeof ownJudgeSchema>;
type OwnJudges = Readonly<Record<string, OwnJudge>>;

/** The settings behind an identity; undefined if the user has none for it. */
export function ownJudgeOf(id: string, judges: OwnJudges = {}): OwnJudge | undefined {
  return Object.entries(judges).find(([short, own]) => ownJudgeId(short, own) === id)?.[1];
}

/**
 * A hash of the settings that change an answer; undefined if there are none. The judge's short name is not one of
 * them.
 */
export function settingsHash(own: OwnJudge | undefined): string | undefined {
  if (own?.headers === undefined && own?.options === undefined && own?.context === undefined) return undefined;
  return contentHash({ headers: own.headers, options: own.options, context: own.context });
}

/** Sends the user's own headers and fields with every request. */
export function withOwnSettings(own: OwnJudge | undefined, send: typeof fetch): typeof fetch {
  if (own?.headers === undefined && own?.options === undefined) return send;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(own.headers ?? {})) headers.set(name, value);
    const body = own.options && typeof init?.body === "string" ? withFields(init.body, own.options) : init?.body;
    return send(input, { ...init, headers, ...(body === undefined ? {} : { body }) });
  };
}

function withFields(body: string, fields: Readonly<Record<string, unknown>>): string {
  const document: unknown = JSON.parse(body);
  return JSON.stringify({ ...(document as object), ...fields });
}
