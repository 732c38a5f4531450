/**
 * A judge as people are shown it: the name that its user gave it (`openai:gpt-5#Careful reader`), or the part of its identity
 * that tells it from others. The identity itself stands in every JSON document.
 */
export function judgeInWords(id: string): string {
  return judgesInWords(id.startsWith("command:") ? [id] : id.split(" + ")).join(" + ");
}

/** Several, side by side: two that would be shown alike are told apart by what they are. */
export function judgesInWords(ids: readonly string[]): string[] {
  const names = ids.map(seatInWords);
  return ids.map((id, at) => (names.indexOf(names[at]!) === names.lastIndexOf(names[at]!) ? names[at]! : id));
}

function seatInWords(id: string): string {
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
