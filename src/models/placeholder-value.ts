import { z } from "zod";
import { type Random, randomInteger } from "../core/random.ts";

/** The part of JSON Schema that `z.toJSONSchema` writes and replies are asked in. */
const nodeSchema = z.looseObject({
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  anyOf: z.array(z.unknown()).min(1).optional(),
  oneOf: z.array(z.unknown()).min(1).optional(),
  allOf: z.array(z.unknown()).min(1).optional(),
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().optional(),
});
type Node = z.infer<typeof nodeSchema>;

const WORDS = "the river kept its own counsel while every lamp in town went out and nobody thought to ask why".split(
  " ",
);
const EXTRA_ITEMS = 3;
const OPTIONAL_SHARE = 0.7;

/** A seeded meaningless value that fits the schema, for plans and simulations, where no model is asked. */
export function placeholderValue(schema: unknown, random: Random, root: unknown = schema): unknown {
  const node = nodeSchema.parse(schema);
  const inner = (part: unknown) => placeholderValue(part, random, root);
  const oneOf = <T>(options: readonly T[]): T => options[randomInteger(random, options.length)]!;

  if (node.$ref !== undefined) return inner(resolve(root, node.$ref));
  if (Object.hasOwn(node, "const") && node.const !== undefined) return node.const;
  if (node.enum) return oneOf(node.enum);
  const alternatives = node.anyOf ?? node.oneOf;
  if (alternatives) return inner(oneOf(alternatives));
  if (node.allOf) return Object.assign({}, ...node.allOf.map(inner));
  const types = typeof node.type === "string" ? [node.type] : (node.type ?? [node.properties ? "object" : "string"]);
  const type = oneOf(types);
  switch (type) {
    case "object":
      return objectFor(node, random, inner);
    case "array":
      return arrayFor(node, random, inner);
    case "integer":
      return Math.round(numberFor(node, random, 1));
    case "number":
      return numberFor(node, random, 0.5);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    default:
      return textFor(node, random);
  }
}

function objectFor({ properties = {}, required }: Node, random: Random, inner: (part: unknown) => unknown) {
  const entries = Object.entries(properties).filter(([name]) => required.includes(name) || random() < OPTIONAL_SHARE);
  return Object.fromEntries(entries.map(([name, part]) => [name, inner(part)]));
}

function arrayFor(
  { items, prefixItems, minItems = 0, maxItems }: Node,
  random: Random,
  inner: (p: unknown) => unknown,
) {
  if (prefixItems) return prefixItems.map(inner);
  const most = Math.min(maxItems ?? minItems + EXTRA_ITEMS, minItems + EXTRA_ITEMS);
  const length = minItems + randomInteger(random, most - minItems + 1);
  return Array.from({ length }, () => inner(items ?? { type: "string" }));
}

function numberFor(node: Node, random: Random, fallbackStep: number): number {
  const step = node.multipleOf ?? fallbackStep;
  const low = node.minimum ?? (node.exclusiveMinimum === undefined ? 0 : node.exclusiveMinimum + step);
  const high = node.maximum ?? (node.exclusiveMaximum === undefined ? low + 100 : node.exclusiveMaximum - step);
  // If all scores on a scale of a hundred were very low, they would be taken for another scale and asked for again.
  const lowest = node.maximum !== undefined && node.maximum >= 100 ? low + (high - low) / 5 : low;
  const first = Math.ceil(lowest / step);
  const last = Math.min(Math.floor(high / step), first + 1_000_000);
  return last < first ? low : (first + randomInteger(random, last - first + 1)) * step;
}

function textFor({ minLength = 0, maxLength = 400 }: Node, random: Random): string {
  const start = randomInteger(random, WORDS.length);
  let text = `Placeholder: ${WORDS.slice(start).concat(WORDS.slice(0, start)).slice(0, 8).join(" ")}.`;
  while (text.length < minLength) text += ` ${text}`;
  return text.slice(0, maxLength);
}

/** Whether this is a text of the placeholder that a plan puts in the place of a reply: it says nothing, so nothing of it is looked up. */
export function isPlaceholderText(text: string): boolean {
  return /^\s*Placeholder \d+:/.test(text);
}

function resolve(root: unknown, reference: string): unknown {
  return reference
    .replace(/^#\/?/, "")
    .split("/")
    .filter(Boolean)
    .reduce<unknown>((node, step) => z.looseObject({}).parse(node)[step], root);
}
