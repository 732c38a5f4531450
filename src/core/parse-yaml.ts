import { parse } from "yaml";

/**
 * Parses YAML from an untrusted source. Aliases are an error, since a few lines of them can expand without end. Odd but valid YAML
 * gives no warning, because a warning would print the author's text past the terminal's checks.
 */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 0, logLevel: "error" });
}
