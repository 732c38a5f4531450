/** How a provider is reached: a key, and an address where it is not the usual one. */
export interface Connection {
  readonly key?: string;
  readonly baseUrl?: string;
}
