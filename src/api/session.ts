/**
 * POST /api/session → 204 and a cookie, where the server asks for a token and the link carried it after its `#`. A link
 * with `?token=` needs no script: the server sets the cookie and redirects.
 */
export interface SessionRequest {
  readonly token: string;
}
