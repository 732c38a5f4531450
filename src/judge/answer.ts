/** A reply that was read, or why there is none. */
export type Answer<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "unread"; readonly reason: string };
