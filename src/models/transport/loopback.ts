/** Whether a host's name, as `URL` writes it, means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname === "0.0.0.0" || hostname.startsWith("127.");
}
