import { parse } from "yaml";

/**
 * Parses YAML of anyone's: aliases, which a few lines can multiply without end, are an error. What is odd but valid is read without
 * a word, since a warning would print what others wrote past the terminal's checks.
 */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 0, logLevel: "error" });
}
