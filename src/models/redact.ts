const SECRET_SHAPES =
  /\b(?:sk-[A-Za-z0-9_-]{8,}|AIza[A-Za-z0-9_-]{20,}|Bearer\s+[A-Za-z0-9._~+/-]{8,}=*)|\b(?:x-api-key|api[_-]?key|authorization)\b["']?\s*[:=]\s*["']?[^\s"',}]{6,}/gi;

/** The same text without keys: those given, and whatever has the shape of one. Providers echo keys in their errors. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  }
  return clean.replace(SECRET_SHAPES, "[redacted]");
}
