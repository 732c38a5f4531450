/** The encoding that an XML declaration or a `<meta>` claims, from the first kilobytes. */
export function declaredEncoding(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString("latin1");
  return /encoding=["']([\w-]+)["']/.exec(start)?.[1] ?? /charset=["']?([\w-]+)/i.exec(start)?.[1] ?? null;
}
