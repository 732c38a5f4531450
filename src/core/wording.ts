import type { z } from "zod";

/** "1 answer", "2,400 answers": how many of something, in words that fit the number. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? singular : plural}`;
}

const UNITS = [
  ["second", 1000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
] as const;

/** About how long, in the largest unit of which there are at least two. */
export function durationInWords(milliseconds: number): string {
  const [unit, length] = UNITS.findLast(([, one]) => milliseconds >= 2 * one) ?? UNITS[0];
  return countOf(Math.round(milliseconds / length), unit);
}

/** Messages are written for the command line; these are the words that tools, the web app and the library put in their place. */
const ADVICE = {
  tools: {
    again: "call the same tool again",
    refresh: "refresh: true",
    option: (name: string, value: string) => `${name}: "${value}"`,
  },
  page: {
    again: "start it again",
    refresh: "`fabula evaluate --refresh`",
    option: (name: string, value: string) => `the ${name} “${value}”`,
  },
} as const;

/** A message's advice for whoever does not use the command line. */
export function adviceFor(surface: keyof typeof ADVICE, message: string): string {
  const { again, refresh, option } = ADVICE[surface];
  return message
    .replace(/(?<!evaluate )--refresh\b/, refresh)
    .replace("run the same command again", again)
    .replace("Run the same command again", `${again[0]!.toUpperCase()}${again.slice(1)}`)
    .replace(/--(method|judge) ([a-z]+)\b/g, (_, name: string, value: string) => option(name, value));
}

/** Everyday names of the value types in a schema error. */
const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of named fields",
  record: "a group of named fields",
};

/** A schema error in words for the person who wrote the file; zod's own messages speak of program types. */
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
    case "invalid_union": {
      const kinds = issue.errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first] : []));
      // A schema may have words of its own.
      if (issue.message !== "Invalid input" || kinds.length === 0 || kinds.length < issue.errors.length)
        return issue.message;
      const words = new Set(kinds.map(issueInWords));
      return words.size === 1
        ? [...words][0]!
        : `it must be ${kinds.map(({ expected }) => KINDS[expected] ?? expected).join(" or ")}`;
    }
    default:
      return issue.message;
  }
}

/**
 * A judge as people are shown it: the name that its user gave it (`openai:gpt-5#Careful reader`), or the part of its identity
 * that tells it from others. The identity itself stands in every JSON document.
 */
export function judgeInWords(id: string): string {
  const [, panel] = /^panel (.+)$/s.exec(id) ?? [];
  if (panel !== undefined) return `panel ${judgesInWords(panel.split("+")).join("+")}`;
  return judgesInWords(id.startsWith("command:") ? [id] : id.split(" + ")).join(" + ");
}

/** Several values in a list. Two that would look the same are told apart by their kind. */
export function judgesInWords(ids: readonly string[]): string[] {
  const names = ids.map(memberInWords);
  return ids.map((id, at) => (names.indexOf(names[at]!) === names.lastIndexOf(names[at]!) ? names[at]! : id));
}

function memberInWords(id: string): string {
  const [identity, label] = splitLabel(id);
  if (label !== null) return label;
  const [, program] = /^command:\s*(.+)$/s.exec(identity) ?? [];
  if (program !== undefined) return shortened(program);
  const [, model, host] = /^(.+?)@https?:\/\/([^/]+)/.exec(identity) ?? [];
  if (model !== undefined && host !== undefined) return isHere(host) ? model : `${model} at ${host}`;
  const [, file] = /^llama:.*?([^/\\]+?)(?:\.gguf)?$/i.exec(identity) ?? [];
  return file ?? identity;
}

/** The identity of a judge, and the name that its user gave it; null when it has none. */
export function splitLabel(id: string): [identity: string, label: string | null] {
  const at = id.lastIndexOf("#");
  const label = id.slice(at + 1).trim();
  return at <= 0 || label === "" ? [id, null] : [id.slice(0, at), label];
}

const LONGEST_COMMAND = 40;

/** A program without its folder, and as many of its words as fit. */
function shortened(command: string): string {
  const bare = command.trim().replace(/^["']?(?:[^\s"']*[/\\])?([^\s"'/\\]+)["']?/, "$1");
  return bare.length <= LONGEST_COMMAND ? bare : `${bare.slice(0, LONGEST_COMMAND - 1).trimEnd()}…`;
}

function isHere(host: string): boolean {
  return /^(?:127\.|localhost\b|0\.0\.0\.0|\[::1\])/.test(host);
}

/** Which numbers are allowed: `a whole number from 1 to 100`. */
export function numberInWords(limits: {
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}): string {
  const { integer, minimum, maximum } = limits;
  const kind = integer ? "a whole number" : "a number";
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind} of at least ${minimum}`;
  if (maximum !== undefined) return `${kind} of at most ${maximum}`;
  return kind;
}

/**
 * Control characters that a model's words, a quotation, a title or the name of a file may hold: they could drive the
 * terminal. The last group turns the direction of writing around, so that a text reads as another than it is.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what the reports are painted with, and nothing else.
const OWN_COLOURS = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;

/** Text as it may be written to a terminal: controls are shown as the escapes they have in JSON, so that JSON stays what it was. */
export function plainOutput(text: string, { colours }: { readonly colours: boolean }): string {
  if (!colours) return shown(text);
  return text
    .split(OWN_COLOURS)
    .map((part, at) => (at % 2 === 1 ? part : shown(part)))
    .join("");
}

function shown(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A difference with its sign, a real minus included; what rounds to zero has none. */
export function signedNumber(value: number, digits: number): string {
  const size = Math.abs(value).toFixed(digits);
  if (Number(size) === 0) return size;
  return `${value > 0 ? "+" : "−"}${size}`;
}

/** The first few of many: “one, two, three and 4 more”. */
export function firstFew(items: readonly (string | number)[], most: number): string {
  const shown = items.slice(0, most).join(", ");
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}
