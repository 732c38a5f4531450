/** A sentence in which commands stand between backquotes. */
export function Coded({ text }: { readonly text: string }) {
  return text.split("`").map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence, which never changes.
    at % 2 === 1 ? <code key={at}>{part}</code> : part,
  );
}
